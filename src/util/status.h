/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_STATUS_H
#define HS_UTIL_STATUS_H

#include <heteroslice/hs_status.h>

/** Write a status's own text into *error, where there is no more to say: no line, no value.
 * @param[out] error  may be NULL
 * @return status */
hs_status hs__error_status(hs_error *error, hs_status status);

#endif
