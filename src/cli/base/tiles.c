/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/tiles.h"
#include "cli/base/hosts.h"
#include "platform/xml_text.h"
#include "util/assert.h"
#include <math.h>
#include <string.h>

void cli_tiles_begin(FILE *out, double width, double height, const char *title)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>\n"
            ".tile{stroke:#fff;stroke-width:1}.frame{fill:none;stroke:#444}.number{text-anchor:middle;fill:#222}\n"
            ".note{text-anchor:middle;fill:#555;font-size:10px}.caption{fill:#333}.small{fill:#555;font-size:11px}\n"
            ".move{fill:none;stroke:#b22;stroke-width:1.3}.tip{fill:#b22;stroke:none}.moved{fill:#b22;font-size:10px}\n"
            "</style>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n"
            "<text x=\"24\" y=\"28\" font-size=\"15\" fill=\"#222\">%s</text>\n",
            width, height, width, height, width, height, title);
}

void cli_tiles_end(FILE *out)
{
    fputs("</svg>\n", out);
}

double cli_tiles_x(const cli_panel *p, double x)
{
    return p->x + p->width * x / p->world_width;
}

double cli_tiles_y(const cli_panel *p, double y)
{
    return p->y + p->height * y / p->world_height;
}

/* Consecutive numbers get distant hues; three shades separate numbers with similar hues. */
static void put_colour(FILE *out, int host)
{
    fprintf(out, "hsl(%.0f,%d%%,%d%%)", fmod(host * 137.508, 360), 48 + 9 * (host % 2), 74 + 5 * (host % 3));
}

void cli_tiles_draw(FILE *out, const cli_panel *p, const hs_rectangle *tile, const char *note)
{
    double x = cli_tiles_x(p, tile->x), y = cli_tiles_y(p, tile->y);
    double width = cli_tiles_x(p, tile->x + tile->width) - x, height = cli_tiles_y(p, tile->y + tile->height) - y;
    char number[16];
    HS_ASSERT(tile->x >= 0 && tile->x + tile->width <= p->world_width * (1 + 1e-9));
    HS_ASSERT(tile->y >= 0 && tile->y + tile->height <= p->world_height * (1 + 1e-9));
    const char *name = cli_host_name(p->names, tile->host, number);
    fprintf(out, "<rect class=\"tile\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"", x, y, width,
            height);
    put_colour(out, tile->host);
    fprintf(out, "\"><title>host ");
    hs__xml_put(out, name, strlen(name));
    fprintf(out, ": %.6g wide, %.6g high%s%s</title></rect>\n", tile->width, tile->height, note[0] ? "; " : "", note);
    double wide = 7.5 * (double)strlen(name), room = 6.2 * (double)strlen(note);
    int noted = note[0] && room < width && height > 32;
    if (wide < width && height > 13) {
        fprintf(out, "<text class=\"number\" x=\"%.2f\" y=\"%.2f\">", x + width / 2, y + height / 2 + (noted ? -2 : 4));
        hs__xml_put(out, name, strlen(name));
        fprintf(out, "</text>\n");
    }
    if (noted)
        fprintf(out, "<text class=\"note\" x=\"%.2f\" y=\"%.2f\">%s</text>\n", x + width / 2, y + height / 2 + 12,
                note);
}

void cli_tiles_frame(FILE *out, const cli_panel *p, const char *caption)
{
    fprintf(out, "<rect class=\"frame\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n", p->x, p->y, p->width,
            p->height);
    fprintf(out, "<text class=\"caption\" x=\"%.2f\" y=\"%.2f\">%s</text>\n", p->x, p->y - 8, caption);
}
