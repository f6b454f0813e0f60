/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/arguments.h"
#include "scatter.h"
#include <getopt.h>
#include <stdlib.h>

static const char *const usage[] = {
    "--items N [--results D] [--schedule planned|equal|proportional|dynamic] [--input FILE] [--output FILE]\n"
    "       [--item-bytes B] [--intervals K] [--rounds R] [--master computes|idle] [--verify all|sample] [--json]",
    "--items N [--item-bytes B] --generate FILE", NULL};

static int set_ratio(const arguments *a, const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !(number >= 0) || number > 1e6)
        return arguments_refuse(a, "results", text, "a number from 0 to 1e6");
    *value = number;
    return -1;
}

static int take(const arguments *a, int option, scatter_options *o)
{
    static const char *const schedules[] = {"planned", "equal", "proportional", "dynamic", NULL};
    static const char *const masters[] = {"computes", "idle", NULL}, *const verify[] = {"all", "sample", NULL};
    int word = 0, code = -1;
    switch (option) {
    case 'n':
        return arguments_count(a, "items", optarg, 1, (int64_t)1 << 40, &o->items);
    case 'b':
        code = arguments_count(a, "item-bytes", optarg, RECORD_MIN_BYTES, 1 << 30, &o->record_bytes);
        return code < 0 && o->record_bytes % 8 ? arguments_refuse(a, "item-bytes", optarg, "a multiple of 8") : code;
    case 'd':
        return set_ratio(a, optarg, &o->results);
    case 's':
        code = arguments_word(a, "schedule", optarg, schedules, &word);
        o->schedule = (scatter_schedule)word;
        return code;
    case 'm':
        code = arguments_word(a, "master", optarg, masters, &word);
        o->master = (hs_farm_root)word;
        return code;
    case 'v':
        return arguments_word(a, "verify", optarg, verify, &o->verify_sample);
    case 'r':
        return arguments_int(a, "rounds", optarg, 1, 1000, &o->rounds);
    case 'k':
        return arguments_int(a, "intervals", optarg, 2, 1 << 20, &o->intervals);
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
        return arguments_usage(a, option == 'h' ? 0 : 2);
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
    const arguments a = arguments_of(argv[0], usage);
    *o = (scatter_options){.record_bytes = 64, .results = -1, .rounds = 8, .intervals = 32};
    opterr = arguments_rank0();
    int code = -1;
    for (int c; code < 0 && (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        code = take(&a, c, o);
    if (code < 0 && (optind < argc || (o->items == 0 && !o->input)))
        return arguments_usage(&a, 2);
    return code;
}
