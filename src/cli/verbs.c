/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/verbs.h"
#include "config.h"
#include <string.h>

const cli_verb cli_verbs[] = {
    {"show", "show a platform file: hosts, links, a route, a drawing",
     "hs show PLATFORM [--all | --route A B | --flows A:B,C:D,...] [--json] | [--ring PLAN.json] [--dot FILE] "
     "[--svg FILE]",
     cli_show},
    {"generate", "write a random platform file of three levels (LAN, MAN, WAN)",
     "hs generate --hosts N --routers N --links N [--seed S] [-o FILE]", cli_generate},
    {"ring", "plan a ring: which hosts, in which order, over which paths, with which slices",
     "hs ring PLATFORM --work W --halo H [--data BYTES] [--routes fixed|free] [--share greedy|maxmin|optimal|kinsol] "
     "[--search paper|best] [--order HOST,HOST,...] [--overlap] [--latency] [--units N [--minimum N] [--held PLAN]] "
     "[--budget N] [--simulate STEPS] [--all | --json]",
     cli_ring},
    {"columns", "divide a square matrix into rectangles for hosts of unequal speed",
     "hs columns PLATFORM [--data BYTES] | --speeds S1,S2,... | --speeds-file FILE [--objective sum|max] "
     "[--method columns|recursive] "
     "[--blocks N [--tolerance F]] [--svg FILE] [--all | --json]",
     cli_columns},
    {"grid", "arrange hosts of unequal speed on a grid: positions, heights of rows, widths of columns",
     "hs grid PLATFORM | --speeds S1,S2,... | --speeds-file FILE --shape RxC [--blocks N] [--svg FILE] [--all | "
     "--json]",
     cli_grid},
    {"rebalance", "resize a layout of columns, moving as few blocks as possible",
     "hs rebalance LAYOUT.json [--speeds S1,S2,... | --speeds-file FILE] [--tolerance F] [--row-cost R] "
     "[--model constant|owners] [--method exact|greedy|slides] [--svg FILE] [--all | --json]",
     cli_rebalance},
    {"cache", "list, show or remove the measurements that hs run keeps", "hs cache list|show|clear [NAME] [--json]",
     cli_cache},
    {"completion", "print completion of hs for a shell", "hs completion bash|zsh", cli_completion},
    {"env", "list the HS_ environment variables", "hs env [--json]", cli_env},
    {"lab", "emulate a cluster on this machine", "hs lab up|down|status|run|exec|speed|link ...", cli_lab},
#ifdef HAVE_MPI
    {"probe", "measure the hosts and links of a cluster, under mpirun",
     "mpirun ... hs probe -o PLATFORM [--kernel stencil|dgemm|stream] [--budget TIME] "
     "[--readings FILE] [--all | --json | --check]",
     cli_probe},
#endif
    {"run", "place ranks by the hosts' speeds, order them by the network, start the program and print a report",
     "hs run [-n N] [--platform FILE | --measure | --max-age TIME] [--hostfile FILE | --lab NAME] [--memory SIZE] "
     "[--halo TIME] "
     "[--mpirun OPTIONS] [--keep] [--dry-run [--all | --json]] -- PROGRAM [ARGUMENTS]",
     cli_run},
    {"report", "make one HTML page of what a run's report says, and what changed since older ones",
     "hs report RUN.json [OLDER.json ...] -o FILE.html [--platform FILE] [--decisions FILE]", cli_report},
    {"scatter", "distribute independent items over hosts: how many each, in which order",
     "hs scatter PLATFORM --item-work W --item-bytes B [--root HOST] | --cycle-times w1,... --comm c1,... --load N "
     "[--results D] [--integer] "
     "[--order best|given|fifo|lifo|sport|exact] [--collect h1,...] [--master one-port|duplex] [--latency l1,...] "
     "[--startup s1,...] [--rounds R] [--choose-master] [--gantt FILE.svg] [--all | --json]",
     cli_scatter},
    {"reduce", "schedule a reduction over hosts with unequal send times",
     "hs reduce PLATFORM --bytes SIZE | --times t1,t2,... [--method snf|paper|optimal] [--budget N] [--gantt FILE.svg] "
     "[--all | --json]",
     cli_reduce},
    {"weights", "compute each rank's share of a domain, for tools that partition it before the run",
     "hs weights PLATFORM --ranks N [--format plain|openfoam|metis|scotch|petsc|zoltan | --json]", cli_weights},
    {"replay", "decide a recorded run again, by its own rule and others, here or elsewhere",
     "hs replay FILE [--threshold F] [--cost F] [--platform FILE] [--json]", cli_replay},
    {NULL, NULL, NULL, NULL},
};

const cli_verb *cli_find_verb(const cli_verb *verbs, const char *name)
{
    for (const cli_verb *verb = verbs; verb->name; verb++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

const cli_page *cli_other_page(const cli_page *page)
{
    while (page->name && (cli_find_verb(cli_verbs, page->name) || strcmp(page->name, "hs") == 0))
        page++;
    return page->name ? page : NULL;
}
