/* SPDX-License-Identifier: BSD-3-Clause */
#include "scatter.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: %s --items N [--results D] [--schedule planned|equal|proportional|dynamic] [--input FILE] [--output FILE]\n"
    "       [--item-bytes B] [--intervals K] [--rounds R] [--master computes|idle] [--verify all|sample] [--json]\n"
    "       %s --items N [--item-bytes B] --generate FILE\n";

static int rank0(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static int show_usage(const char *program, int code)
{
    if (rank0())
        fprintf(code ? stderr : stdout, usage, program, program);
    return code;
}

static int refuse(const char *program, const char *option, const char *value, const char *expected)
{
    if (rank0())
        fprintf(stderr, "%s: --%s takes %s, not '%s'\n", program, option, expected, value);
    return show_usage(program, 2);
}

static int set_count(const char *program, const char *option, const char *text, int64_t least, int64_t most,
                     int64_t *value)
{
    char *end, expected[64];
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && number >= least && number <= most) {
        *value = number;
        return -1;
    }
    snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)least, (long long)most);
    return refuse(program, option, text, expected);
}

static int set_int(const char *program, const char *option, const char *text, int least, int most, int *value)
{
    int64_t number = 0;
    int code = set_count(program, option, text, least, most, &number);
    *value = (int)number;
    return code;
}

static int set_ratio(const char *program, const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !(number >= 0) || number > 1e6)
        return refuse(program, "results", text, "a number from 0 to 1e6");
    *value = number;
    return -1;
}

static int set_word(const char *program, const char *option, const char *text, const char *const *words, int *value)
{
    char expected[128] = "";
    for (int k = 0; words[k]; k++) {
        if (strcmp(text, words[k]) == 0) {
            *value = k;
            return -1;
        }
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s%s",
                 k == 0         ? ""
                 : words[k + 1] ? ", "
                                : " or ",
                 words[k]);
    }
    return refuse(program, option, text, expected);
}

static int take(const char *program, int option, scatter_options *o)
{
    static const char *const schedules[] = {"planned", "equal", "proportional", "dynamic", NULL};
    static const char *const masters[] = {"computes", "idle", NULL}, *const verify[] = {"all", "sample", NULL};
    int word = 0, code = -1;
    switch (option) {
    case 'n':
        return set_count(program, "items", optarg, 1, (int64_t)1 << 40, &o->items);
    case 'b':
        code = set_count(program, "item-bytes", optarg, RECORD_LEAST, 1 << 30, &o->record_bytes);
        return code < 0 && o->record_bytes % 8 ? refuse(program, "item-bytes", optarg, "a multiple of 8") : code;
    case 'd':
        return set_ratio(program, optarg, &o->results);
    case 's':
        code = set_word(program, "schedule", optarg, schedules, &word);
        o->schedule = (scatter_schedule)word;
        return code;
    case 'm':
        code = set_word(program, "master", optarg, masters, &word);
        o->master = (hs_farm_root)word;
        return code;
    case 'v':
        return set_word(program, "verify", optarg, verify, &o->verify_sample);
    case 'r':
        return set_int(program, "rounds", optarg, 1, 1000, &o->rounds);
    case 'k':
        return set_int(program, "intervals", optarg, 2, 1 << 20, &o->intervals);
    case 'i':
        o->input = optarg;
        return -1;
    case 'o':
        o->output = optarg;
        return -1;
    case 'g':
        o->generate = optarg;
        return -1;
    case 'j':
        o->json = 1;
        return -1;
    default:
        return show_usage(program, option == 'h' ? 0 : 2);
    }
}

int scatter_parse(int argc, char **argv, scatter_options *o)
{
    static const struct option options[] = {
        {"items", required_argument, NULL, 'n'},    {"item-bytes", required_argument, NULL, 'b'},
        {"results", required_argument, NULL, 'd'},  {"schedule", required_argument, NULL, 's'},
        {"master", required_argument, NULL, 'm'},   {"verify", required_argument, NULL, 'v'},
        {"rounds", required_argument, NULL, 'r'},   {"intervals", required_argument, NULL, 'k'},
        {"input", required_argument, NULL, 'i'},    {"output", required_argument, NULL, 'o'},
        {"generate", required_argument, NULL, 'g'}, {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0}};
    const char *program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    *o = (scatter_options){.record_bytes = 64, .results = -1, .rounds = 8, .intervals = 32};
    opterr = rank0();
    int code = -1;
    for (int c; code < 0 && (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        code = take(program, c, o);
    if (code < 0 && (optind < argc || (o->items == 0 && !o->input)))
        return show_usage(program, 2);
    return code;
}
