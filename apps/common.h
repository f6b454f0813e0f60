/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_COMMON_H
#define HS_APPS_COMMON_H

/* What the iterative programs share: memory and errors, work of a chosen amount, checksums, and how results are printed. */

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/** Abort when the status is an error (below 0), ranks but the first a second later; else return it. The library has printed
 * the reason. */
int app_require(int status);

/** calloc() and realloc() that end the program with a line on stderr when memory is out. Never NULL. */
void *app_allocate(int64_t count, size_t bytes);
void *app_resize(void *memory, int64_t count, size_t bytes);

/** Compute a value further times. The mean of two equal numbers is that number, so the answer is the same for any number of
 * times; the time is that of codes with more physics. */
static inline double app_settle(double value, int64_t times)
{
    double settled = value;
    for (int64_t t = 1; t < times; t++)
        settled = 0.5 * (settled + value);
    return settled;
}

/** A number for bits in a place: sums of them do not depend on the order of addition. */
uint64_t app_hash(uint64_t bits, uint64_t place);

/** The time that the sum of all ranks' speeds would need for the work of all, over the real time. Collective.
 * @param[in] speed  of this rank alone, work a second */
double app_efficiency(MPI_Comm comm, double speed, double work, double seconds);

/** What every program prints of a run. */
typedef struct app_result {
    double seconds;
    int64_t iterations;
    int verified;
    uint64_t checksum;
    int64_t moves, moved_bytes; /* by the library */
    double efficiency;
} app_result;

/** Print the result on rank 0, as the first members of a JSON object or a line; app_print_end() ends both. */
void app_print_result(MPI_Comm comm, const app_result *result, int json);

/** Print a number of each rank. Collective. */
void app_print_counts(MPI_Comm comm, const char *name, int64_t mine, int json);

void app_print_end(MPI_Comm comm, int json);

/** Finalize MPI. @return the program's exit status: code, or 1 with a line on stderr where the output could not be written */
int app_end(int code);

#endif
