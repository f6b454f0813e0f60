/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TIMELINE_WRITE_H
#define HS_TIMELINE_WRITE_H

#include "timeline/events.h"
#include <stdio.h>

/** Whether this build can write timelines: it has protobuf-c. */
int hs__timeline_can_write(void);

/** Write a track of Perfetto's trace format. Tracks that follow each other in a file are one trace.
 * @param[in] track      its number, >= 0, another for each
 * @param[in] event      [n] in the order of hs__events_stop(), in nanoseconds
 * @param[in] call_name  of the functions by their numbers; may return NULL
 * @return 0, or -1 when memory is out. Errors of the stream are left to it. */
int hs__timeline_write(FILE *out, int track, const char *name, const hs__event *event, size_t n,
                       const char *(*call_name)(int number));

#endif
