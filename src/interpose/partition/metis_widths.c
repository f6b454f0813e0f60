/* SPDX-License-Identifier: BSD-3-Clause */
/* METIS is built with integers and reals of 32 or 64 bits each, and the library does not say with which. Two calls show it:
 * METIS_SetDefaultOptions() writes 40 integers, and a path of eight vertices is cut by targets that are sound numbers in both
 * widths of reals, but not the same ones. */
#include "interpose/partition/metis_widths.h"
#include "interpose/partition/integers.h"
#include "util/assert.h"
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { OPTIONS = 40, VERTICES = 8, KNOWN = 8, METIS_OK = 1 };

/* What was found, by the address of METIS_SetDefaultOptions. */
static struct {
    pthread_mutex_t lock;
    hs__foreign_function library[KNOWN];
    hs__metis_widths widths[KNOWN];
    int count;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int try_index(hs__foreign_function set_options)
{
    unsigned char options[(OPTIONS + 1) * sizeof(int64_t)];
    const size_t narrow = OPTIONS * sizeof(int32_t), wide = OPTIONS * sizeof(int64_t);
    memset(options, 0x55, sizeof options);
    ((int (*)(void *))set_options)(options);
    if (options[wide] != 0x55 || options[narrow - 1] == 0x55)
        return 0;
    return options[narrow] == 0x55 ? 4 : options[wide - 1] != 0x55 ? 8 : 0;
}

typedef int part_graph(void *n, void *ncon, void *xadj, void *adjncy, void *vwgt, void *vsize, void *adjwgt,
                       void *nparts, void *tpwgts, void *ubvec, void *options, void *objval, void *part);

static void make_path(int wide, int64_t *start, int64_t *to)
{
    int edges = 0;
    for (int v = 0; v < VERTICES; v++) {
        hs__integer_set(start, wide, v, edges);
        if (v > 0)
            hs__integer_set(to, wide, edges++, v - 1);
        if (v < VERTICES - 1)
            hs__integer_set(to, wide, edges++, v + 1);
    }
    hs__integer_set(start, wide, VERTICES, edges);
    HS_ASSERT(edges == 2 * (VERTICES - 1));
}

/* As floats the targets begin with two halves. As doubles they are 0.00003 and the rest. */
static int try_real(part_graph *cut, int wide)
{
    union {
        float narrow[4];
        double wide[2];
    } targets = {.narrow = {0.5f, 0.5f}};
    int64_t n = 0, one = 0, two = 0, cut_edges, start[VERTICES + 1], to[2 * VERTICES], part[VERTICES];
    int first = 0;
    targets.wide[1] = 1 - targets.wide[0];
    hs__integer_set(&n, wide, 0, VERTICES);
    hs__integer_set(&one, wide, 0, 1);
    hs__integer_set(&two, wide, 0, 2);
    make_path(wide, start, to);
    if (cut(&n, &one, start, to, NULL, NULL, NULL, &two, &targets, NULL, NULL, &cut_edges, part) != METIS_OK)
        return 0;
    for (int v = 0; v < VERTICES; v++)
        first += hs__integer_get(part, wide, v) == 0;
    return first <= 1 ? 8 : first == VERTICES / 2 ? 4 : 0;
}

static hs__metis_widths try_both(hs__foreign_function set_options)
{
    hs__metis_widths found = {try_index(set_options), 0};
    part_graph *cut = (part_graph *)hs__partitioner_beside("METIS_PartGraphRecursive", set_options);
    if (found.index && cut)
        found.real = try_real(cut, found.index == 8);
    return found;
}

hs__metis_widths hs__metis_widths_find(hs__foreign_function function)
{
    hs__foreign_function set_options = hs__partitioner_beside("METIS_SetDefaultOptions", function);
    hs__metis_widths found = {0};
    int k = 0;
    if (!set_options)
        return found;
    pthread_mutex_lock(&self.lock);
    while (k < self.count && self.library[k] != set_options)
        k++;
    found = k < self.count ? self.widths[k] : try_both(set_options);
    if (k == self.count && k < KNOWN) {
        self.library[k] = set_options;
        self.widths[k] = found;
        self.count++;
    }
    pthread_mutex_unlock(&self.lock);
    return found;
}
