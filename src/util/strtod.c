/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"
#include "util/units.h"
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

/* Made once and then only read. */
static struct {
    pthread_once_t once;
    locale_t c;
} self = {PTHREAD_ONCE_INIT, (locale_t)0};

static void make_locale(void)
{
    self.c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* (locale_t)0: there is no memory for it. */
static locale_t c_locale(void)
{
    pthread_once(&self.once, make_locale);
    return self.c;
}

locale_t hs__c_locale_enter(void)
{
    return uselocale(c_locale()); /* (locale_t)0 changes nothing */
}

void hs__c_locale_leave(locale_t before)
{
    uselocale(before);
}

double hs__strtod_c(const char *text, char **end)
{
    locale_t c = c_locale();
    return c ? strtod_l(text, end, c) : strtod(text, end);
}
