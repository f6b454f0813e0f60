/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls from one reading of the clock to the next are recorded; when they are the same few again and again, as many
 * as fit between two readings are expected, beginning behind the call that reads it. */
#include "runtime/repeat.h"
#include "runtime/hot.h"

enum {
    LONGEST_EXPECTED = 256 * HS__SHORT_ROUND, /* ticks between two readings, as a rule */
    WORTHWHILE = 4,                           /* passes; fewer were not worth the recording */
    LONGEST_PAUSE = 63                        /* readings, after those that were not */
};

HS__HOT hs__expected hs__nothing_expected;
void (*hs__repeat_told)(const hs__expected *call, int64_t times);

static hs__expected expected[HS__MOST_EXPECTED + 1]; /* the first one reads the clock, one behind the last is none */
static uint16_t numbers[HS__MOST_EXPECTED];          /* theirs */
static int64_t passes;                               /* through all of them */

static hs__expected recorded[HS__MOST_EXPECTED];
static int count;        /* of those; -1: not to be expected */
static int64_t begun;    /* calls when the recording did */
static int pause, waits; /* readings to leave out before the next recording, and how many of them are left */

void hs__repeat_record(const hs__expected *call)
{
    if (count >= 0 && count < HS__MOST_EXPECTED)
        recorded[count++] = *call;
    else
        hs__repeat_do_not_record();
}

void hs__repeat_do_not_record(void)
{
    count = -1;
}

static int same(const hs__expected *a, const hs__expected *b)
{
    return a->call == b->call && a->to == b->to && a->count == b->count && a->comm == b->comm && a->type == b->type;
}

/* The shortest period of what is recorded, which must be there twice; 0: there is none. */
static int find_period(void)
{
    for (int period = 1; 2 * period <= count; period++) {
        int k = period;
        while (k < count && same(&recorded[k], &recorded[k - period]))
            k++;
        if (k == count)
            return period;
    }
    return 0;
}

/* Calls at a pace of so many ticks each that are to be expected, whole periods; 0: too few. */
static int choose_length(int period, int64_t pace)
{
    int64_t most = LONGEST_EXPECTED / (pace + 1);
    int length = (int)(most < HS__MOST_EXPECTED ? most : HS__MOST_EXPECTED) / period * period;
    return length >= HS__LEAST_EXPECTED ? length : 0;
}

/* The last one recorded is under way, and the first of those that will come again. */
static void expect(hs__monitor *m, int period, int length)
{
    for (int k = 0; k < length; k++) {
        expected[k] = recorded[(count - 1 + k) % period];
        numbers[k] = (uint16_t)expected[k].call;
    }
    expected[length] = hs__nothing_expected;
    passes = 0;
    m->yielded_from = NULL;
    m->next = m->counted = expected + 1;
    m->least_wait = m->least_send = 0;
}

static void give_up(void)
{
    pause = 2 * pause + 1 < LONGEST_PAUSE ? 2 * pause + 1 : LONGEST_PAUSE;
    waits = pause;
}

void hs__repeat_consider(hs__monitor *m)
{
    if (m->recording) {
        m->recording = 0;
        int period = count == m->calls - begun ? find_period() : 0; /* -1, or others came as well: none */
        int length = period ? choose_length(period, m->pace) : 0;
        if (length)
            expect(m, period, length);
        else
            give_up();
    } else if (waits > 0) {
        waits--;
    } else {
        m->recording = 1;
        count = 0;
        begun = m->calls;
    }
}

/* Counts and notes what came up to now. */
static void count_up(hs__monitor *m)
{
    const uint16_t *number = numbers + (m->counted - expected);
    size_t came = (size_t)(m->next - m->counted);
    m->calls += (int64_t)came;
    m->counted = m->next;
    hs__monitor_note_all(m, number, came);
}

void hs__repeat_end(hs__monitor *m)
{
    count_up(m);
    for (const hs__expected *e = expected + 1; hs__repeat_told && e->call; e++)
        if (passes + (e < m->next) > 0)
            hs__repeat_told(e, passes + (e < m->next));
    m->next = m->counted = &hs__nothing_expected;
}

void hs__repeat_interrupt(hs__monitor *m)
{
    m->unseen = m->inside ? -1 : hs__monitor_calls(m);
    hs__repeat_end(m);
}

void hs__repeat_turn(hs__monitor *m, int call)
{
    if (m->next->call == 0 && call == expected[0].call) {
        count_up(m);
        passes++;
        m->yielded_from = NULL;
        m->next = m->counted = expected + 1;
        return;
    }
    hs__repeat_end(m);
    if (passes < WORTHWHILE)
        give_up();
    else
        pause = 0;
}

int64_t hs__monitor_calls(const hs__monitor *m)
{
    return m->calls + (m->next - m->counted);
}
