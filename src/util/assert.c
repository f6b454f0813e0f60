/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/assert.h"
#include "util/message.h"
#include "util/options.h"
#include <pthread.h>
#include <stdlib.h>

atomic_int hs__checking_flag = 2;

/* Options are too large for a small stack. */
static void read_once(void)
{
    static hs__options options;
    hs__options_read(&options, hs__options_environment, NULL, NULL, NULL); /* the runtime warns of bad values */
    atomic_store_explicit(&hs__checking_flag, options.check, memory_order_relaxed);
}

int hs__checking_read(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_once);
    return atomic_load_explicit(&hs__checking_flag, memory_order_relaxed);
}

void hs__assert_failed(const char *file, int line, const char *text)
{
    hs__message("%s:%d: assertion failed: %s", file, line, text);
    abort();
}
