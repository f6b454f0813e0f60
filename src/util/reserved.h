/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_RESERVED_H
#define HS_UTIL_RESERVED_H

#include <heteroslice/hs_status.h>
#include <stdint.h>

enum { HS__RESERVED = 8 }; /* members of reserved[] in every struct of parameters that has grown no field yet */

/** Refuse parameters that this version of the library does not know.
 * @return HS_OK; HS_ERR_ARG with *error naming the member that is not 0 */
hs_status hs__reserved_check(const int64_t *reserved, int n, hs_error *error);

#endif
