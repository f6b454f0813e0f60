/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of flows between two hosts on a simulated duplex link: chunks and answers of one way wait in one queue. */
#include "runtime/probe/window.h"
#include "tests/unit.h"

enum { ANSWER_BYTES = 64, MOST_EVENTS = 4 * HS__WINDOW };

typedef struct event {
    double time, arrived; /* arrived: of an answer, when the chunk did */
    int at, chunk;        /* host; bytes of a chunk, 0: an answer */
} event;

typedef struct simulation {
    double rate, latency, now, until, counted_from;
    double clock[2], queued_until[2]; /* by host: what its clock is ahead; when all that it has sent has left */
    double begin[2], received[2];     /* of the flow of each host: when it begins; bytes since counted_from */
    hs__window window[2];
    event event[MOST_EVENTS];
    int events;
} simulation;

static void put(simulation *s, int from, int bytes, event what)
{
    assert_true(s->events < MOST_EVENTS);
    s->queued_until[from] = fmax(s->now, s->queued_until[from]) + bytes / s->rate;
    what.time = s->queued_until[from] + s->latency;
    what.at = 1 - from;
    s->event[s->events++] = what;
}

static void fill(simulation *s, int host)
{
    while (s->now >= s->begin[host] && s->window[host].under_way < HS__WINDOW) {
        int bytes = hs__window_send(&s->window[host], s->now + s->clock[host]);
        put(s, host, bytes, (event){.chunk = bytes});
    }
}

/* The next event, or the begin of a flow if that comes first. */
static int take_next(simulation *s, event *next)
{
    int first = -1;
    for (int k = 0; k < s->events; k++)
        if (first < 0 || s->event[k].time < s->event[first].time)
            first = k;
    for (int h = 0; h < 2; h++)
        if (s->begin[h] > s->now && (first < 0 || s->begin[h] < s->event[first].time)) {
            s->now = s->begin[h];
            return 0;
        }
    *next = s->event[first];
    s->event[first] = s->event[--s->events];
    s->now = next->time;
    return 1;
}

static void run(simulation *s)
{
    event e;
    while (s->now < s->until) {
        fill(s, 0);
        fill(s, 1);
        if (!take_next(s, &e))
            continue;
        double local = s->now + s->clock[e.at];
        if (e.chunk == 0) {
            hs__window_answered(&s->window[e.at], e.arrived, local);
            continue;
        }
        s->received[1 - e.at] += s->now >= s->counted_from ? e.chunk : 0;
        put(s, e.at, ANSWER_BYTES, (event){.arrived = local});
    }
}

/* A flow that begins when the opposite one has filled its queue gets most of the link, too, whatever is expected of both. */
static void opposite_flows_do_not_starve(void **state)
{
    static const double late[] = {0, 0.004, 0.1}, expected[] = {0, 2e6, 12.5e6, 5e7};
    for (size_t l = 0; l < sizeof late / sizeof *late; l++)
        for (int e = 0; e < 16; e++) {
            simulation s = {.rate = 12.5e6, .latency = 1e-4, .begin = {0, late[l]}, .counted_from = 0.6, .until = 1.4};
            hs__window_begin(&s.window[0], expected[e / 4]);
            hs__window_begin(&s.window[1], expected[e % 4]);
            run(&s);
            for (int h = 0; h < 2; h++)
                assert_true(s.received[h] >= 0.7 * s.rate * (s.until - s.counted_from));
        }
}

/* One flow with any latency and bandwidth keeps the link busy, and its chunks wait for about the time that they should. */
static void a_link_is_kept_busy(void **state)
{
    static const double latency[] = {1e-5, 1e-3, 2e-2}, rate[] = {1e6, 12.5e6, 7e7};
    for (int k = 0; k < 9; k++) {
        simulation s = {
            .rate = rate[k % 3], .latency = latency[k / 3], .begin = {0, INFINITY}, .counted_from = 4, .until = 5};
        hs__window_begin(&s.window[0], 0);
        run(&s);
        assert_true(s.received[0] >= 0.97 * s.rate);
        double waits = HS__WINDOW * s.window[0].size / s.rate - 2 * s.latency;
        assert_true(fabs(waits - hs__window_queue) <= 0.25 * hs__window_queue);
    }
}

/* What the two clocks differ by makes no difference. */
static void clocks_may_differ(void **state)
{
    int size[3];
    for (int k = 0; k < 3; k++) {
        simulation s = {.rate = 12.5e6, .latency = 1e-4, .clock = {0, 1e4 * (k - 1)}, .counted_from = 0.5, .until = 1};
        hs__window_begin(&s.window[0], 0);
        hs__window_begin(&s.window[1], 12.5e6);
        run(&s);
        size[k] = s.window[0].size;
    }
    assert_in_range(size[0], size[1] * 0.99, size[1] * 1.01);
    assert_in_range(size[2], size[1] * 0.99, size[1] * 1.01);
}

/* Chunks are never smaller than 1 KB nor larger than what there is memory for, and change by a factor of four at most. */
static void sizes_have_limits(void **state)
{
    hs__window window;
    hs__window_begin(&window, 1e15);
    assert_int_equal(window.size, HS__CHUNK_MAX);
    hs__window_begin(&window, 1);
    assert_int_equal(window.size, 1024);
    for (int k = 0; k < HS__WINDOW; k++)
        assert_int_equal(hs__window_send(&window, 0), 1024);
    for (int k = 0; k < HS__WINDOW; k++)
        hs__window_answered(&window, 1e-9, 2e-9); /* as fast as anything */
    assert_int_equal(window.size, 4096);
    for (int k = 0; k < HS__WINDOW; k++)
        hs__window_send(&window, 1);
    for (int k = 0; k < HS__WINDOW; k++)
        hs__window_answered(&window, 1000, 1001);
    assert_int_equal(window.size, 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposite_flows_do_not_starve),
        cmocka_unit_test(a_link_is_kept_busy),
        cmocka_unit_test(clocks_may_differ),
        cmocka_unit_test(sizes_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
