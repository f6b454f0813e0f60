/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary for people: ten lines. A row has the means of a host's ranks, and its columns add up to the wall time. */
#include "config.h"

#include "runtime/report/report.h"
#include "util/advice.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/letters.h"
#include "util/options.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 5, COLUMNS = 5 };
static const char *const column_names[COLUMNS] = {"start-up", "compute", "transfer", "wait", "library"};

/** The ranks of a host, or of several: sums. */
typedef struct host_row {
    const char *name;
    int ranks;
    hs__processors bound;
    double quota; /* of all its ranks */
    double speed, work, queue;
    double seconds[COLUMNS];
} host_row;

/* rate: work a second */
static void add_rank(host_row *row, const hs__rank_report *r, double rate)
{
    const double seconds[COLUMNS] = {r->startup, r->compute, r->transfer, r->wait, r->library};
    row->ranks++;
    hs__processors_add(&row->bound, &r->bound);
    row->speed += r->speed;
    row->work += r->compute * rate;
    row->queue += r->queue;
    for (int c = 0; c < COLUMNS; c++)
        row->seconds[c] += seconds[c];
}

/* By host, in the order of their first ranks. */
static int sum_up(const hs__rank_report *ranks, int n, host_row *rows)
{
    int hosts = 0, known = 1;
    for (int r = 0; r < n; r++)
        known &= ranks[r].speed > 0;
    for (int r = 0; r < n; r++) {
        int h = 0;
        while (h < hosts && strcmp(rows[h].name, ranks[r].host) != 0)
            h++;
        if (h == hosts)
            rows[hosts++] = (host_row){.name = ranks[r].host, .quota = ranks[r].quota};
        add_rank(&rows[h], &ranks[r], known ? ranks[r].speed : 1);
    }
    return hosts;
}

static void merge(host_row *to, const host_row *from)
{
    to->ranks += from->ranks;
    to->speed += from->speed;
    to->work += from->work;
    to->queue += from->queue;
    for (int c = 0; c < COLUMNS; c++)
        to->seconds[c] += from->seconds[c];
}

/* Whether all ranks are on these hosts, and what they computed is there. */
static int adds_up(const host_row *all, int n, const hs__efficiency *e)
{
    return all->ranks == n && fabs(all->seconds[1] - n * e->mean) <= 1e-9 * all->seconds[1];
}

static const char *seconds(double value, char *text, size_t size)
{
    return hs_quantity_format(value, HS_UNIT_TIME, text, size);
}

/* Decimals that leave four digits of a time, or six of a short one. */
static int decimals_of(double wall)
{
    return wall < 0.01 ? 6 : wall < 1 ? 5 : wall < 10 ? 3 : wall < 1000 ? 2 : 0;
}

/* Print numbers and their sum so that what is printed adds up: the largest takes what rounding leaves. */
static void print_sum(FILE *out, const double *value, int decimals, const char *unit)
{
    double step = pow(10, -decimals), sum = 0, rounded[COLUMNS], left;
    int largest = 0;
    for (int c = 0; c < COLUMNS; c++) {
        rounded[c] = round(value[c] / step);
        sum += value[c];
        largest = value[c] > value[largest] ? c : largest;
    }
    left = round(sum / step);
    for (int c = 0; c < COLUMNS; c++)
        left -= rounded[c];
    HS_ASSERT(fabs(left) <= COLUMNS);
    rounded[largest] += left;
    for (int c = 0; c < COLUMNS; c++)
        fprintf(out, " %9.*f", decimals, fabs(rounded[c] * step));
    fprintf(out, " %9.*f%s\n", decimals, round(sum / step) * step, unit);
}

