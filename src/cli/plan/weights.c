/* SPDX-License-Identifier: BSD-3-Clause */
/* hs weights: how much of a domain each rank should get, in the form that partitioners take before a run. */
#include "cli/base/cli.h"
#include "cli/base/rows.h"
#include "cli/base/verbs.h"
#include "util/array.h"
#include "util/assert.h"
#include <heteroslice/hs_platform.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCOTCH_TOTAL = 1000000 }; /* Scotch takes integers: what the loads add up to, but for rounding */

/** The ranks of a job, with the host that each runs on. */
typedef struct weights {
    const hs_platform *platform;
    int ranks;
    int *host;      /* [ranks] node of the platform; owned */
    double *weight; /* [ranks] adds up to 1; owned */
} weights;

/* Fills the cores of the hosts in the file's order, as launchers fill slots, and begins again when all are taken.
 * @return the number of cores; 0 when no host computes */
static int64_t assign_hosts(weights *w)
{
    int64_t cores = 0;
    int hosts = hs_platform_hosts(w->platform);
    for (int v = 0; v < hosts; v++)
        cores += hs_platform_host_speed(w->platform, v) > 0 ? hs_platform_host_cores(w->platform, v) : 0;
    for (int rank = 0; cores > 0 && rank < w->ranks;)
        for (int v = 0; v < hosts; v++)
            if (hs_platform_host_speed(w->platform, v) > 0)
                for (int c = 0; c < hs_platform_host_cores(w->platform, v) && rank < w->ranks; c++)
                    w->host[rank++] = v;
    return cores;
}

/* Whether every rank has a part, and the parts are the whole. */
static int adds_up(const weights *w)
{
    double sum = 0;
    for (int r = 0; r < w->ranks; r++) {
        if (!(w->weight[r] > 0))
            return 0;
        sum += w->weight[r];
    }
    return fabs(sum - 1) <= 1e-9;
}

/* A rank has a core of its host, or its part of the cores where more ranks share them. */
static void weigh(weights *w, int *ranks_on)
{
    double sum = 0;
    for (int r = 0; r < w->ranks; r++)
        ranks_on[w->host[r]]++;
    for (int r = 0; r < w->ranks; r++) {
        int v = w->host[r];
        w->weight[r] = hs_platform_host_speed(w->platform, v) *
                       fmin(1, (double)hs_platform_host_cores(w->platform, v) / ranks_on[v]);
        sum += w->weight[r];
    }
    for (int r = 0; r < w->ranks; r++)
        w->weight[r] /= sum;
    HS_ASSERT(adds_up(w));
}

static void print_host(FILE *out, const void *platform, int host)
{
    fputs(hs_platform_node_id(platform, host), out);
}

/* One line names hosts that compute, and would have nothing to do. */
static void tell_idle_hosts(const cli_verb *verb, const weights *w, const int *ranks_on)
{
    int hosts = hs_platform_hosts(w->platform), idle = 0;
    char *is_used = hs__array_new((size_t)hosts, 1);
    for (int v = 0; is_used && v < hosts; v++) {
        is_used[v] = ranks_on[v] > 0 || !(hs_platform_host_speed(w->platform, v) > 0);
        idle += !is_used[v];
    }
    if (idle > 0) {
        fprintf(stderr, "hs %s: hosts without a rank: ", verb->name);
        cli_print_unused(stderr, is_used, hosts, 0, print_host, w->platform);
    }
    free(is_used);
}

static void print_plain(const weights *w)
{
    for (int r = 0; r < w->ranks; r++)
        printf("%.9g\n", w->weight[r]);
}

/* An entry for the coefficients of scotch or metis in decomposeParDict. */
static void print_openfoam(const weights *w)
{
    printf("processorWeights\n(\n");
    for (int r = 0; r < w->ranks; r++)
        printf("    %.9g\n", w->weight[r]);
    printf(");\n");
}

/* What gpmetis -tpwgts reads. */
static void print_metis(const weights *w)
{
    for (int r = 0; r < w->ranks; r++)
        printf("%d = %.9g\n", r, w->weight[r]);
}

/* A target architecture: what gmap reads. */
static void print_scotch(const weights *w)
{
    printf("cmpltw %d", w->ranks);
    for (int r = 0; r < w->ranks; r++)
        printf(" %.0f", fmax(1, round(w->weight[r] * SCOTCH_TOTAL)));
    printf("\n");
}

/* PETSc has no option of its own for this: an array for PetscOptionsGetRealArray(). */
static void print_petsc(const weights *w)
{
    printf("-partition_weights ");
    for (int r = 0; r < w->ranks; r++)
        printf("%s%.9g", r ? "," : "", w->weight[r]);
    printf("\n");
}

/* Arguments of Zoltan_LB_Set_Part_Sizes(): part and size. */
static void print_zoltan(const weights *w)
{
    for (int r = 0; r < w->ranks; r++)
        printf("%d %.9g\n", r, w->weight[r]);
}

static json_t *weights_json(const weights *w)
{
    json_t *list = json_array(), *hosts = json_array();
    for (int r = 0; r < w->ranks; r++) {
        json_array_append_new(list, json_real(w->weight[r]));
        json_array_append_new(hosts, json_string(hs_platform_node_id(w->platform, w->host[r])));
    }
    return json_pack("{s:o, s:o}", "weights", list, "hosts", hosts);
}

static const char *const formats[] = {"plain", "openfoam", "metis", "scotch", "petsc", "zoltan", NULL};
static void (*const printers[])(const weights *) = {print_plain,  print_openfoam, print_metis,
                                                    print_scotch, print_petsc,    print_zoltan};

static int run(const cli_verb *verb, const char *path, weights *w, int format, int as_json)
{
    int *ranks_on = hs__array_new((size_t)hs_platform_hosts(w->platform), sizeof *ranks_on), code = CLI_OK;
    w->host = hs__array_new((size_t)w->ranks, sizeof *w->host);
    w->weight = hs__array_new((size_t)w->ranks, sizeof *w->weight);
    if (!ranks_on || !w->host || !w->weight) {
        code = cli_bad_value(verb, "out of memory");
    } else if (assign_hosts(w) == 0) {
        code = cli_bad_value(verb, "%s: every host has speed 0", path);
    } else {
        weigh(w, ranks_on);
        tell_idle_hosts(verb, w, ranks_on);
        if (as_json)
            code = cli_print_json(verb, weights_json(w));
        else
            printers[format](w);
    }
    free(ranks_on);
    free(w->host);
    free(w->weight);
    return code;
}

int cli_weights(const cli_verb *verb, int argc, char **argv)
{
    const char *path = NULL;
    int64_t ranks = 0;
    int format = 0, as_json = 0;
    const cli_option options[] = {
        {.name = "--ranks", .kind = CLI_INTEGER, .target = &ranks, .at_least = 1, .at_most = INT_MAX},
        {.name = "--format", .kind = CLI_CHOICE, .target = &format, .choices = formats},
        {.name = "--json", .kind = CLI_FLAG, .target = &as_json, .excludes = "--format"},
        {.name = NULL}};
    int code = cli_parse(verb, argc, argv, options, &path, 1, NULL);
    if (code != CLI_OK)
        return code;
    if (!path)
        return cli_usage(verb, "no platform file given");
    if (!ranks)
        return cli_usage(verb, "--ranks is missing");
    hs_platform *platform;
    hs_error error;
    if (cli_read_platform(path, &platform, &error) != HS_OK)
        return cli_fail(verb, path, &error);
    weights w = {.platform = platform, .ranks = (int)ranks};
    code = run(verb, path, &w, format, as_json);
    hs_platform_free(platform);
    return code;
}
