/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/arguments.h"
#include "scatter.h"
#include <stdlib.h>
#include <sys/stat.h>

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

static int take(const arguments *a, int option, char *value, void *target)
{
    scatter_options *o = target;
    static const char *const schedules[] = {"planned", "equal", "proportional", "dynamic", NULL};
    static const char *const masters[] = {"computes", "idle", NULL}, *const verify[] = {"all", "sample", NULL};
    int word = 0, code = -1;
    switch (option) {
    case 'n':
        return arguments_count(a, "items", value, 1, (int64_t)1 << 40, &o->items);
    case 'b':
        code = arguments_count(a, "item-bytes", value, RECORD_MIN_BYTES, RECORD_MAX_BYTES, &o->record_bytes);
        return code < 0 && o->record_bytes % 8 ? arguments_refuse(a, "item-bytes", value, "a multiple of 8") : code;
    case 'd':
        return set_ratio(a, value, &o->results);
    case 's':
        code = arguments_word(a, "schedule", value, schedules, &word);
        o->schedule = (scatter_schedule)word;
        return code;
    case 'm':
        code = arguments_word(a, "master", value, masters, &word);
        o->master = (hs_farm_root)word;
        return code;
    case 'v':
        return arguments_word(a, "verify", value, verify, &o->verify_sample);
    case 'r':
        return arguments_int(a, "rounds", value, 1, 1000, &o->rounds);
    case 'k':
        return arguments_int(a, "intervals", value, 2, 1 << 20, &o->intervals);
    case 'i':
        o->input = value;
        return -1;
    case 'o':
        o->output = value;
        return -1;
    case 'g':
        o->generate = value;
        return -1;
    default: /* 'j' */
        o->json = 1;
        return -1;
    }
}

static int is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
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
    int code = arguments_read(&a, argc, argv, options, take, o, NULL);
    if (code < 0 && o->items == 0 && !o->input)
        code = arguments_contradict(&a, "--items or --input is needed");
    if (code < 0 && o->generate && o->input)
        code = arguments_contradict(&a, "--generate makes a catalogue of --items and reads none: it excludes --input");
    if (code < 0 && o->output && o->input && is_same_file(o->input, o->output))
        code = arguments_contradict(&a, "--output would overwrite the file of --input");
    return code;
}