static void print_row(FILE *out, const host_row *row, const char *name, int width, double work, int decimals)
{
    char speed[32], cpus[32] = "";
    double mean[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        mean[c] = row->seconds[c] / row->ranks;
    if (row->quota > 0)
        snprintf(cpus, sizeof cpus, "%.3g", fmin(hs__processors_count(&row->bound), row->quota));
    fprintf(out, "heteroslice: %-*s %5d %5s %9s %5.1f %%", hs__field(width, name), name, row->ranks, cpus,
            row->speed > 0 ? hs_quantity_format(row->speed, HS_UNIT_SPEED, speed, sizeof speed) : "-",
            work > 0 ? 100 * row->work / work : 0);
    print_sum(out, mean, decimals, "");
}

static int by_compute(const void *x, const void *y)
{
    const host_row *a = x, *b = y;
    double left = a->seconds[1] / a->ranks, right = b->seconds[1] / b->ranks;
    return left != right ? (left < right ? 1 : -1) : strcmp(a->name, b->name);
}

/* Every host, or of many the two that compute longest, the two that compute least, and the others together. */
static void print_hosts(FILE *out, host_row *rows, int hosts, const host_row *all, int decimals)
{
    char name[32] = "host";
    host_row others = {.ranks = 0};
    int few = hosts <= MOST_ROWS, width = 4, ends = (MOST_ROWS - 1) / 2;
    snprintf(name, sizeof name, "%d others", hosts - 2 * ends);
    if (!few)
        qsort(rows, (size_t)hosts, sizeof *rows, by_compute);
    for (int h = 0; h < hosts; h++) {
        int shown = few || h < ends || h >= hosts - ends;
        width = hs__column_with(width, shown ? rows[h].name : name);
        if (!shown)
            merge(&others, &rows[h]);
    }
    fprintf(out, "heteroslice: %-*s ranks  cpus     speed   share", width, "host");
    for (int c = 0; c < COLUMNS; c++)
        fprintf(out, " %9s", column_names[c]);
    fprintf(out, " %9s\n", "= wall, s");
    for (int h = 0; h < hosts; h++) {
        if (few || h < ends || h >= hosts - ends)
            print_row(out, &rows[h], rows[h].name, width, all->work, decimals);
        else if (h == ends)
            print_row(out, &others, name, width, all->work, decimals);
    }
    print_row(out, all, "all", width, all->work, decimals);
    double wall = 0, percent[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        wall += all->seconds[c];
    for (int c = 0; c < COLUMNS; c++)
        percent[c] = wall > 0 ? 100 * all->seconds[c] / wall : 0;
    if (wall > 0) {
        fprintf(out, "heteroslice: %-*s %5s %5s %9s %7s", width, "", "", "", "", "");
        print_sum(out, percent, 1, " %");
    }
}

/* Ranks that share cores wait for them: that is no work, and no imbalance of it. */
static void print_queue(FILE *out, const host_row *rows, int hosts, double run)
{
    const host_row *worst = rows;
    char text[32];
    for (int h = 1; h < hosts; h++)
        if (rows[h].queue / rows[h].ranks > worst->queue / worst->ranks)
            worst = &rows[h];
    double queue = worst->queue / worst->ranks;
    if (run > 0 && queue > 0.02 * run)
        fprintf(out,
                "heteroslice: ranks of %s were ready but had no core for %s (%.0f %%), which counts as what they were "
                "in: its processes share cores\n",
                worst->name, seconds(queue, text, sizeof text), 100 * queue / run);
}

/* The sentence's end; the page of hs report says more. */
static void print_advice(FILE *out, const hs__run_facts *facts)
{
    static const char *const text[] = {
        [HS__ADVISE_FEWER_RANKS] = "; do this: fewer ranks where cores are shared, or: ",
        [HS__ADVISE_NOTHING] = "; nothing to do",
        [HS__ADVISE_DECISIONS] = "; do this, to see why no more was moved: ",
        [HS__ADVISE_PARTS] = "; do this: parts by speed (hs_balance, hs_counts, hs weights)",
        [HS__ADVISE_FEWER_MESSAGES] = "; do this: fewer and larger messages, or computing meanwhile",
        [HS__ADVISE_BALANCING] = "; do this: ",
        [HS__ADVISE_MORE_ON_FASTER] = "; do this: ",
        [HS__ADVISE_REORDERING] = "; do this: "};
    hs__advice advice = hs__advice_choose(facts);
    char command[HS__ADVICE_SIZE];
    fputs(text[advice], out);
    if (hs__advice_command(facts, command)[0])
        fprintf(out, "%s PROGRAM", command);
    else if (advice == HS__ADVISE_DECISIONS)
        fputs("hs report", out);
    fputc('\n', out);
}

static hs__run_facts find_facts(const hs__rank_report *ranks, int n, const host_row *rows, int hosts,
                                const hs__efficiency *e)
{
    hs__run_facts facts = {.ranks = n,
                           .hosts = hosts,
                           .logs_decisions = hs__options_environment("HS_LOG_DECISIONS") != NULL,
                           .balance = hs__options_environment("HS_BALANCE"),
                           .platform = hs__options_environment("HS_PLATFORM"),
                           .reorder = hs__options_environment("HS_REORDER"),
                           .lab = hs__options_environment("HS_LAB"),
                           .run_hosts = hs__options_environment("HS_RUN_HOSTS")};
    for (int r = 0; r < n; r++)
        facts.calls_balance |= ranks[r].decisions > 0;
    for (int h = 0; h < hosts; h++)
        hs__advice_add_host(&facts, rows[h].ranks, rows[h].queue, e->run);
    HS_ASSERT(facts.queue <= 1 + 1e-9); /* a part of the run, as hs__report_check() has it */
    return facts;
}

static void print_all(FILE *out, const hs__rank_report *ranks, int n, host_row *rows, const hs__efficiency *e)
{
    char run[32], iteration[32], balanced[32];
    int hosts = sum_up(ranks, n, rows), drifted = 0;
    double wall = 0;
    host_row all = {.ranks = 0};
    for (int h = 0; h < hosts; h++)
        merge(&all, &rows[h]);
    for (int r = 0; r < n; r++) {
        drifted += ranks[r].drifts > 0;
        wall = fmax(wall, ranks[r].startup + ranks[r].run);
    }
    HS_ASSERT(adds_up(&all, n, e) && e->run <= wall);
    hs__run_facts facts = find_facts(ranks, n, rows, hosts, e);
    facts.lost = wall > 0 ? e->lost * e->run / wall : 0;
    facts.communicating = wall > 0 ? (1 - e->communication) * e->run / wall : 0;
    fprintf(out, "heteroslice: %d rank%s on %d host%s, %s", n, n > 1 ? "s" : "", hosts, hosts > 1 ? "s" : "",
            seconds(wall, run, sizeof run));
    if (ranks[0].iterations > 0)
        fprintf(out, ", %lld iterations of %s", (long long)ranks[0].iterations,
                seconds(ranks[0].iteration, iteration, sizeof iteration));
    if (drifted > 0)
        fprintf(out, ", %d rank%s changed speed", drifted, drifted > 1 ? "s" : "");
    fputc('\n', out);
    print_queue(out, rows, hosts, e->run);
    print_hosts(out, rows, hosts, &all, decimals_of(wall));
    fprintf(
        out,
        "heteroslice: parallel efficiency %.0f %% = load balance %.0f %% x communication %.0f %%; %.0f %% of the time "
        "lost to imbalance; balanced it would take %s",
        100 * e->parallel, 100 * e->load_balance, 100 * e->communication, 100 * facts.lost,
        seconds(e->balanced + wall - e->run, balanced, sizeof balanced));
    print_advice(out, &facts);
}

void hs__report_print(FILE *out, const hs__rank_report *ranks, int n, const hs__efficiency *e)
{
    host_row *rows = hs__array_new((size_t)n, sizeof *rows);
    if (rows)
        print_all(out, ranks, n, rows, e);
    free(rows);
}
