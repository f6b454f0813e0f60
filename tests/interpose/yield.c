/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that MPI libraries call after, or to make, a poll: what they do within a call that waits; elsewhere they are only
 * passed on. The real functions and the nap are stand-ins, so any machine tries what MPICH does on UCX. */
#include "tests/unit.h"

#include "interpose/hooks.h"
#include "interpose/waiting.h"
#include <dlfcn.h>
#include <sched.h>

static struct {
    int hidden;  /* the real functions are found in libraries loaded for a plugin alone */
    int naps;    /* it is time to nap */
    int polling; /* the program is in a loop of polls */
    int asked, paused, yielded, polled, waited;
    unsigned events; /* that the next poll finds */
} play;

int sched_yield(void);
unsigned ucp_worker_progress(void *worker);
void *__wrap_dlsym(void *handle, const char *name);
void *__wrap_hs__elf_loaded(const char *library, const char *name);
int __wrap_hs__waiting_nap(void);
void __wrap_hs__backoff_pause(int64_t waited_ns);

static int yield(void)
{
    play.yielded++;
    return 5;
}

static unsigned progress(void *worker)
{
    assert_ptr_equal(worker, &play);
    play.polled++;
    return play.events;
}

static void *find(const char *name)
{
    void *function = NULL;
    if (strcmp(name, "sched_yield") == 0)
        *(int (**)(void)) & function = yield;
    else if (strcmp(name, "ucp_worker_progress") == 0)
        *(unsigned (**)(void *)) & function = progress;
    return function;
}

void *__wrap_dlsym(void *handle, const char *name)
{
    assert_ptr_equal(handle, RTLD_NEXT);
    return play.hidden ? NULL : find(name);
}

void *__wrap_hs__elf_loaded(const char *library, const char *name)
{
    assert_non_null(strstr(library, strcmp(name, "sched_yield") == 0 ? "libc" : "libucp"));
    return find(name);
}

int __wrap_hs__waiting_nap(void)
{
    play.asked++;
    return play.naps;
}

void __wrap_hs__backoff_pause(int64_t waited_ns)
{
    assert_true(waited_ns == 0);
    play.paused++;
}

int hs__polling(void)
{
    return play.polling;
}

void hs__polling_yielded(void)
{
    assert_int_equal(play.yielded, 1);
    play.waited++;
}

/* Within a call that waits or not, with some polls since the last yield and three quiet ones before. */
static void begin(int waits, int pauses, int polls, int naps)
{
    hs__waiting.pauses = pauses;
    hs__waiting_self = (hs__waiting_call){.frame = waits ? UINTPTR_MAX : 0, .polls = polls, .quiet_polls = 3};
    play.naps = naps;
    play.asked = play.paused = play.yielded = play.polled = play.waited = 0;
}

static void yields(void **state)
{
    for (int way = 0; way < 3; way++)
        for (int naps = 0; naps < 2; naps++) { /* not in a call that waits, or not to pause */
            begin(way & 1, way >> 1, 7, naps);
            assert_int_equal(sched_yield(), 5);
            assert_true(play.yielded == 1 && play.asked == 0);
            assert_true(hs__waiting_self.polls == 7 && hs__waiting_self.quiet_polls == 3);
        }
    for (int polls = 0; polls < 4; polls++)
        for (int naps = 0; naps < 2; naps++) {
            begin(1, 1, polls, naps);
            assert_int_equal(sched_yield(), naps ? 0 : 5);
            assert_true(play.yielded == !naps && play.asked == 1);
            assert_int_equal(hs__waiting_self.polls, 0);
            assert_int_equal(hs__waiting_self.quiet_polls,
                             polls > 1 ? 0 : 3); /* those before the last one found something */
        }
}

static void yields_of_the_program(void **state)
{
    for (play.polling = 0; play.polling < 2; play.polling++) {
        begin(0, 1, 0, 1);
        assert_int_equal(sched_yield(), 5);
        assert_int_equal(play.waited, play.polling);
    }
    play.polling = 0;
}

static void polls_of_ucx(void **state)
{
    play.hidden = 1;
    hs__waiting.polls_by_ucx = 0;
    for (int way = 0; way < 16; way++) {
        int waits = (way & 3) == 3, naps = way >> 2 & 1;
        begin(way & 1, way >> 1 & 1, 0, naps);
        play.events = way >> 3 ? 4 : 0;
        assert_int_equal(ucp_worker_progress(&play), play.events);
        assert_int_equal(play.polled, 1);
        assert_int_equal(play.asked, waits && !play.events);
        assert_int_equal(play.paused, waits && !play.events && !naps);
        assert_int_equal(hs__waiting_self.quiet_polls, play.events ? 0 : 3);
        assert_int_equal(hs__waiting.polls_by_ucx, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(yields), cmocka_unit_test(yields_of_the_program),
                                       cmocka_unit_test(polls_of_ucx)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
