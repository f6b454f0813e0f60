/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/assert.h"
#include "util/message.h"
#include "util/options.h"
#include <stdlib.h>

atomic_int hs__checking_flag = 2;

int hs__checking_read(void)
{
    hs__options options;
    hs__options_read(&options, hs__options_environment, NULL, NULL, NULL); /* the runtime warns of bad values */
    atomic_store_explicit(&hs__checking_flag, options.check, memory_order_relaxed);
    return options.check;
}

void hs__assert_failed(const char *file, int line, const char *text)
{
    hs__message("%s:%d: assertion failed: %s", file, line, text);
    abort();
}
