/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLAN_REBALANCE_H
#define HS_CLI_PLAN_REBALANCE_H

#include "cli/base/cli.h"
#include "util/pool.h"
#include <heteroslice/hs_rebalance.h>

/** A layout read from a file. */
typedef struct cli_layout {
    int columns, *first, *host;
    int64_t *width, *height, *delta;
    int has_delta; /* whether the file gives the rows each rectangle receives */
    json_t *names; /* of the hosts by their numbers, where the file has them, else NULL; a reference */
    hs__pool pool; /* has all arrays */
} cli_layout;

/** Read {"columns":[{"width","rectangles":[{"host","height","delta"}...]}...]}, alone or under "layout", as written by
 * `hs columns --blocks --json` and `hs rebalance --json`; "-" is standard input. Either all rectangles have a delta or
 * none.
 * @return HS_OK with a layout for cli_layout_free(); HS_ERR_IO, HS_ERR_PARSE, HS_ERR_NOMEM with *error */
hs_status cli_layout_read(const char *path, cli_layout *layout, hs_error *error);
void cli_layout_free(cli_layout *layout);

/** A view of the layout that borrows its arrays. */
hs_column_layout cli_layout_view(const cli_layout *layout);

/** Draw the layout, with the operations, and the one after. Rectangles have the rows they receive as their delta. */
hs_status cli_rebalance_draw(const char *path, const cli_layout *layout, const hs_rebalance *plan, hs_error *error);

/** Write an operation in words to text; returns text. */
char *cli_operation_text(const hs_rebalance_operation *operation, char *text, size_t size);

#endif
