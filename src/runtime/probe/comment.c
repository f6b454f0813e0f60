/* SPDX-License-Identifier: BSD-3-Clause */
/* What the file says of itself: when, where and how it was measured, how far each bandwidth is known, and which are only
 * lower bounds. */
#include "platform/platform.h"
#include "runtime/probe/result.h"
#include "util/plural.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void put_range(FILE *stream, const hs__cut *cut, int way)
{
    char low[32], high[32];
    hs_quantity_format(cut->low[way], HS_UNIT_BANDWIDTH, low, sizeof low);
    hs_quantity_format(cut->high[way], HS_UNIT_BANDWIDTH, high, sizeof high);
    if (isfinite(cut->high[way]))
        fprintf(stream, "%s to %s", low, high);
    else if (cut->low[way] > 0)
        fprintf(stream, "at least %s: nothing filled it", low);
    else
        fputs("not measured, taken from the others", stream);
}

static void put_cut(FILE *stream, const hs_platform *platform, const hs__cut *cut, int index)
{
    char name[300];
    hs__cut_name(cut, index, platform, name, sizeof name);
    fprintf(stream, "\n       %s: ", name);
    put_range(stream, cut, 0);
    if (cut->low[0] == cut->low[1] && cut->high[0] == cut->high[1])
        return;
    fputs(" out, ", stream);
    put_range(stream, cut, 1);
    fputs(" in", stream);
}

static void put_flows(FILE *stream, const hs__discovery *readings)
{
    int flows = hs__discovery_probes(readings), rounds = hs__discovery_rounds(readings);
    fprintf(stream, "%d flows in %d round%s", flows, rounds, hs__plural(rounds));
}

/* The flows are known on rank 0 only. */
static void put_links(FILE *stream, const hs_probe_result *result, const hs_platform *platform)
{
    fputs("\n       links from ", stream);
    if (result->readings) {
        put_flows(stream, result->readings);
        if (hs__probe_cut_short(result))
            fputs(", until the time was up: more of it may find more links", stream);
    } else {
        fputs("rounds of flows", stream);
    }
    fputs(". Each link's bandwidth, with a probability of 90 %:", stream);
    for (int c = 0; c < result->cuts; c++)
        put_cut(stream, platform, &result->cut[c], c);
}

static void put_pairs(FILE *stream, const hs_probe_result *result)
{
    fputs("\n       a link for each pair of hosts; which links they share is not known.", stream);
    if (hs__probe_unexplained(result)) {
        fputs("\n       No tree of links explains what ", stream);
        put_flows(stream, result->readings);
        fputs(" got.", stream);
    }
    for (int j = 1; j < result->hosts; j++)
        for (int i = 0; i < j; i++) {
            const hs_probe_link *link = hs_probe_link_between(result, i, j);
            if (link->source >= HS_PROBE_CONTENDED)
                fprintf(stream, "\n       link_%d_%d: %s", i, j,
                        link->source == HS_PROBE_CONTENDED ? "at least: other pairs probably slowed it"
                                                           : "not measured, taken from the others");
        }
}

typedef struct time_text {
    char text[32];
} time_text;

static time_text time_text_of(time_t time)
{
    time_text t = {""};
    struct tm utc;
    if (gmtime_r(&time, &utc))
        strftime(t.text, sizeof t.text, "%Y-%m-%d %H:%M:%S UTC", &utc);
    return t;
}

static void put_comment(FILE *stream, const hs_probe_result *result, const hs_platform *platform)
{
    fprintf(stream,
            "Measured until %s in %.2f s by %d rank%s on %d host%s, the first of them %s: speeds by the kernel %s",
            time_text_of((time_t)result->when).text, result->time, result->ranks, hs__plural(result->ranks),
            result->hosts, hs__plural(result->hosts), result->host[0].name, hs_probe_kernel_name(result->kernel));
    fputs(result->hosts > 1 ? "," : ".", stream);
    if (result->cuts > 0)
        put_links(stream, result, platform);
    else if (result->hosts > 1)
        put_pairs(stream, result);
}

/* Two hyphens in a row may not stand in a comment. */
static void part_hyphens(char *text)
{
    for (char *c = text; *c; c++)
        if (c[0] == '-' && (c[1] == '-' || c[1] == '\0'))
            *c = '_';
}

hs_status hs__probe_comment(const hs_probe_result *result, hs_platform *platform)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return HS_ERR_NOMEM;
    put_comment(stream, result, platform);
    int failed = ferror(stream);
    if (fclose(stream) != 0 || failed) {
        free(text);
        return HS_ERR_NOMEM;
    }
    part_hyphens(text);
    platform->comment = text;
    return HS_OK;
}

hs_status hs__probe_comment_refreshed(hs_platform *platform, time_t when)
{
    static const char words[] = "\n       Speeds were refreshed at ";
    const char *old = platform->comment ? platform->comment : "", *end = strstr(old, words);
    size_t length = end ? (size_t)(end - old) : strlen(old), size = length + 100;
    char *text = malloc(size);
    if (!text)
        return HS_ERR_NOMEM;
    snprintf(text, size, "%.*s%s%s.", (int)length, old, words, time_text_of(when).text);
    free(platform->comment);
    platform->comment = text;
    return HS_OK;
}
