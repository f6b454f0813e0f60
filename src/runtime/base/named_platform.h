/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_NAMED_PLATFORM_H
#define HS_RUNTIME_BASE_NAMED_PLATFORM_H

#include <heteroslice/hs_platform.h>

/** The platform of the file that HS_PLATFORM names, read when it is first asked for; NULL when none is named, or it cannot be
 * read. Any thread; lives forever. */
const hs_platform *hs__named_platform(void);

/** The same, for MPI_Init, before anything else has used it. */
hs_platform *hs__named_platform_to_correct(void);

/** Read it, and say on stderr what is wrong with a file that cannot be read: plans that need it would silently do without. */
void hs__named_platform_check(void);

#endif
