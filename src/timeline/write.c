/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/write.h"
#include "config.h"

#ifdef HAVE_PROTOBUF
#include "timeline/perfetto.pb-c.h"
#include "util/assert.h"
#include "util/index.h"
#include <stdlib.h>

/* Slices that are open at once: a call within a move within a phase. */
enum { DEEPEST = 3 };

typedef struct writer {
    FILE *out;
    int track;
    const hs__event *event; /* of the track */
    const char *(*call_name)(int number);
    hs__index named; /* the first event of each name */
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

/* names: those that the event is the first to have; NULL: none. */
static void write_event(writer *w, int64_t ns, Perfetto__TrackEvent__Type type, Perfetto__TrackEvent *event,
                        Perfetto__InternedData *names)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    packet.interned_data = names;
    packet.has_sequence_flags = event->has_name_iid;
    packet.sequence_flags = PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_NEEDS_INCREMENTAL_STATE;
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
        write_event(w, w->end[--w->depth], PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, &event, NULL);
    }
}

/* A slice that would outlast the one around it ends with it: a phase may have been marked within a call. */
static void open_slice(writer *w, const hs__event *e, Perfetto__TrackEvent *event, Perfetto__InternedData *names)
{
    HS_ASSERT(w->depth < DEEPEST);
    int64_t outer = w->depth > 0 ? w->end[w->depth - 1] : INT64_MAX;
    write_event(w, e->begun, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, event, names);
    w->end[w->depth++] = e->ended < outer ? e->ended : outer;
}

static void write_decision(writer *w, const hs__event *e, Perfetto__TrackEvent *event, Perfetto__InternedData *names)
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
    write_event(w, e->begun, PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, event, names);
}

/* ---- Names: each is written once a track ---- */

static char *const categories[] = {"MPI", "phase", "move", "decision"}; /* by kind; their numbers are kind + 1 */
enum { CATEGORIES = sizeof categories / sizeof *categories };

static int has_same_name(const void *track, int k, const void *key)
{
    const hs__event *first = (const hs__event *)track + k, *e = key;
    return first->kind == e->kind && first->number == e->number;
}

/* The number of an event's name: 1 + that of the first event that has it, which *is_new says it is. */
static uint64_t number_name(writer *w, const hs__event *e, int *is_new)
{
    uint64_t hash = hs__hash_triple(e->kind, e->number, 0);
    int k = hs__index_find(&w->named, hash, has_same_name, w->event, e);
    *is_new = k < 0;
    if (*is_new && hs__index_reserve(&w->named, 1) != 0)
        w->failed = 1;
    else if (*is_new)
        hs__index_add(&w->named, hash, k = (int)(e - w->event));
    return (uint64_t)k + 1;
}

static void put_name(const writer *w, const hs__event *e, char *name, size_t size)
{
    const char *called = e->kind == HS__EVENT_CALL ? w->call_name(e->number) : NULL;
    if (e->kind == HS__EVENT_PHASE)
        snprintf(name, size, "phase %d", (int)e->number);
    else
        snprintf(name, size, "%s", called ? called : categories[e->kind]);
}

static void write_one(writer *w, const hs__event *e)
{
    Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    Perfetto__InternedText text = PERFETTO__INTERNED_TEXT__INIT, *texts[] = {&text};
    Perfetto__InternedData names = PERFETTO__INTERNED_DATA__INIT;
    uint64_t category = (uint64_t)e->kind + 1;
    char name[64];
    int is_new;
    event.has_name_iid = text.has_iid = 1;
    event.name_iid = text.iid = number_name(w, e, &is_new);
    event.n_category_iids = 1;
    event.category_iids = &category;
    if (is_new)
        put_name(w, e, name, sizeof name);
    text.name = name;
    names.n_event_names = 1;
    names.event_names = texts;
    close_slices(w, e->begun);
    if (e->kind == HS__EVENT_DECISION)
        write_decision(w, e, &event, is_new ? &names : NULL);
    else
        open_slice(w, e, &event, is_new ? &names : NULL);
}

/* The track's first packet: its name, and the categories. */
static void write_head(writer *w, const char *name)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
    Perfetto__InternedData names = PERFETTO__INTERNED_DATA__INIT;
    Perfetto__InternedText text[CATEGORIES], *texts[CATEGORIES];
    char copy[512];
    snprintf(copy, sizeof copy, "%s", name);
    for (int k = 0; k < CATEGORIES; k++) {
        text[k] = (Perfetto__InternedText)PERFETTO__INTERNED_TEXT__INIT;
        text[k].has_iid = 1;
        text[k].iid = (uint64_t)k + 1;
        text[k].name = categories[k];
        texts[k] = &text[k];
    }
    descriptor.has_uuid = 1;
    descriptor.uuid = (uint64_t)w->track + 1;
    descriptor.name = copy;
    names.n_event_categories = CATEGORIES;
    names.event_categories = texts;
    packet.track_descriptor = &descriptor;
    packet.interned_data = &names;
    packet.has_sequence_flags = 1;
    packet.sequence_flags = PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_INCREMENTAL_STATE_CLEARED;
    write_packet(w, &packet);
}

int hs__timeline_write(FILE *out, int track, const char *name, const hs__event *event, size_t n,
                       const char *(*call_name)(int number))
{
    writer w = {.out = out, .track = track, .event = event, .call_name = call_name};
    write_head(&w, name);
    for (size_t k = 0; k < n; k++)
        write_one(&w, &event[k]);
    close_slices(&w, INT64_MAX);
    hs__index_free(&w.named);
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
