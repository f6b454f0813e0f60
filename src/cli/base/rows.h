/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_ROWS_H
#define HS_CLI_BASE_ROWS_H

#include <stdio.h>

/* Long tables for people: of more than CLI_ROWS rows only the few that matter most are printed, unless --all is given. */

enum { CLI_ROWS = 40, CLI_FIRST = 10 };

/** The rows of a table that are printed. */
typedef struct cli_rows {
    int n;                /* rows in all */
    int shown;            /* rows printed */
    int first[CLI_FIRST]; /* [shown] their numbers, when they are not all */
} cli_rows;

/** Choose the rows: all of them, or the CLI_FIRST with the largest values; of equal values the lower number.
 * @param[in] most   up to so many rows are all printed
 * @param[in] value  of row i */
cli_rows cli_choose_rows(int n, int most, int all, double (*value)(const void *context, int i), const void *context);

/** Whether row i is printed. */
int cli_shows_row(const cli_rows *rows, int i);

/** Print how many rows are not: "... and 190 hosts that take no longer (--all: every row)"; nothing when all are.
 * @param[in] others  what they are, such as "hosts that take no longer" */
void cli_print_rest(const cli_rows *rows, const char *others);

/** Print the hosts i < n whose is_used[i] is 0, and end the line: "a1, b3 and 12 more".
 * @param[in] all  name them all, and not only ten
 * @param[in] put  prints the name of host i, and the reason where it is not the plan */
void cli_print_unused(FILE *out, const char *is_used, int n, int all,
                      void (*put)(FILE *out, const void *context, int i), const void *context);

/** Print which of n hosts have nothing to do, after an empty line: "left out: a1, b3 and 12 more"; nothing when all have.
 * @param[in] used  how many have
 * @param[in] host  the k-th of these, k < used, in any order
 * @param[in] all, put  as of cli_print_unused()
 * @param[in] context  of host and put */
void cli_print_left_out(int n, int used, int (*host)(const void *context, int k), int all,
                        void (*put)(FILE *out, const void *context, int i), const void *context);

#endif
