/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PAPI_H
#define HS_TESTS_PAPI_H

/* A machine whose instructions are what a test says: what the library links to of PAPI, where the build has that. Other
 * events cannot be counted, and one set runs at a time. */

#include "config.h"

static double papi_executed; /* instructions so far */

#ifdef HAVE_PAPI
#include <papi.h>

enum { COUNTED_HERE = 1 };
static int papi_none;    /* this machine counts nothing */
static int papi_sets;    /* that exist */
static int papi_running; /* whether one runs */
static double papi_begun;

int PAPI_library_init(int version)
{
    return version;
}

int PAPI_is_initialized(void)
{
    return PAPI_LOW_LEVEL_INITED;
}

int PAPI_create_eventset(int *set)
{
    *set = papi_sets++;
    return PAPI_OK;
}

int PAPI_add_event(int set, int event)
{
    (void)set;
    return event == PAPI_TOT_INS && !papi_none ? PAPI_OK : PAPI_ENOEVNT;
}

int PAPI_start(int set)
{
    (void)set;
    if (papi_running)
        return PAPI_EISRUN;
    papi_running = 1;
    papi_begun = papi_executed;
    return PAPI_OK;
}

int PAPI_stop(int set, long long *value)
{
    (void)set;
    if (!papi_running)
        return PAPI_ENOTRUN;
    papi_running = 0;
    *value = (long long)(papi_executed - papi_begun);
    return PAPI_OK;
}

int PAPI_cleanup_eventset(int set)
{
    (void)set;
    return PAPI_OK;
}

int PAPI_destroy_eventset(int *set)
{
    *set = PAPI_NULL;
    papi_sets--;
    return PAPI_OK;
}
#else
enum { COUNTED_HERE = 0, papi_sets = 0, papi_running = 0 };
static int papi_none;
#endif

#endif
