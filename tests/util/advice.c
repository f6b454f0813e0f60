/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/advice.h"
#include "tests/unit.h"
#include <limits.h>

#define EIGHT(text) text text text text text text text text
#define TOO_LONG "--hostfile " EIGHT(EIGHT("abcd"))

/* Runs of six ranks, and what comes first of what could be done. */
static const struct {
    hs__run_facts facts;
    hs__advice advice;
    const char *command;
} rows[] = {
    /* ranks without a core, imbalance, messages */
    {{6, 2, .queue = 0.11, .lost = 0.1, .balance = "off"}, HS__ADVISE_FEWER_RANKS, "hs run --"},
    {{6, 2, .queue = 0.1, .lost = 0.1, .balance = "off"}, HS__ADVISE_BALANCING, "HS_BALANCE=on hs run -n 6 --"},
    {{6, 2, .lost = 0.1, .communicating = 0.1}, HS__ADVISE_MORE_ON_FASTER, "hs run -n 6 --"},
    {{6, 2, .lost = 0.05, .communicating = 0.9}, HS__ADVISE_MORE_ON_FASTER, "hs run -n 6 --"},
    {{6, 2, .lost = 0.049, .communicating = 0.2}, HS__ADVISE_NOTHING, ""},
    {{6, 2, .lost = 0.049, .communicating = 0.21}, HS__ADVISE_REORDERING, "HS_REORDER=topology hs run -n 6 --"},
    /* what was done already, or has no place on one host */
    {{6, 2, .lost = 0.1, .platform = "p.xml"}, HS__ADVISE_PARTS, ""},
    {{6, 1, .lost = 0.1}, HS__ADVISE_PARTS, ""},
    {{6, 2, .lost = 0.1, .balance = "on"}, HS__ADVISE_MORE_ON_FASTER, "hs run -n 6 --"},
    {{6, 2, .communicating = 0.5, .reorder = "off"}, HS__ADVISE_REORDERING, "HS_REORDER=topology hs run -n 6 --"},
    {{6, 2, .communicating = 0.5, .reorder = "topology"}, HS__ADVISE_FEWER_MESSAGES, ""},
    {{6, 2, .communicating = 0.5, .reorder = "world"}, HS__ADVISE_FEWER_MESSAGES, ""},
    {{6, 1, .communicating = 0.5}, HS__ADVISE_FEWER_MESSAGES, ""},
    /* programs that call hs_balance() */
    {{6, 2, .lost = 0.1, .calls_balance = 1, .balance = "static"},
     HS__ADVISE_BALANCING,
     "HS_BALANCE=on hs run -n 6 --"},
    {{6, 2, .lost = 0.1, .calls_balance = 1}, HS__ADVISE_DECISIONS, "HS_LOG_DECISIONS=decisions hs run -n 6 --"},
    {{6, 2, .lost = 0.1, .calls_balance = 1, .logs_decisions = 1}, HS__ADVISE_DECISIONS, ""},
    {{6, 2, .lost = 0.1, .logs_decisions = 1}, HS__ADVISE_MORE_ON_FASTER, "hs run -n 6 --"},
    {{6, 2, .communicating = 0.1, .calls_balance = 1}, HS__ADVISE_NOTHING, ""},
    /* on an emulated cluster */
    {{6, 2, .queue = 0.11, .lab = "two"}, HS__ADVISE_FEWER_RANKS, "hs run --lab two --"},
    {{6, 2, .lost = 0.1, .balance = "off", .platform = "m.xml", .run_hosts = "--hostfile hosts --platform p.xml"},
     HS__ADVISE_BALANCING,
     "HS_BALANCE=on hs run --hostfile hosts --platform p.xml -n 6 --"},
    {{6, 2, .queue = 0.11, .run_hosts = ""}, HS__ADVISE_FEWER_RANKS, "hs run --"},
    {{6, 2, .queue = 0.11, .run_hosts = TOO_LONG}, HS__ADVISE_FEWER_RANKS, "hs run --"},
    {{6, 2, .lost = 0.1, .lab = ""}, HS__ADVISE_MORE_ON_FASTER, "hs run -n 6 --"},
    {{INT_MAX, 2, .lost = 0.1, .calls_balance = 1, .lab = "12345678-12345678-12345678-12345"},
     HS__ADVISE_DECISIONS,
     "HS_LOG_DECISIONS=decisions hs run --lab 12345678-12345678-12345678-12345 -n 2147483647 --"},
};

static void the_first_that_applies(void **state)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char text[HS__ADVICE_SIZE] = "?";
        const char *command = hs__advice_command(&rows[r].facts, text);
        if (hs__advice_choose(&rows[r].facts) != rows[r].advice || strcmp(command, rows[r].command) != 0)
            fail_msg("row %zu: advice %d, '%s'", r, hs__advice_choose(&rows[r].facts), command);
    }
}

/* The largest part of the run counts, of hosts with more than one rank; a run of no time has none. */
static void queues_of_hosts(void **state)
{
    hs__run_facts facts = {.ranks = 5, .hosts = 3};
    hs__advice_add_host(&facts, 2, 0.5, 10);
    CHECK_CLOSE(facts.queue, 0.025, 1e-15);
    hs__advice_add_host(&facts, 1, 8, 10);
    hs__advice_add_host(&facts, 2, 0.4, 10);
    hs__advice_add_host(&facts, 2, 1, 0);
    CHECK_CLOSE(facts.queue, 0.025, 1e-15);
    hs__advice_add_host(&facts, 2, 4, 10);
    CHECK_CLOSE(facts.queue, 0.2, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_that_applies), cmocka_unit_test(queues_of_hosts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
