/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls from one reading of the clock to the next are recorded; when they are the same few again and again, as many
 * as fit between two readings are expected, beginning behind the call that reads it. */
#include "runtime/watch/repeat.h"
#include "runtime/base/hot.h"

enum {
    LONGEST_EXPECTED = 256 * HS__SHORT_ROUND, /* ticks between two readings, as a rule */
    WORTHWHILE = 4,                           /* passes; fewer were not worth the recording */
    LONGEST_PAUSE = 63                        /* readings, after those that were not */
};

HS__HOT hs__expected hs__nothing_expected;
void (*hs__repeat_told)(void *account, int64_t bytes, int64_t times);

static hs__expected expected[HS__MOST_EXPECTED + 1]; /* the first one reads the clock, one behind the last is none */
static uint16_t numbers[HS__MOST_EXPECTED];          /* theirs */
static int length, period;                           /* how many there are, and after how many it is the same again */
static int64_t passes;                               /* through all of them */

static struct {
    hs__expected call;
    void *account; /* NULL: it tells nothing */
    int64_t bytes;
} recorded[HS__MOST_EXPECTED];
static int count;        /* of those; -1: not to be expected */
static int64_t begun;    /* calls when the recording did */
static int pause, waits; /* readings to leave out before the next recording, and how many of them are left */

void hs__repeat_record(const hs__expected *call, void *account, int64_t bytes)
{
    if (count < 0 || count >= HS__MOST_EXPECTED) {
        hs__repeat_do_not_record();
        return;
    }
    recorded[count].call = *call;
    recorded[count].account = account;
    recorded[count++].bytes = bytes;
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
    for (int shift = 1; 2 * shift <= count; shift++) {
        int k = shift;
        while (k < count && same(&recorded[k].call, &recorded[k - shift].call))
            k++;
        if (k == count)
            return shift;
    }
    return 0;
}

/* Calls at a pace of so many ticks each that are to be expected, whole periods; 0: too few. */
static int choose_length(int64_t pace)
{
    int64_t most = LONGEST_EXPECTED / (pace + 1);
    int chosen = (int)(most < HS__MOST_EXPECTED ? most : HS__MOST_EXPECTED) / period * period;
    return chosen >= HS__LEAST_EXPECTED ? chosen : 0;
}

static void begin_pass(hs__monitor *m)
{
    m->yielded_from = NULL;
    m->next = m->counted = expected + 1;
}

/* The last one recorded is under way, and the first of those that will come again. */
static void expect(hs__monitor *m)
{
    for (int k = 0; k < length; k++) {
        expected[k] = recorded[(count - 1 + k) % period].call;
        numbers[k] = (uint16_t)expected[k].call;
    }
    expected[length] = hs__nothing_expected;
    passes = 0;
    begin_pass(m);
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
        period = count == m->calls - begun ? find_period() : 0; /* -1, or others came as well: none */
        length = period ? choose_length(m->pace) : 0;
        if (length)
            expect(m);
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

/* How often the call at a place within the period is among the first n that are expected, but for the one that reads
 * the clock. */
static int64_t among(int n, int place)
{
    return n > place ? (n - 1 - place) / period + (place > 0) : 0;
}

void hs__repeat_end(hs__monitor *m)
{
    int came = (int)(m->next - expected);
    count_up(m);
    for (int place = 0; place < period; place++) {
        int64_t times = passes * among(length, place) + among(came, place);
        int k = (count - 1 + place) % period;
        if (recorded[k].account && times > 0)
            hs__repeat_told(recorded[k].account, recorded[k].bytes, times);
    }
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
        begin_pass(m);
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
