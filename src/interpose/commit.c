/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI library calls these in MPI_Init. */
#include "config.h"

#ifdef HAVE_PMIX
#include "launch/pmix.h"
#include <heteroslice/hs_status.h>

HS_API int PMIx_Put(unsigned char scope, const char *key, void *value);
HS_API int PMIx_Commit(void);

HS_API int PMIx_Put(unsigned char scope, const char *key, void *value)
{
    return hs__pmix_put(scope, key, value);
}

HS_API int PMIx_Commit(void)
{
    return hs__pmix_commit();
}
#endif
