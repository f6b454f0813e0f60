/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary for people: one line for each host, then the efficiency of the run. */
#include "config.h"

#include "runtime/report/report.h"
#include "util/array.h"
#include "util/assert.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HOSTS = 16 };

typedef struct host_row {
    const char *name;
    int ranks;
    cpu_set_t bound;
    double quota; /* of all its ranks */
    double speed, work, compute, wait;
} host_row;

/* By host, in the order of their first ranks. */
static int sum_up(const hs__rank_report *ranks, int n, host_row *rows)
{
    int hosts = 0;
    for (int r = 0; r < n; r++) {
        int h = 0;
        while (h < hosts && strcmp(rows[h].name, ranks[r].host) != 0)
            h++;
        if (h == hosts)
            rows[hosts++] = (host_row){.name = ranks[r].host, .quota = ranks[r].quota};
        rows[h].ranks++;
        CPU_OR(&rows[h].bound, &rows[h].bound, &ranks[r].bound);
        rows[h].speed += ranks[r].speed;
        rows[h].work += ranks[r].compute * (ranks[r].speed > 0 ? ranks[r].speed : 1);
        rows[h].compute += ranks[r].compute;
        rows[h].wait += ranks[r].wait;
    }
    return hosts;
}

/* Whether all ranks are on these hosts, and what they computed is there. */
static int adds_up(const host_row *rows, int hosts, int n, const hs__efficiency *e)
{
    int ranks = 0;
    double compute = 0;
    for (int h = 0; h < hosts; h++) {
        ranks += rows[h].ranks;
        compute += rows[h].compute;
    }
    return ranks == n && fabs(compute - n * e->mean) <= 1e-9 * compute;
}

static const char *seconds(double value, char *text, size_t size)
{
    return hs_quantity_format(value, HS_UNIT_TIME, text, size);
}

static void print_hosts(FILE *out, const host_row *rows, int hosts)
{
    double work = 0;
    char speed[32], compute[32], wait[32];
    int width = 4;
    for (int h = 0; h < hosts; h++) {
        work += rows[h].work;
        width = (int)strlen(rows[h].name) > width ? (int)strlen(rows[h].name) : width;
    }
    fprintf(out, "heteroslice: %-*s %5s %6s %10s %6s %10s %10s\n", width, "host", "ranks", "cpus", "speed", "share",
            "compute", "wait");
    for (int h = 0; h < hosts && h < MOST_HOSTS; h++) {
        const host_row *row = &rows[h];
        fprintf(out, "heteroslice: %-*s %5d %6.3g %10s %4.1f %% %10s %10s\n", width, row->name, row->ranks,
                fmin(CPU_COUNT(&row->bound), row->quota),
                row->speed > 0 ? hs_quantity_format(row->speed, HS_UNIT_SPEED, speed, sizeof speed) : "-",
                work > 0 ? 100 * row->work / work : 0, seconds(row->compute / row->ranks, compute, sizeof compute),
                seconds(row->wait / row->ranks, wait, sizeof wait));
    }
    if (hosts > MOST_HOSTS)
        fprintf(out, "heteroslice: ... and %d hosts more\n", hosts - MOST_HOSTS);
}

static void print_all(FILE *out, const hs__rank_report *ranks, int n, host_row *rows, const hs__efficiency *e)
{
    char run[32], iteration[32], balanced[32];
    int hosts = sum_up(ranks, n, rows), drifted = 0;
    for (int r = 0; r < n; r++)
        drifted += ranks[r].drifts > 0;
    HS_ASSERT(adds_up(rows, hosts, n, e));
    fprintf(out, "heteroslice: %d rank%s on %d host%s, %s", n, n > 1 ? "s" : "", hosts, hosts > 1 ? "s" : "",
            seconds(e->run, run, sizeof run));
    if (ranks[0].iterations > 0)
        fprintf(out, ", %lld iterations of %s", (long long)ranks[0].iterations,
                seconds(ranks[0].iteration, iteration, sizeof iteration));
    if (drifted > 0)
        fprintf(out, ", %d rank%s changed speed", drifted, drifted > 1 ? "s" : "");
    fputc('\n', out);
    print_hosts(out, rows, hosts);
    fprintf(
        out,
        "heteroslice: parallel efficiency %.0f %% = load balance %.0f %% x communication %.0f %%; %.0f %% of the time "
        "lost to imbalance; balanced it would take %s\n",
        100 * e->parallel, 100 * e->load_balance, 100 * e->communication, 100 * e->lost,
        seconds(e->balanced, balanced, sizeof balanced));
}

/* Written at once: other ranks and tools speak at this moment as well. */
void hs__report_print(FILE *out, const hs__rank_report *ranks, int n, const hs__efficiency *e)
{
    char *text = NULL;
    size_t size;
    host_row *rows = hs__array_new((size_t)n, sizeof *rows);
    FILE *memory = rows ? open_memstream(&text, &size) : NULL;
    if (memory) {
        print_all(memory, ranks, n, rows, e);
        if (fclose(memory) == 0)
            fputs(text, out);
    }
    free(text);
    free(rows);
}
