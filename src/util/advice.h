/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_ADVICE_H
#define HS_UTIL_ADVICE_H

/* What to do about a run that lost time: one choice for the lines at its end and for the page of its report. */

/** What is known of a run. Settings are the values of the variables; NULL: not set. */
typedef struct hs__run_facts {
    int ranks, hosts;
    double queue;                             /* the largest of a host, see hs__advice_add_host() */
    double lost;                              /* to imbalance, by the wall time */
    double communicating;                     /* likewise, what the efficiency of communication lacks */
    int calls_balance;                        /* hs_balance(), as far as is known */
    int logs_decisions;                       /* of hs_balance(), for everybody to read */
    const char *balance, *platform, *reorder; /* HS_BALANCE, HS_PLATFORM, HS_REORDER */
    const char *lab;                          /* HS_LAB, the emulated cluster that it was on */
    const char *run_hosts;                    /* HS_RUN_HOSTS, what hs run was told of hosts */
} hs__run_facts;

typedef enum hs__advice {
    HS__ADVISE_FEWER_RANKS,    /* ranks without a core */
    HS__ADVISE_NOTHING,        /* it is balanced */
    HS__ADVISE_BALANCING,      /* which was off, or planned once */
    HS__ADVISE_DECISIONS,      /* of hs_balance(), logged or to be logged */
    HS__ADVISE_MORE_ON_FASTER, /* ranks by speed */
    HS__ADVISE_PARTS,          /* of the data by speed: ranks are placed, or are on one host */
    HS__ADVISE_REORDERING,     /* for messages */
    HS__ADVISE_FEWER_MESSAGES
} hs__advice;

/** Add a host on which ranks were ready but had no core for queue seconds in all, of run seconds each after MPI_Init. Where
 * there is one rank, others than ranks took its core. */
void hs__advice_add_host(hs__run_facts *facts, int ranks, double queue, double run);

/** The first advice that applies. */
hs__advice hs__advice_choose(const hs__run_facts *facts);

/** Write the command that it comes to, up to the program: "HS_BALANCE=on hs run -n 6 --"; "" where it is none. Hosts that
 * it has no room for are left out. @return text */
enum { HS__ADVICE_SIZE = 512 };
const char *hs__advice_command(const hs__run_facts *facts, char text[HS__ADVICE_SIZE]);

#endif
