/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_UNITS_H
#define HETEROSLICE_HS_UNITS_H

#include <heteroslice/hs_status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of quantity and their base units, in SimGrid's spelling. */
typedef enum hs_unit {
    HS_UNIT_SPEED,     /* flop/s:  f kf Mf Gf Tf Pf Ef Zf, Kif Mif ..., flops kiloflops megaflops ... */
    HS_UNIT_BANDWIDTH, /* bytes/s: Bps kBps MBps GBps TBps, KiBps ..., and bits: bps kbps Mbps Gbps, Kibps ... */
    HS_UNIT_TIME,      /* seconds: ps ns us ms s m h d w */
    HS_UNIT_SIZE,      /* bytes:   B kB MB GB TB, KiB ..., and bits: b kb Mb ... */
    HS_UNIT_WORK,      /* flop:    f kf Mf Gf Tf ... (work units; a bare number is allowed where bare is) */
    HS_UNIT_NUMBER     /* a count or ratio: bare, or k M G ..., Ki Mi ... */
} hs_unit;

typedef enum hs_bare { HS_BARE_REFUSED, HS_BARE_ALLOWED } hs_bare;

/** Read a quantity such as "8Gf", "100Mbps", "2us" into base units.
 *
 * Blanks between number and unit are allowed; anything else behind the unit is an error. Negative, NaN and infinite
 * values are errors, and so is zero for speeds and bandwidths. Other values lie between 1e-100 and 1e100 base units, so
 * that planners can multiply and divide them.
 *
 * @param[in]  text   NUL-terminated
 * @param[in]  unit   the kind expected
 * @param[in]  bare   whether a number without unit (base units) is accepted
 * @param[out] value  base units, finite; written only on HS_OK
 * @param[out] error  on failure one line naming the text and what was expected; may be NULL
 * @return HS_OK; HS_ERR_PARSE
 */
HS_API hs_status hs_quantity_parse(const char *text, hs_unit unit, hs_bare bare, double *value, hs_error *error);

/** Print value in the largest unit that keeps it at or above 1, four significant digits: "8 Gf", "12.5 MBps", "2 us".
 * @param[out] buffer  at least 32 bytes
 * @return buffer */
HS_API char *hs_quantity_format(double value, hs_unit unit, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
