/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/rows.h"
#include "util/array.h"
#include "util/assert.h"
#include <stdio.h>
#include <stdlib.h>

/* Row i into its place among the first ones, if it has one: the largest value stands first. */
static void insert(cli_rows *rows, int i, double (*value)(const void *context, int i), const void *context)
{
    int k = rows->shown;
    while (k > 0 && value(context, i) > value(context, rows->first[k - 1]))
        k--;
    if (k == CLI_FIRST)
        return;
    rows->shown += rows->shown < CLI_FIRST;
    for (int later = rows->shown - 1; later > k; later--)
        rows->first[later] = rows->first[later - 1];
    rows->first[k] = i;
}

cli_rows cli_choose_rows(int n, int most, int all, double (*value)(const void *context, int i), const void *context)
{
    HS_ASSERT(n >= 0 && most >= CLI_FIRST);
    cli_rows rows = {.n = n, .shown = all || n <= most ? n : 0};
    for (int i = 0; i < n && rows.shown < n; i++)
        insert(&rows, i, value, context);
    return rows;
}

int cli_shows_row(const cli_rows *rows, int i)
{
    for (int k = 0; k < rows->shown && rows->shown < rows->n; k++)
        if (rows->first[k] == i)
            return 1;
    return rows->shown == rows->n;
}

void cli_print_rest(const cli_rows *rows, const char *others)
{
    if (rows->shown < rows->n)
        printf("... and %d %s (--all: every row)\n", rows->n - rows->shown, others);
}

void cli_print_unused(FILE *out, const char *is_used, int n, int all,
                      void (*put)(FILE *out, const void *context, int i), const void *context)
{
    int unused = 0, named = 0;
    for (int i = 0; i < n; i++) {
        if (is_used[i])
            continue;
        if (all || unused < CLI_FIRST) {
            fputs(named++ ? ", " : "", out);
            put(out, context, i);
        }
        unused++;
    }
    HS_ASSERT(named <= unused);
    fprintf(out, unused > named ? " and %d more\n" : "\n", unused - named);
}

void cli_print_left_out(int n, int used, int (*host)(const void *context, int k), int all,
                        void (*put)(FILE *out, const void *context, int i), const void *context)
{
    char *is_used = n > used ? hs__array_new((size_t)n, 1) : NULL;
    if (!is_used)
        return;
    for (int k = 0; k < used; k++)
        is_used[host(context, k)] = 1;
    printf("\nleft out: ");
    cli_print_unused(stdout, is_used, n, all, put, context);
    free(is_used);
}
