/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_TRANSACTION_H
#define HS_RUNTIME_SESSION_TRANSACTION_H

/* The two agreements of a move: all ranks can begin; the data of all ranks are there. In between nothing of the old state
 * changes. With HS_CHECK=1 on all ranks every array is added up before and after: a sum over its rows that does not depend
 * on who holds them. */

#include "runtime/session/messages.h"

typedef struct hs__transaction {
    int64_t begun;    /* hs__clock_ns() */
    int checked;      /* arrays are added up */
    hs__record last;  /* of the second agreement: fill in time[HS__MOVE_RECEIVED] and the sums */
    const char *noun; /* what an array is called in an error text */
} hs__transaction;

hs__transaction hs__transaction_new(const char *noun);

/** All ranks can begin. With HS_CHECK=1 the plans of all messages are compared too. Collective.
 * @return HS_OK; mine, or another rank's status */
hs_status hs__transaction_begin(hs__transaction *transaction, hs__messages *messages, hs_status mine);

typedef enum hs__moment { HS__BEFORE, HS__AFTER } hs__moment; /* the move */

/** Where checked: what this rank's rows of an array add up to. The record's last value is that of all arrays that have none
 * of their own. */
void hs__transaction_note(hs__transaction *transaction, size_t array, hs__moment moment, uint64_t sum);

/** The data of all ranks are there, and are what they were. Collective; on HS_OK nothing may fail any more.
 * @return HS_OK; mine, or another rank's status; HS_ERR_INTERNAL: an array's contents are not what they were, which rank
 *         0 prints */
hs_status hs__transaction_end(hs__transaction *transaction, hs_context *context, hs_status mine);

/** A number for the contents of row (or block) number `row`: any other contents of one row give another sum over rows,
 * contents that have changed places nearly always. */
uint64_t hs__checksum_row(uint64_t row, const void *bytes, size_t n);

#endif
