/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_TILES_H
#define HS_CLI_BASE_TILES_H

/* Draws matrices that are divided into the hosts' rectangles. */

#include <heteroslice/hs_columns.h>
#include <jansson.h>
#include <stdio.h>

/** A panel: a matrix of world_width x world_height drawn into a rectangle of the page. */
typedef struct cli_panel {
    double x, y, width, height; /* on the page */
    double world_width, world_height;
    const json_t *names; /* as cli_host_name() takes them */
} cli_panel;

/** Begin a page of this size with a title; end it with cli_tiles_end(). */
void cli_tiles_begin(FILE *out, double width, double height, const char *title);
void cli_tiles_end(FILE *out);

/** Position on the page of a point of the matrix. */
double cli_tiles_x(const cli_panel *panel, double x);
double cli_tiles_y(const cli_panel *panel, double y);

/** Draw a host's rectangle with its name or number and, when there is room, a note. A tooltip shows both and the size.
 */
void cli_tiles_draw(FILE *out, const cli_panel *panel, const hs_rectangle *tile, const char *note);

/** Draw the frame of a panel and a caption above it. */
void cli_tiles_frame(FILE *out, const cli_panel *panel, const char *caption);

#endif
