/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "launch/pmix.h"

#ifdef HAVE_PMIX
#include "util/assert.h"
#include "util/elf.h"
#include "util/options.h"
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>

#define KEY "heteroslice"

static struct {
    int tells;
    uint64_t number;
    __typeof__(&PMIx_Get) get; /* NULL: the MPI library has committed nothing */
} self;

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
        *(void **)&self.get = find("PMIx_Get");
    return commit();
}

int hs__pmix_told(int rank, uint64_t *number)
{
    const char *job = hs__options_environment("PMIX_NAMESPACE");
    pmix_value_t *value = NULL;
    pmix_info_t here = {.key = PMIX_OPTIONAL, .value = {.type = PMIX_BOOL, .data.flag = true}};
    pmix_proc_t other = {.rank = (pmix_rank_t)rank};
    HS_ASSERT(rank >= 0);
    if (!self.get || !job)
        return 0;
    snprintf(other.nspace, sizeof other.nspace, "%s", job);
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

int hs__pmix_told(int rank, uint64_t *number)
{
    (void)rank, (void)number;
    return 0;
}

#endif
