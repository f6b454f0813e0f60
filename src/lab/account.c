/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "lab/account.h"
#include <math.h>

static const double max_saved_time = 0.020; /* seconds of quota a host can save up while it waits for a core */

/* The kernel reports a wait only when it has ended, so a reported wait may be longer than a tick, but not longer than the
 * time unaccounted for. A unit in debt was busy until now, though part of its waiting is not reported yet. */
void lab_account_run(lab_account *account, double per_core, double elapsed, double used, double waited)
{
    account->unaccounted += account->cores * elapsed;
    double wanted = fmin(used + waited, account->unaccounted);
    account->width = (int)fmax(1, fmin(account->cores, round(wanted / elapsed)));
    if (account->balance + per_core * wanted - used < 0)
        wanted = fmax(wanted, fmin(account->width * elapsed, account->unaccounted));
    account->unaccounted -= wanted;
    account->balance = fmin(account->balance + per_core * wanted - used, per_core * account->cores * max_saved_time);
}

int lab_account_rest(lab_account *account, double per_core, double elapsed)
{
    account->balance += per_core * account->width * elapsed;
    return account->balance >= 0;
}

void lab_account_continue(lab_account *account, double used)
{
    account->balance -= used;
    account->unaccounted = 0;
}
