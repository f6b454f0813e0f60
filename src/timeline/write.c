/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/write.h"
#include "config.h"

#ifdef HAVE_PROTOBUF
#include "timeline/perfetto.pb-c.h"
#include "util/assert.h"
#include <stdlib.h>

/* Slices that are open at once: a call within a move within a phase. */
enum { DEEPEST = 3 };

typedef struct writer {
    FILE *out;
    int track;
    const char *(*call_name)(int number);
    int failed;
    int depth;
    int64_t end[DEEPEST]; /* of the slices that are open, the outermost first */
} writer;

int hs__timeline_can_write(void)
{
    return 1;
}

/* A trace of one packet: messages that follow each other are one message with all their packets. */
static void write_packet(writer *w, Perfetto__TracePacket *packet)
{
    Perfetto__Trace trace = PERFETTO__TRACE__INIT;
    Perfetto__TracePacket *packets[] = {packet};
    trace.n_packet = 1;
    trace.packet = packets;
    packet->has_trusted_packet_sequence_id = 1;
    packet->trusted_packet_sequence_id = (uint32_t)w->track + 1; /* 0 means none */
    size_t size = perfetto__trace__get_packed_size(&trace);
    uint8_t *bytes = malloc(size);
    w->failed |= !bytes;
    if (bytes)
        fwrite(bytes, 1, perfetto__trace__pack(&trace, bytes), w->out);
    free(bytes);
}

static void write_event(writer *w, int64_t ns, Perfetto__TrackEvent__Type type, Perfetto__TrackEvent *event)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    event->has_type = event->has_track_uuid = 1;
    event->type = type;
    event->track_uuid = (uint64_t)w->track + 1;
    packet.has_timestamp = 1;
    packet.timestamp = (uint64_t)ns;
    packet.track_event = event;
    write_packet(w, &packet);
}

/* End the slices that end up to then. */
static void close_slices(writer *w, int64_t then)
{
    while (w->depth > 0 && w->end[w->depth - 1] <= then) {
        Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
        write_event(w, w->end[--w->depth], PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, &event);
    }
}

/* A slice that would outlast the one around it ends with it: a phase may have been marked within a call. */
static void open_slice(writer *w, const hs__event *e, Perfetto__TrackEvent *event)
{
    HS_ASSERT(w->depth < DEEPEST);
    int64_t outer = w->depth > 0 ? w->end[w->depth - 1] : INT64_MAX;
    write_event(w, e->begun, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, event);
    w->end[w->depth++] = e->ended < outer ? e->ended : outer;
}

static void write_decision(writer *w, const hs__event *e, Perfetto__TrackEvent *event)
{
    Perfetto__DebugAnnotation now = PERFETTO__DEBUG_ANNOTATION__INIT, best = PERFETTO__DEBUG_ANNOTATION__INIT;
    Perfetto__DebugAnnotation *annotations[] = {&now, &best};
    now.name = "step now, s";
    best.name = "step at best, s";
    now.has_double_value = best.has_double_value = 1;
    now.double_value = e->now;
    best.double_value = e->best;
    event->n_debug_annotations = 2;
    event->debug_annotations = annotations;
    write_event(w, e->begun, PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, event);
}

static void write_one(writer *w, const hs__event *e)
{
    static char *const names[] = {"MPI", "phase", "move", "decision"};
    Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    char *category = names[e->kind], name[64];
    const char *called = e->kind == HS__EVENT_CALL ? w->call_name(e->number) : NULL;
    if (e->kind == HS__EVENT_PHASE)
        snprintf(name, sizeof name, "phase %d", (int)e->number);
    else
        snprintf(name, sizeof name, "%s", called ? called : category);
    event.name = name;
    event.n_categories = 1;
    event.categories = &category;
    close_slices(w, e->begun);
    if (e->kind == HS__EVENT_DECISION)
        write_decision(w, e, &event);
    else
        open_slice(w, e, &event);
}

int hs__timeline_write(FILE *out, int track, const char *name, const hs__event *event, size_t n,
                       const char *(*call_name)(int number))
{
    writer w = {.out = out, .track = track, .call_name = call_name};
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
    char copy[512];
    snprintf(copy, sizeof copy, "%s", name);
    descriptor.has_uuid = 1;
    descriptor.uuid = (uint64_t)track + 1;
    descriptor.name = copy;
    packet.track_descriptor = &descriptor;
    write_packet(&w, &packet);
    for (size_t k = 0; k < n; k++)
        write_one(&w, &event[k]);
    close_slices(&w, INT64_MAX);
    return w.failed ? -1 : 0;
}
#else
int hs__timeline_can_write(void)
{
    return 0;
}

int hs__timeline_write(FILE *out, int track, const char *name, const hs__event *event, size_t n,
                       const char *(*call_name)(int number))
{
    return -1;
}
#endif
