/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_ARGUMENTS_H
#define HS_APPS_ARGUMENTS_H

/* Command lines of MPI programs, read alike on all ranks; rank 0 tells what is wrong. Functions that read a value
 * return -1 to go on, or the exit status to end with. */

#include <heteroslice/hs_runtime.h>
#include <mpi.h>
#include <stdint.h>

/* A program, to its user. */
typedef struct arguments {
    const char *program;
    const char *const *usage; /* ways to call it, without its name; NULL ends them */
} arguments;

/* What is to happen at a step. */
enum { EVENTS_MOST = 8 };
typedef struct event_list {
    struct event {
        int64_t step;
        const char *text; /* lent by the command line */
    } event[EVENTS_MOST];
    int count;
} event_list;

/** The program by the last part of its path. */
arguments arguments_of(const char *path, const char *const *usage);

int arguments_rank0(void);

/** Tell how the program is called, as an answer (code 0) or as an error. Returns code. */
int arguments_usage(const arguments *a, int code);

/** Tell that an option's value is not what was expected, and how the program is called. Returns 2. */
int arguments_refuse(const arguments *a, const char *option, const char *value, const char *expected);

int arguments_count(const arguments *a, const char *option, const char *text, int64_t least, int64_t most,
                    int64_t *value);
int arguments_int(const arguments *a, const char *option, const char *text, int least, int most, int *value);

/** One of some words, which NULL ends: its index. */
int arguments_word(const arguments *a, const char *option, const char *text, const char *const *words, int *value);

int arguments_balance(const arguments *a, const char *text, hs_balance_mode *mode);

/** STEP:WHAT, one more for the list. Cuts the text at the colon. */
int arguments_event(const arguments *a, const char *option, char *text, event_list *list);

/** On rank 0: start the list's commands that are due at this step, without waiting for them. */
void events_run(const event_list *commands, MPI_Comm comm, int64_t step);

#endif
