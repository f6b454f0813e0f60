/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_ARGUMENTS_H
#define HS_APPS_ARGUMENTS_H

/* Command lines of MPI programs, parsed by all ranks; rank 0 prints errors. Functions that read a value return -1 to go
 * on, or the exit status to end with. */

#include <getopt.h>
#include <heteroslice/hs_runtime.h>
#include <mpi.h>
#include <stdint.h>

/* Name and usage of a program. */
typedef struct arguments {
    const char *program;
    const char *const *usage; /* ways to call it, without its name; NULL ends them */
} arguments;

/* Events at given steps. */
enum { MAX_EVENTS = 8 };
typedef struct event_list {
    struct event {
        int64_t step;
        const char *text; /* points into the command line */
    } event[MAX_EVENTS];
    int count;
} event_list;

/* What every iterative program takes. */
typedef struct run_options {
    int64_t iterations; /* -1: not given */
    int64_t intensity;  /* so many times the work of an element, with the same result */
    int own_steps;      /* neither of them is an option: the problem knows its steps */
    int json;
    hs_params params;    /* of the library: the mode and the steps; the program adds what it knows */
    event_list commands; /* shell commands, run at the start of an iteration */
} run_options;

/** Set the program's name to the last part of its path. */
arguments arguments_of(const char *path, const char *const *usage);

int arguments_rank0(void);

/** Store the value of one option, by its letter in the table of options. */
typedef int (*arguments_take)(const arguments *a, int option, char *value, void *target);

/** Parse a command line by a table, whose letter 'h' is for help. Other arguments than options are refused.
 * @param[out] run  --iterations, --intensity, --balance, --at, --json and --help, whose letters are k i b a j h, need no
 *                  rows in the table then; run->own_steps is read. NULL: the program has its own */
int arguments_read(const arguments *a, int argc, char **argv, const struct option *table, arguments_take take,
                   void *target, run_options *run);

/** Print what is wrong with the options together, and the usage. Returns 2. */
int arguments_contradict(const arguments *a, const char *what);

/** Print the usage, on stdout for code 0, else on stderr. Returns code. */
int arguments_usage(const arguments *a, int code);

/** Print that an option's value is not the expected one, and the usage. Returns 2. */
int arguments_refuse(const arguments *a, const char *option, const char *value, const char *expected);

int arguments_count(const arguments *a, const char *option, const char *text, int64_t least, int64_t most,
                    int64_t *value);
int arguments_int(const arguments *a, const char *option, const char *text, int least, int most, int *value);

/** Read one of several words (NULL-terminated) as its index. */
int arguments_word(const arguments *a, const char *option, const char *text, const char *const *words, int *value);

int arguments_balance(const arguments *a, const char *text, hs_balance_mode *mode);

/** Add STEP:WHAT to the list. Splits the text at the colon. */
int arguments_event(const arguments *a, const char *option, char *text, event_list *list);

/** On rank 0: start the commands of this step, without waiting for them. */
void events_run(const event_list *commands, MPI_Comm comm, int64_t step);

#endif
