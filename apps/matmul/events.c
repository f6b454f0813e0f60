/* SPDX-License-Identifier: BSD-3-Clause */
/* What happens in mid-run to try the program: commands, and cuts for other speeds. */
#include "config.h"

#include "matmul.h"
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void matmul_events(const matmul_options *o, MPI_Comm comm, int64_t step)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int e = 0; e < o->event_count && rank == 0; e++) {
        if (o->events[e].step != step)
            continue;
        pid_t child;
        char *arguments[] = {"sh", "-c", (char *)o->events[e].text, NULL};
        if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) != 0)
            fprintf(stderr, "hs-matmul: cannot run '%s'\n", o->events[e].text);
    }
}

/* Speeds of as many ranks as are given; the others have the last one's. */
static void read_speeds(const char *text, double *speed, int ranks)
{
    for (int r = 0; r < ranks; r++) {
        char *end;
        speed[r] = strtod(text, &end);
        text = *end == ',' ? end + 1 : text;
    }
}

hs_status matmul_cut(const matmul_options *o, hs_blocks *layout, int ranks, int64_t step)
{
    hs_status status = HS_UNCHANGED;
    for (int c = 0; c < o->cut_count && status >= 0; c++) {
        if (o->cuts[c].step != step)
            continue;
        double *speed = malloc((size_t)ranks * sizeof *speed);
        if (!speed)
            MPI_Abort(MPI_COMM_WORLD, 1);
        read_speeds(o->cuts[c].text, speed, ranks);
        hs_status now = hs_blocks_rebalance(layout, speed);
        status = now == HS_UNCHANGED ? status : now;
        free(speed);
    }
    return status;
}
