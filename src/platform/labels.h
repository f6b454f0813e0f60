/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_LABELS_H
#define HS_PLATFORM_LABELS_H

#include "platform/draw.h"

/** A text of a drawing, around its middle. */
typedef struct hs__label {
    char text[80];
    double x, y, angle;             /* pixels; radians, 0: level */
    double half_width, half_height; /* pixels, as wide as most fonts make it */
    int size;                       /* of the font, pixels */
    int of_host;                    /* 1: a host's name, 0: another text */
} hs__label;

/** Names beside stations, and bandwidths with latencies beside cables, so that none is over another text or a station; for up
 * to HS__DRAWING_NAMED stations. Hosts come first, and all of a circle have theirs; else a text without room is left out.
 *
 * @param[out] labels  a new array that the caller frees
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__labels_create(const hs__drawing *drawing, hs__label **labels, size_t *count);

/** How wide a text of that font is, about; for marks outside of ASCII rather too wide. Pixels. */
double hs__label_width(const char *text, int size);

/** A bandwidth in bits or bytes, as the platform's file has it. */
char *hs__label_bandwidth(const hs_platform *platform, double bandwidth, char *buffer, size_t size);

#endif
