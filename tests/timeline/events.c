/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/unit.h"
#include "timeline/events.h"
#include "timeline/write.h"
#include "util/array.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Calls of malloc() until one fails. */
static int mallocs_left = INT_MAX;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
    return mallocs_left-- == 0 ? NULL : __real_malloc(size);
}

static void off_records_nothing(void **state)
{
    hs__events_call(1, INT64_MAX - 1, INT64_MAX - 1);
    hs__events_phase(16, 5);
    hs__events_add(&(hs__event){.kind = HS__EVENT_MOVE});
    hs__events *events = hs__events_stop(9);
    assert_int_equal(events->n, 0);
    assert_int_equal(events->left_out, 0);
    hs__events_free();
}

static void containing_events_first(void **state)
{
    assert_int_equal(hs__events_start(), 0);
    hs__events_phase(16, 100);
    hs__events_call(1, 10, 110); /* begins with the phase */
    hs__events_add(
        &(hs__event){.begun = 100, .ended = 100, .kind = HS__EVENT_DECISION, .number = 9}); /* and a moment */
    hs__events_call(2, 5, 130);
    hs__events_phase(17, 140);
    hs__events_call(3, 10, 150); /* ends with it, too */
    hs__events *events = hs__events_stop(150);
    const int kinds[] = {HS__EVENT_PHASE, HS__EVENT_CALL,  HS__EVENT_DECISION,
                         HS__EVENT_CALL,  HS__EVENT_PHASE, HS__EVENT_CALL};
    const int numbers[] = {16, 1, 9, 2, 17, 3};
    assert_int_equal(events->n, 6);
    for (size_t k = 0; k < events->n; k++) {
        assert_int_equal(events->event[k].kind, kinds[k]);
        assert_int_equal(events->event[k].number, numbers[k]);
    }
    assert_int_equal(events->event[4].ended, 150);
    hs__events_free();
}

/* Of more calls than there is room for the long ones stay, whenever they were; and all moves. */
static void short_calls_are_left_out(void **state)
{
    enum { CALLS = 3 * HS__EVENTS_MAX, EVERY = 1000 };
    assert_int_equal(hs__events_start(), 0);
    for (int64_t k = 0; k < CALLS; k++) {
        hs__events_call((int)(k % 7), k % EVERY == 0 ? 1000000 : 100, 2000000 * (k + 1));
        if (k % EVERY == 1)
            hs__events_add(&(hs__event){.kind = HS__EVENT_MOVE, .begun = 1, .ended = 2});
    }
    hs__events *events = hs__events_stop(0);
    size_t longest = 0, moves = 0;
    for (size_t k = 0; k < events->n; k++) {
        longest += events->event[k].ended - events->event[k].begun == 1000000;
        moves += events->event[k].kind == HS__EVENT_MOVE;
    }
    assert_int_equal(longest, (CALLS + EVERY - 1) / EVERY);
    assert_int_equal(moves, (CALLS + EVERY - 2) / EVERY);
    assert_true(events->n <= HS__EVENTS_MAX);
    assert_int_equal((int64_t)events->n + events->left_out, CALLS + (int64_t)moves);
    hs__events_free();
}

static void nothing_is_left_out_while_there_is_room(void **state)
{
    assert_int_equal(hs__events_start(), 0);
    for (int k = 1; k <= HS__EVENTS_MAX; k++)
        hs__events_call(1, 1, k);
    hs__events *events = hs__events_stop(0);
    assert_int_equal(events->n, HS__EVENTS_MAX);
    assert_int_equal(events->left_out, 0);
    hs__events_free();
}

/* What is left out grows by steps of two: no more goes than has to. */
static void half_of_the_calls_stay(void **state)
{
    enum { SHORT = 300, LONG = 600 };
    assert_int_equal(hs__events_start(), 0);
    for (int64_t k = 0; k <= HS__EVENTS_MAX; k++)
        hs__events_call(1, k % 2 ? LONG : SHORT, 1000 * (k + 1));
    hs__events *events = hs__events_stop(0);
    assert_int_equal(events->n, HS__EVENTS_MAX / 2);
    assert_int_equal(events->left_out, HS__EVENTS_MAX / 2 + 1);
    for (size_t k = 0; k < events->n; k++)
        assert_int_equal(events->event[k].ended - events->event[k].begun, LONG);
    hs__events_free();
}

