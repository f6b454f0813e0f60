/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_INTERPOSE_CALLS_H
#define HS_TESTS_INTERPOSE_CALLS_H

/* A program without the library, in C that is also C++. Every call is made through CALL, which counts it. Results and
 * received data go into a running sum that is printed, so that two runs can be compared. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern long calls_made;
extern unsigned long calls_sum;
extern int calls_rank, calls_size;

#define CALL(function, ...) calls_note(#function, (calls_made++, function(__VA_ARGS__)))

/** Mix the code a call returned, as a class, into the sum; returns the code. */
int calls_note(const char *what, int code);

/** Mix in a value. */
void calls_mix(long value);

/** Mix in n integers. */
void calls_mix_all(const int *value, int n);

/** Mix in some integers. */
#define MIX(...)                                                               \
    do {                                                                       \
        const int calls_values[] = {__VA_ARGS__};                              \
        calls_mix_all(calls_values, (int)(sizeof calls_values / sizeof(int))); \
    } while (0)

/** Mix in what a status says: source, tag, count of integers. */
void calls_mix_status(const MPI_Status *status);

/** Print the sum and begin a new one. */
void calls_section(const char *name);

void calls_point_to_point(void);
void calls_requests(void);
void calls_collectives(void);
void calls_neighbours(void);
void calls_communicators(void);
void calls_handlers(void);
void calls_one_sided(void);
void calls_files(void);

#endif
