/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_DRAW_H
#define HS_PLATFORM_DRAW_H

/* Drawings of a platform: draw.c finds what to draw, layout.c and outline.c where, labels.c where texts go; draw_svg.c and
 * draw_dot.c write it. Callers that draw more (a ring, loads, shares) change widths and areas and the captions that
 * explain them, add a ring, and have everything laid out again. */

#include "util/pool.h"
#include <heteroslice/hs_platform.h>
#include <stdio.h>

/** A line between two stations. */
typedef struct hs__cable {
    int a, b;
    int link; /* the link, of a duplex pair the lower index; -1: joined without a link of its own */
    int bend; /* 0 for the first cable between two stations, 1, 2, ... for further ones */
} hs__cable;

/** A closed curve through stations, such as a ring of hosts. */
typedef struct hs__loop {
    const int *stations; /* in order; borrowed */
    size_t count;
} hs__loop;

typedef struct hs__drawing {
    const hs_platform *platform; /* borrowed */
    int stations;      /* hosts and routers by node index, then links that join more than two, then the rest */
    int *station_link; /* of each station: the link it stands for, or -1 */
    hs__cable *cables;
    size_t cable_count;
    double *x, *y;         /* of each station, pixels */
    double *area;          /* of each host, square pixels; set from its speed, may be changed */
    double *width;         /* of each link, pixels; set from its bandwidth, may be changed */
    char title[96];        /* how many hosts and links; may be changed; empty: none */
    char area_caption[96]; /* what areas and widths mean; set likewise */
    char width_caption[96];
    hs__loop loop;               /* of hosts, drawn on top; empty at first */
    const unsigned char *hollow; /* [host] 1: drawn empty; borrowed; NULL at first: none is */
    hs__pool pool;
} hs__drawing;

/** Find what to draw and where. Deterministic.
 * Cost:       O(stations + links on routes), and O(stations^2) rounds of moving up to HS__LAYOUT_MAX stations. */
hs_status hs__drawing_create(const hs_platform *platform, hs__drawing **drawing);

void hs__drawing_free(hs__drawing *drawing);

/** Radius of a station as drawn, pixels. */
double hs__drawing_radius(const hs__drawing *drawing, int station);

/** The point that a cable bends towards: beside its middle, away from its parallels, alternately to either side. */
void hs__drawing_bend(const hs__drawing *drawing, const hs__cable *cable, double *x, double *y);

/** Set x and y from stations, cables, areas and the loop: again after the areas or the loop were changed. */
hs_status hs__drawing_layout(hs__drawing *drawing);

/** Write the drawing; errors of writing show in the stream. @return HS_OK; HS_ERR_NOMEM, with nothing written */
hs_status hs__drawing_svg(const hs__drawing *drawing, FILE *stream);
hs_status hs__drawing_dot(const hs__drawing *drawing, FILE *stream);

enum {
    HS__DRAWING_FEW = 16,    /* up to so many stations cables are twice as long */
    HS__DRAWING_NAMED = 150, /* up to so many stations they carry their names */
    HS__LAYOUT_MAX = 400     /* up to so many stations of a part they are moved for the best distances */
};

#endif