/* Phases are bounded as calls are, and leave room for these. */
static void short_phases_are_left_out(void **state)
{
    enum { PHASES = HS__EVENTS_MAX + 10, LAST = 1000000 };
    assert_int_equal(hs__events_start(), 0);
    for (int k = 0; k <= PHASES; k++)
        hs__events_phase(16, 100 * k);
    hs__events_call(1, LAST, 100 * PHASES + LAST);
    hs__events *events = hs__events_stop(100 * PHASES + LAST);
    assert_int_equal(events->n, 2);
    assert_int_equal(events->left_out, PHASES);
    assert_int_equal(events->event[0].kind, HS__EVENT_PHASE);
    assert_int_equal(events->event[1].kind, HS__EVENT_CALL);
    hs__events_free();
}

/* Moves are never left out while there is room, and no room is made up when there is none. */
static void as_many_moves_as_fit(void **state)
{
    assert_int_equal(hs__events_start(), 0);
    for (int k = 0; k < HS__EVENTS_MAX + 3; k++)
        hs__events_add(&(hs__event){.kind = HS__EVENT_MOVE, .begun = k, .ended = k});
    hs__events *events = hs__events_stop(0);
    assert_int_equal(events->n, HS__EVENTS_MAX);
    assert_int_equal(events->left_out, 3);
    hs__events_free();
}

static int always(void)
{
    return 1;
}

static void no_memory(void **state)
{
    hs__array_fails = always;
    assert_int_equal(hs__events_start(), -1);
    hs__array_fails = NULL;
    hs__events_call(1, 1000, 2000);
    assert_int_equal(hs__events_stop(1)->n, 0);
}

static const char *name_of(int number)
{
    return number == 1 ? "MPI_Send" : NULL;
}

/* Byte by byte, by hand from the format: a track named "r", a decision, and a
 * move with two calls in it, one after the other. */
static void bytes_of_a_timeline(void **state)
{
    static const uint8_t track[] = {
        0x0a, 0x3a, 0x50, 1,   0x62, 44,  0x0a, 7,   8,   1,   0x12, 3, 'M',  'P', 'I', 0x0a, 9,    8,    2, 0x12,
        5,    'p',  'h',  'a', 's',  'e', 0x0a, 8,   8,   3,   0x12, 4, 'm',  'o', 'v', 'e',  0x0a, 12,   8, 4,
        0x12, 8,    'd',  'e', 'c',  'i', 's',  'i', 'o', 'n', 0x68, 1, 0xe2, 3,   5,   8,    1,    0x12, 1, 'r'};
    static const uint8_t call[] = {0x0a, 0x20, 0x40, 3,   0x50, 1,   0x5a, 8,   0x18, 1, 0x48, 1,
                                   0x50, 3,    0x58, 1,   0x62, 14,  0x12, 12,  8,    3, 0x12, 8,
                                   'M',  'P',  'I',  '_', 'S',  'e', 'n',  'd', 0x68, 2};
    static const uint8_t again[] = {0x0a, 10,   0x40, 5, 0x50, 1, 0x5a, 4, 0x48, 2, 0x58, 1, /* the first call ends */
                                    0x0a, 0x10, 0x40, 6, 0x50, 1, 0x5a, 8, 0x18, 1, 0x48, 1, 0x50, 3, 0x58, 1, 0x68, 2};
    static const uint8_t decision[] = {
        0x0a, 84,  0x40, 2,    0x50, 1,   0x5a, 60,   0x18, 4,    0x22, 22,  0x29, 0,   0,    0,   0,    0,
        0,    0,   0x40, 0x52, 11,   's', 't',  'e',  'p',  ' ',  'n',  'o', 'w',  ',', ' ',  's', 0x22, 26,
        0x29, 0,   0,    0,    0,    0,   0,    0xf0, 0x3f, 0x52, 15,   's', 't',  'e', 'p',  ' ', 'a',  't',
        ' ',  'b', 'e',  's',  't',  ',', ' ',  's',  0x48, 3,    0x50, 1,   0x58, 1,   0x62, 14,  0x12, 12,
        8,    1,   0x12, 8,    'd',  'e', 'c',  'i',  's',  'i',  'o',  'n', 0x68, 2};
    const hs__event events[] = {{2, 2, HS__EVENT_DECISION, 0, 2.0, 1.0},
                                {2, 9, HS__EVENT_MOVE, 0, 0, 0},
                                {3, 5, HS__EVENT_CALL, 1, 0, 0},
                                {6, 7, HS__EVENT_CALL, 1, 0, 0}};
    char *bytes = NULL;
    size_t size;
    if (!hs__timeline_can_write())
        skip();
    FILE *out = open_memstream(&bytes, &size);
    assert_int_equal(hs__timeline_write(out, 0, "r", events, 4, name_of), 0);
    fclose(out);
    assert_true(size > sizeof track + sizeof decision + sizeof call);
    assert_memory_equal(bytes, track, sizeof track);
    assert_memory_equal(bytes + sizeof track, decision, sizeof decision);
    assert_non_null(memmem(bytes, size, call, sizeof call));
    assert_non_null(memmem(bytes, size, again, sizeof again));
    free(bytes);
}

