/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/metrics/text.h"
#include "config.h"
#include "util/units.h"

/* A family of samples: one a rank, or, with kinds, one a kind and rank from neighbouring values. */
typedef struct family {
    const char *name, *type, *unit, *help;
    hs__metric value;
    double scale; /* from the value to the unit */
    const char *const *kinds;
} family;

static const char *const time_kinds[] = {"compute", "transfer", "wait", "library", NULL};
static const char *const no_kinds[] = {"", NULL};

static const family families[] = {
    {"hs_time_seconds", "counter", "seconds", "Time of a rank since MPI_Init, by what it did.", HS__METRIC_COMPUTE_NS,
     1e-9, time_kinds},
    {"hs_mpi_calls", "counter", "", "Calls of MPI by a rank.", HS__METRIC_CALLS, 1, no_kinds},
    {"hs_moves", "counter", "", "Times that layouts of a rank were moved to balance it.", HS__METRIC_MOVES, 1,
     no_kinds},
    {"hs_moves_seconds", "counter", "seconds", "Time of a rank in these moves.", HS__METRIC_MOVES_NS, 1e-9, no_kinds},
    {"hs_updated_timestamp_seconds", "gauge", "seconds", "When a rank last told its values.", HS__METRIC_UPDATED_MS,
     1e-3, no_kinds},
};

static void write_sample(FILE *out, const family *f, int kind, const hs__metrics_row *row)
{
    const char *suffix = f->type[0] == 'c' ? "_total" : "";
    fprintf(out, "%s%s{rank=\"%lld\",pid=\"%lld\"", f->name, suffix, (long long)row->value[HS__METRIC_RANK],
            (long long)row->value[HS__METRIC_PID]);
    if (f->kinds[kind][0])
        fprintf(out, ",kind=\"%s\"", f->kinds[kind]);
    fprintf(out, "} %.16g\n", f->scale * (double)row->value[(int)f->value + kind]);
}

static void write_family(FILE *out, const family *f, const hs__metrics_row *rows, int n)
{
    fprintf(out, "# TYPE %s %s\n", f->name, f->type);
    if (f->unit[0])
        fprintf(out, "# UNIT %s %s\n", f->name, f->unit);
    fprintf(out, "# HELP %s %s\n", f->name, f->help);
    for (int r = 0; r < n; r++)
        for (int kind = 0; f->kinds[kind]; kind++)
            write_sample(out, f, kind, &rows[r]);
}

/* The text must be UTF-8: bytes that are not ASCII become question marks. */
static void write_label(FILE *out, const char *value)
{
    for (const char *c = value; *c; c++)
        if (*c == '\n')
            fputs("\\n", out);
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else
            fputc((unsigned char)*c > 127 ? '?' : *c, out);
}

void hs__metrics_write(FILE *out, const char *program, int ranks, const hs__metrics_row *rows, int n)
{
    locale_t before = hs__c_locale_enter();
    fputs("# TYPE hs_program_info gauge\n# HELP hs_program_info The program whose ranks these are.\n", out);
    fputs("hs_program_info{name=\"", out);
    write_label(out, program);
    fprintf(out, "\",pid=\"%lld\",ranks=\"%d\",heteroslice=\"%s\"} 1\n",
            n > 0 ? (long long)rows[0].value[HS__METRIC_PID] : 0, ranks, PACKAGE_VERSION);
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        write_family(out, &families[k], rows, n);
    fputs("# EOF\n", out);
    hs__c_locale_leave(before);
}
