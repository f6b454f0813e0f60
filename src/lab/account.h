/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_ACCOUNT_H
#define HS_LAB_ACCOUNT_H

/** What a host, or a core of it, may use. Times are in seconds. While its processes want to run (they run, are ready
 * without a core, or are stopped) it earns quota; time they run is subtracted; in debt it is to be stopped until its
 * balance is positive. Waiting for anything else earns nothing. */
typedef struct lab_account {
    int cores;
    double balance;     /* cpu time it may use, negative when in debt */
    double unaccounted; /* core time since it was continued that was reported neither as running nor as waiting */
    int width;          /* number of cores its processes wanted when last continued; 1 at first */
} lab_account;

/** It ran: since the last call `elapsed` has passed, and its processes used and waited for so much. per_core: the part
 * of a core that each of its cores is. */
void lab_account_run(lab_account *account, double per_core, double elapsed, double used, double waited);

/** It was stopped all the time since the last call. @return whether it may be continued */
int lab_account_rest(lab_account *account, double per_core, double elapsed);

/** It is continued; used: what its processes ran on their way to being stopped. Their waiting then is earned already. */
void lab_account_continue(lab_account *account, double used);

#endif