/* Each packet takes memory, and so does the table of names. */
static void a_timeline_without_memory(void **state)
{
    const hs__event events[] = {{2, 9, HS__EVENT_MOVE, 0, 0, 0}, {3, 5, HS__EVENT_CALL, 1, 0, 0}};
    FILE *out = fopen("/dev/null", "w");
    if (!hs__timeline_can_write())
        skip();
    int failures = 0, written = -1;
    for (; written != 0; failures++) {
        mallocs_left = failures;
        written = hs__timeline_write(out, 0, "r", events, 2, name_of);
        int failed = mallocs_left < 0;
        mallocs_left = INT_MAX;
        assert_int_equal(written, failed ? -1 : 0);
    }
    assert_true(failures > 5); /* a head, and two ends of two slices */
    hs__array_fails = always;
    assert_int_equal(hs__timeline_write(out, 0, "r", events, 2, name_of), -1);
    hs__array_fails = NULL;
    fclose(out);
}

/* A mark was made within a call, 2 to 9: the call ends with the phase before it, in which it began. The last packets of
 * the file. */
static void mark_within_a_call(void **state)
{
    static const uint8_t ends[] = {0x0a, 10, 0x40, 5, 0x50, 1, 0x5a, 4, 0x48, 2, 0x58, 1,
                                   0x0a, 10, 0x40, 5, 0x50, 1, 0x5a, 4, 0x48, 2, 0x58, 1};
    const hs__event events[] = {{1, 5, HS__EVENT_PHASE, 16, 0, 0}, {2, 9, HS__EVENT_CALL, 1, 0, 0}};
    char *bytes = NULL;
    size_t size;
    if (!hs__timeline_can_write())
        skip();
    FILE *out = open_memstream(&bytes, &size);
    assert_int_equal(hs__timeline_write(out, 0, "r", events, 2, name_of), 0);
    fclose(out);
    assert_true(size > sizeof ends);
    assert_memory_equal(bytes + size - sizeof ends, ends, sizeof ends);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(off_records_nothing),
        cmocka_unit_test(containing_events_first),
        cmocka_unit_test(short_calls_are_left_out),
        cmocka_unit_test(short_phases_are_left_out),
        cmocka_unit_test(as_many_moves_as_fit),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(bytes_of_a_timeline),
        cmocka_unit_test(mark_within_a_call),
        cmocka_unit_test(nothing_is_left_out_while_there_is_room),
        cmocka_unit_test(half_of_the_calls_stay),
        cmocka_unit_test(a_timeline_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
