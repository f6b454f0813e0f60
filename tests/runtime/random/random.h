/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_RANDOM_H
#define HS_TESTS_RANDOM_H

/* Objects of a random run: layouts of slices, of blocks and of boxes, each with contents that a serial program would have too. */

#include "tests/mpi.h"
#include "util/random.h"
#include <heteroslice/hs_blocks.h>
#include <heteroslice/hs_storage.h>

/** What every failure of a random run names. */
extern int64_t random_seed;

#define RIGHT(condition) right_at(condition, #condition, __FILE__, __LINE__)

static inline void right_at(int condition, const char *text, const char *file, int line)
{
    if (!condition)
        fprintf(stderr, "seed %lld:\n", (long long)random_seed);
    require_at(condition, text, file, line);
}

/** Slices with some arrays, each of its own unit size and halo. */
typedef struct sliced sliced;

/** Collective: all ranks of the context come with the same numbers in random. */
sliced *sliced_new(hs_context *context, hs__random *random);

/** One iteration: exchange halos, compute, balance. Everything is compared with the serial answer, halos too where units
 * have moved. @param[in] unit_s  seconds a unit of this rank takes */
void sliced_step(sliced *s, double unit_s, hs__random *random);

/** @return how often its units have moved */
int64_t sliced_free(sliced *s);

/** What a layout of slices may have besides: units of unequal bytes, in arrays with offsets and in a storage of the
 * program. */
typedef struct cells cells;

/** Register them. @param[in] number  tells the contents of one from those of others */
cells *cells_new(hs_layout *layout, int number, int64_t iteration);

/** Expect the contents of this iteration; and put those of the next one in their place, which comes with its number. */
void cells_check(const cells *c, int64_t iteration);
void cells_step(cells *c, int64_t iteration);

/** Declare new weights of the units. Collective, as everything here. */
void cells_weigh(hs_layout *layout, int64_t round);

/** Once the layout is freed. */
void cells_free(cells *c);

/** The same for blocks. */
typedef struct blocked blocked;
blocked *blocked_new(hs_context *context, hs__random *random);
void blocked_step(blocked *s, double unit_s, hs__random *random);
int64_t blocked_free(blocked *s);

/** And for boxes. */
typedef struct boxed boxed;
boxed *boxed_new(hs_context *context, hs__random *random);
void boxed_step(boxed *s, double unit_s, hs__random *random);
int64_t boxed_free(boxed *s);

/** One of n choices. */
static inline int64_t one_of(hs__random *random, const int64_t *choices, int n)
{
    return choices[hs__random_below(random, n)];
}

/** Put this rank's clock forward. */
void random_compute(double seconds);

#endif
