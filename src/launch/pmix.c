/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "launch/pmix.h"

#ifdef HAVE_PMIX
#include "util/assert.h"
#include "util/elf.h"
#include "util/options.h"
#include <pmix.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define KEY "heteroslice"

/* Seconds for a host to answer, which takes milliseconds. */
enum { PATIENCE = 10 };

static struct {
    int tells;
    uint64_t number;
    char theirs[PMIX_MAX_KEYLEN + 1]; /* what the MPI library has put for other hosts; "": nothing yet */
    __typeof__(&PMIx_Get) get;        /* NULL: the MPI library has committed nothing */
    __typeof__(&PMIx_Get_nb) ask;
} self;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int open; /* questions without an answer */
} asked = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

/* The MPI library has loaded it, maybe for a plugin alone. */
static void *find(const char *name)
{
    return hs__elf_loaded("libpmix.so.2", name);
}

void hs__pmix_tell(uint64_t number)
{
    self.tells = 1;
    self.number = number;
}

int hs__pmix_put(unsigned char scope, const char *key, void *value)
{
    __typeof__(&PMIx_Put) put;
    *(void **)&put = find("PMIx_Put");
    if (!put)
        return PMIX_ERR_NOT_SUPPORTED;
    if (!self.theirs[0] && scope != PMIX_LOCAL)
        snprintf(self.theirs, sizeof self.theirs, "%s", key);
    return put(scope, key, value);
}

int hs__pmix_commit(void)
{
    pmix_value_t value = {.type = PMIX_UINT64, .data.uint64 = self.number};
    __typeof__(&PMIx_Commit) commit;
    __typeof__(&PMIx_Put) put;
    *(void **)&commit = find("PMIx_Commit");
    *(void **)&put = find("PMIx_Put");
    if (!commit)
        return PMIX_ERR_NOT_SUPPORTED;
    if (self.tells && put && put(PMIX_GLOBAL, KEY, &value) == PMIX_SUCCESS)
        *(void **)&self.get = find("PMIx_Get"), *(void **)&self.ask = find("PMIx_Get_nb");
    return commit();
}

/* ---- Asking ---- */

/* A rank of this job. @return whether the job has a name */
static int name_rank(int rank, pmix_proc_t *name)
{
    const char *job = hs__options_environment("PMIX_NAMESPACE");
    if (!job)
        return 0;
    *name = (pmix_proc_t){.rank = (pmix_rank_t)rank};
    snprintf(name->nspace, sizeof name->nspace, "%s", job);
    return 1;
}

static void change_open(int by)
{
    pthread_mutex_lock(&asked.lock);
    asked.open += by;
    pthread_cond_signal(&asked.changed);
    pthread_mutex_unlock(&asked.lock);
}

/* In a thread of PMIx, which has kept the value. */
static void answered(pmix_status_t status, pmix_value_t *value, void *nothing)
{
    (void)status, (void)value, (void)nothing;
    change_open(-1);
}

/* A second longer than PMIx has been told to wait. */
static void wait_for_answers(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE + 1;
    pthread_mutex_lock(&asked.lock);
    while (asked.open > 0 && pthread_cond_timedwait(&asked.changed, &asked.lock, &until) == 0)
        ;
    pthread_mutex_unlock(&asked.lock);
}

/* A host answers once it has what is asked for, and with all that the rank has put: so what MPI libraries put on every
 * rank is asked for, and a rank that has told nothing keeps nobody waiting. */
void hs__pmix_ask(int size)
{
    static pmix_info_t patience = {.key = PMIX_TIMEOUT, .value = {.type = PMIX_INT, .data.integer = PATIENCE}};
    pmix_proc_t other;
    HS_ASSERT(size > 0 && asked.open == 0);
    for (int r = 0; self.ask && self.theirs[0] && r < size && name_rank(r, &other); r++) {
        change_open(1);
        if (self.ask(&other, self.theirs, &patience, 1, answered, NULL) != PMIX_SUCCESS)
            change_open(-1);
    }
    wait_for_answers();
}

int hs__pmix_told(int rank, uint64_t *number)
{
    pmix_value_t *value = NULL;
    pmix_info_t here = {.key = PMIX_OPTIONAL, .value = {.type = PMIX_BOOL, .data.flag = true}};
    pmix_proc_t other;
    HS_ASSERT(rank >= 0);
    if (!self.get || !name_rank(rank, &other))
        return 0;
    int found = self.get(&other, KEY, &here, 1, &value) == PMIX_SUCCESS && value && value->type == PMIX_UINT64;
    if (found)
        *number = value->data.uint64;
    free(value);
    return found;
}

#else

void hs__pmix_tell(uint64_t number)
{
    (void)number;
}

void hs__pmix_ask(int size)
{
    (void)size;
}

int hs__pmix_told(int rank, uint64_t *number)
{
    (void)rank, (void)number;
    return 0;
}

#endif
