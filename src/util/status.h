/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_STATUS_H
#define HS_UTIL_STATUS_H

#include <heteroslice/hs_status.h>

/** Write a status's own text into *error, where there is no more to say: no line, no value.
 * @param[out] error  may be NULL
 * @return status */
hs_status hs__error_status(hs_error *error, hs_status status);

/** Write into *error that an argument of a call is NULL.
 * @param[out] error  may be NULL
 * @return HS_ERR_ARG */
hs_status hs__error_null(hs_error *error, const char *call, const char *argument);

/** Write into *error what failed with a file or folder, and why. Of a path that leaves no room for that, its begin and its
 * end are told.
 * @param[in]  what   "cannot write"
 * @param[in]  code   an errno
 * @param[out] error  may be NULL
 * @return HS_ERR_IO */
hs_status hs__error_path(hs_error *error, const char *what, const char *path, int code);

/** End a public function by hs__error_null() when a pointer that it cannot do without is NULL. */
#define HS__RETURN_ERROR_IF_NULL(pointer, error)              \
    do {                                                      \
        if (!(pointer))                                       \
            return hs__error_null(error, __func__, #pointer); \
    } while (0)

#endif
