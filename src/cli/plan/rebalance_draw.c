/* SPDX-License-Identifier: BSD-3-Clause */
/* The old and the new layout side by side. The old one shows the rows each rectangle receives, and rows and columns that move as
 * arrows; the new one the slides, which come last and end at its borders. The operations are listed below. */
#include "cli/base/tiles.h"
#include "cli/plan/rebalance.h"
#include "util/file.h"
#include "util/plural.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = 460, LEFT = 76, GAP = 76, TOP = 110, LISTED = 14, LINE = 16 };

/* A layout, and where it is drawn. */
typedef struct side {
    hs_column_layout layout;
    cli_panel panel;
} side;

typedef struct sheet {
    FILE *out;
    const hs_rebalance *plan;
    side before, after;
} sheet;

static int64_t wide_of(const hs_column_layout *l)
{
    int64_t wide = 0;
    for (int c = 0; c < l->columns; c++)
        wide += l->width[c];
    return wide;
}

static int64_t high_of(const hs_column_layout *l)
{
    int64_t high = 0;
    for (int k = 0; k < l->first[1]; k++)
        high += l->height[k];
    return high;
}

static void draw_layout(FILE *out, const side *drawn, const int64_t *delta)
{
    const hs_column_layout *l = &drawn->layout;
    int64_t x = 0;
    for (int c = 0; c < l->columns; c++) {
        int64_t y = 0;
        for (int k = l->first[c]; k < l->first[c + 1]; k++) {
            char note[64];
            hs_rectangle t = {l->host[k], (double)x, (double)y, (double)l->width[c], (double)l->height[k]};
            if (delta)
                snprintf(note, sizeof note, delta[k] ? "%+lld rows" : "unchanged", (long long)delta[k]);
            else
                snprintf(note, sizeof note, "%lld x %lld", (long long)l->width[c], (long long)l->height[k]);
            cli_tiles_draw(out, &drawn->panel, &t, note);
            y += l->height[k];
        }
        x += l->width[c];
    }
}

/* An arrow head at (x, y) that points along (dx, dy), a unit vector. */
static void draw_tip(const sheet *s, double x, double y, double dx, double dy)
{
    fprintf(s->out, "<path class=\"tip\" d=\"M%.1f,%.1f L%.1f,%.1f L%.1f,%.1f Z\"/>\n", x, y, x - 7 * dx - 3 * dy,
            y - 7 * dy + 3 * dx, x - 7 * dx + 3 * dy, y - 7 * dy - 3 * dx);
}

/* Draw a row migration: the arrow leaves at the left edge and comes back at the rows' new place. */
static void draw_row(const sheet *s, const hs_rebalance_operation *op, int order)
{
    double from = cli_tiles_y(&s->before.panel, (double)op->from + (double)op->count / 2);
    double to = cli_tiles_y(&s->before.panel, (double)op->to + (op->to > op->from ? 1 : 0));
    double x = s->before.panel.x - 2, out = x - 14 - 9 * (order % 4);
    fprintf(s->out, "<path class=\"move\" d=\"M%.1f,%.1f H%.1f V%.1f H%.1f\"/>\n", x, from, out, to, x - 5);
    draw_tip(s, x, to, 1, 0);
    fprintf(s->out, "<text class=\"moved\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%lld</text>\n", out - 2,
            (from + to) / 2 + 3, (long long)op->count);
}

/* @param[in] part  of the column's width, from its left edge */
static double place_in(const side *drawn, int64_t column, double part)
{
    double x = 0;
    for (int c = 0; c < column; c++)
        x += (double)drawn->layout.width[c];
    return cli_tiles_x(&drawn->panel, x + part * (double)drawn->layout.width[column]);
}

static void draw_column(const sheet *s, const hs_rebalance_operation *op, int order)
{
    double from = place_in(&s->before, op->from, 0.5), to = place_in(&s->before, op->to, 0.5);
    double y = s->before.panel.y + s->before.panel.height + 2, out = y + 12 + 7 * (order % 3);
    fprintf(s->out, "<path class=\"move\" d=\"M%.1f,%.1f V%.1f H%.1f V%.1f\"/>\n", from, y, out, to, y + 5);
    draw_tip(s, to, y, 0, -1);
    fprintf(s->out, "<text class=\"moved\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%lld</text>\n", (from + to) / 2,
            out + 10, (long long)op->count);
}

