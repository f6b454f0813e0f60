/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_REPORT_SITES_H
#define HS_RUNTIME_REPORT_SITES_H

/* Call sites (HS_SITES) of all ranks. Processes have the same file at different addresses, so a site is known by the file and the
 * place in it. */

#include <jansson.h>

/** This rank's call sites as a JSON object for hs__sites_merge(); NULL when none are noted. */
json_t *hs__sites_json(const char *(*call_name)(int number));

/** Bring the sites of all ranks together.
 * @param own  [ranks] what hs__sites_json() made there; NULL: none
 * @return an object with the keys of doc/report.schema.json, call_sites and call_sites_left_out, the site that took longest first;
 * empty where no rank has any */
json_t *hs__sites_merge(json_t *const *own, int ranks);

#endif
