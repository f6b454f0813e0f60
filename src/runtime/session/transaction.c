/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/transaction.h"
#include "util/assert.h"
#include "util/clock.h"
#include "util/hash.h"
#include <string.h>

enum { LAST_VALUE = HS__RECORD_VALUES - 1 };

hs__transaction hs__transaction_new(const char *noun)
{
    return (hs__transaction){.begun = hs__clock_ns(), .last = {.operation = HS__OP_MOVE}, .noun = noun};
}

static hs_status agree(const hs__transaction *t, hs_context *context, hs_status mine)
{
    hs__record record = t->last;
    record.status = mine;
    record.time[HS__MOVE_SECONDS] = (double)(hs__clock_ns() - t->begun) * 1e-9;
    record.time[HS__MOVE_UNCHECKED] = !hs__checking();
    return hs__agree(context, &record, NULL);
}

hs_status hs__transaction_begin(hs__transaction *t, hs__messages *messages, hs_status mine)
{
    hs_status status = agree(t, messages->context, mine);
    t->checked = status == HS_OK && hs__gathered_most(messages->context, HS__MOVE_UNCHECKED) == 0;
    if (t->checked)
        HS_ASSERT(hs__messages_check(messages, NULL) != HS_ERR_INTERNAL);
    return status;
}

void hs__transaction_note(hs__transaction *t, size_t array, hs__moment moment, uint64_t sum)
{
    int64_t *value = &t->last.value[array < LAST_VALUE ? array : LAST_VALUE];
    HS_ASSERT(t->checked);
    uint64_t grown = (uint64_t)*value + (moment == HS__AFTER ? sum : -sum);
    memcpy(value, &grown, sizeof grown);
}

/* What one rank's rows have grown by, the others' have lost. */
static hs_status compare(const hs__transaction *t, hs_context *context)
{
    const hs__record *all = context->gathering.all;
    for (int k = 0; k < HS__RECORD_VALUES; k++) {
        uint64_t grown = 0;
        for (int r = 0; r < context->size; r++)
            grown += (uint64_t)all[r].value[k];
        if (grown == 0)
            continue;
        hs__context_fail(context, HS_ERR_INTERNAL, "%s: the contents of %s %d%s have changed; nothing has moved",
                         hs__operation_name(all[0].operation), t->noun, k, k == LAST_VALUE ? " or a later one" : "");
        if (context->rank == 0)
            hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
        return HS_ERR_INTERNAL;
    }
    return HS_OK;
}

hs_status hs__transaction_end(hs__transaction *t, hs_context *context, hs_status mine)
{
    hs_status status = agree(t, context, mine);
    return status == HS_OK ? compare(t, context) : status;
}

/* Words in place of bytes: eight times as fast. Each step is a bijection, so no change of one word is lost. */
uint64_t hs__checksum_row(uint64_t row, const void *bytes, size_t n)
{
    const char *at = bytes;
    uint64_t hash = hs__hash_add(HS__HASH_START, row), word;
    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = hs__hash_add(hash, word);
    }
    return hs__hash_spread(hs__hash_bytes(hash, at, n));
}