/* Draw a slide to the border's place in the new layout. */
static void draw_slide(const sheet *s, const hs_rebalance_operation *op)
{
    double x = place_in(&s->after, op->from, 0.8), y = 0, direction = op->count > 0 ? 1 : -1;
    for (int k = 0; k <= op->border; k++)
        y += (double)s->after.layout.height[s->after.layout.first[op->from] + k];
    double to = cli_tiles_y(&s->after.panel, y), from = cli_tiles_y(&s->after.panel, y - (double)op->count);
    if (fabs(to - from) < 10)
        from = to - 10 * direction;
    fprintf(s->out, "<path class=\"move\" d=\"M%.1f,%.1f V%.1f\"/>\n", x, from, to - 4 * direction);
    draw_tip(s, x, to, 0, direction);
}

static void draw_operations(const sheet *s, double list_y)
{
    int operations = hs_rebalance_operations(s->plan), rows = 0, columns = 0;
    char text[128];
    for (int k = 0; k < operations; k++) {
        const hs_rebalance_operation *op = hs_rebalance_operation_at(s->plan, k);
        if (op->kind == HS_REBALANCE_ROW)
            draw_row(s, op, rows++);
        else if (op->kind == HS_REBALANCE_COLUMN)
            draw_column(s, op, columns++);
        else
            draw_slide(s, op);
        if (k < LISTED)
            fprintf(s->out, "<text class=\"small\" x=\"%d\" y=\"%.0f\">%d. %s</text>\n", LEFT, list_y + LINE * (k + 1),
                    k + 1, cli_operation_text(op, text, sizeof text));
    }
    if (operations > LISTED)
        fprintf(s->out, "<text class=\"small\" x=\"%d\" y=\"%.0f\">and %d more</text>\n", LEFT,
                list_y + LINE * (LISTED + 1), operations - LISTED);
}

static void draw_sheet(sheet *s, const cli_layout *layout)
{
    char text[160];
    int operations = hs_rebalance_operations(s->plan);
    double wide = (double)wide_of(&s->before.layout), high = (double)high_of(&s->before.layout);
    double height = fmin(fmax(SIDE * high / wide, SIDE / 3.0), 2.0 * SIDE);
    int lines = operations > LISTED ? LISTED + 1 : operations;
    s->before.panel = (cli_panel){LEFT, TOP, SIDE, height, wide, high, layout->names};
    s->after.panel = (cli_panel){LEFT + SIDE + GAP, TOP, SIDE, height, wide, high, layout->names};
    hs_rebalance_layout(s->plan, &s->after.layout);
    snprintf(text, sizeof text, "%d operation%s, cost %.10g blocks (slides only: %.10g)", operations,
             hs__plural(operations), hs_rebalance_cost(s->plan), hs_rebalance_cost_slides_only(s->plan));
    cli_tiles_begin(s->out, LEFT + 2 * SIDE + GAP + 24, TOP + height + 60 + LINE * lines, text);
    fprintf(s->out, "<text class=\"small\" x=\"24\" y=\"48\">%lld of %.0f blocks change their owner</text>\n",
            (long long)hs_rebalance_blocks_moved(s->plan), wide * high);
    draw_layout(s->out, &s->before, layout->delta);
    draw_layout(s->out, &s->after, NULL);
    cli_tiles_frame(s->out, &s->before.panel, "before: host, rows to receive; arrows: rows and columns that move");
    cli_tiles_frame(s->out, &s->after.panel, "after: host, blocks; arrows: slides");
    draw_operations(s, TOP + height + 34);
    cli_tiles_end(s->out);
}

hs_status cli_rebalance_draw(const char *path, const cli_layout *layout, const hs_rebalance *plan, hs_error *error)
{
    hs__file *file = NULL;
    hs_status status = hs__file_create(path, &file, error);
    if (status != HS_OK)
        return status;
    sheet s = {.out = hs__file_stream(file), .plan = plan, .before.layout = cli_layout_view(layout)};
    draw_sheet(&s, layout);
    return hs__file_commit(file, error);
}
