/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts and rectangles as text: where things stand, what fits in, and what is escaped; worked by hand. */
#include "cli/base/gantt.h"
#include "cli/base/tiles.h"
#include "tests/unit.h"

static char *text;
static size_t size;

static FILE *open_page(void)
{
    free(text);
    text = NULL;
    FILE *page = open_memstream(&text, &size);
    assert_non_null(page);
    return page;
}

static int release(void **state)
{
    free(text);
    return 0;
}

static void check_has(const char *expected)
{
    if (!strstr(text, expected))
        fail_msg("no '%s' in:\n%s", expected, text);
}

static int count(const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        n++;
    return n;
}

/* Names are 50 wide, bars 200, notes 30; 4 s. Rows are 26 high from 84 on, their bars 18. */
static void a_chart_has_its_places(void **state)
{
    cli_gantt chart = {.out = open_page(), .left = 50, .plot = 200, .right = 30, .rows = 3, .end = 4};
    CHECK_CLOSE(cli_gantt_x(&chart, 0), 50, 0);
    CHECK_CLOSE(cli_gantt_x(&chart, 1), 100, 1e-12);
    CHECK_CLOSE(cli_gantt_x(&chart, 4), 250, 1e-12);
    CHECK_CLOSE(cli_gantt_y(0), 88, 1e-12);
    CHECK_CLOSE(cli_gantt_y(2), 140, 1e-12);
    cli_gantt_open(&chart, ".mine{fill:red}");
    cli_gantt_host(&chart, 12);
    cli_gantt_close(&chart);
    fclose(chart.out);
    check_has("viewBox=\"0 0 280 216\" width=\"280\" height=\"216\"");
    check_has("<rect width=\"280\" height=\"216\" fill=\"#fff\"/>");
    check_has("\n.mine{fill:red}\n");
    check_has("12<line class=\"end\" x1=\"250\" y1=\"78\" x2=\"250\" y2=\"168\"/>\n</svg>\n");
}

/* Ticks at 1, 2 or 5 of a power of ten, four to ten of them behind the one at 0, the last one at the end at most. */
static void axes_have_round_times(void **state)
{
    static const struct {
        double end;
        int ticks;
        const char *last;
    } rows[] = {
        {1, 6, ">1</text>"},        {2, 11, ">2</text>"},          {2.1, 5, ">2</text>"}, {5, 11, ">5</text>"},
        {5.1, 6, ">5</text>"},      {9.9, 10, ">9</text>"},        {10, 6, ">10</text>"}, {0.03, 7, ">0.03</text>"},
        {1e-6, 6, ">1e-06</text>"}, {123456, 7, ">120000</text>"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        cli_gantt chart = {.out = open_page(), .left = 50, .plot = 200, .right = 30, .rows = 3, .end = rows[k].end};
        cli_gantt_axis(&chart);
        fclose(chart.out);
        if (count("class=\"grid\"") != rows[k].ticks)
            fail_msg("%g: %d ticks\n%s", rows[k].end, count("class=\"grid\""), text);
        check_has(rows[k].last);
        check_has("<line class=\"grid\" x1=\"50.00\" y1=\"84\" x2=\"50.00\" y2=\"162\"/>"
                  "<text class=\"small\" x=\"50.00\" y=\"180\" text-anchor=\"middle\">0</text>");
        check_has("<line class=\"axis\" x1=\"50\" y1=\"162\" x2=\"250\" y2=\"162\"/>"
                  "<text class=\"small\" x=\"150\" y=\"200\" text-anchor=\"middle\">seconds</text>");
    }
}

/* A matrix of 10 x 20 drawn 100 wide and 400 high at (5, 7). */
static const cli_panel panel = {5, 7, 100, 400, 10, 20, NULL};

static void draw(double width, double height, int host, const char *note)
{
    FILE *page = open_page();
    const hs_rectangle tile = {host, 2, 3, width, height};
    cli_tiles_draw(page, &panel, &tile, note);
    fclose(page);
}

static void rectangles_have_their_places(void **state)
{
    CHECK_CLOSE(cli_tiles_x(&panel, 10), 105, 1e-12);
    CHECK_CLOSE(cli_tiles_y(&panel, 20), 407, 1e-12);
    draw(4, 5, 7, "move");
    check_has(
        "<rect class=\"tile\" x=\"25.00\" y=\"67.00\" width=\"40.00\" height=\"100.00\" fill=\"hsl(243,57%,79%)\">"
        "<title>host 7: 4 wide, 5 high; move</title></rect>");
    check_has("<text class=\"number\" x=\"45.00\" y=\"115.00\">7</text>");
    check_has("<text class=\"note\" x=\"45.00\" y=\"129.00\">move</text>");
    draw(4, 5, 6, "");
    check_has("fill=\"hsl(105,48%,74%)\"><title>host 6: 4 wide, 5 high</title></rect>");
    check_has("<text class=\"number\" x=\"45.00\" y=\"121.00\">6</text>");
    assert_int_equal(count("class=\"note\""), 0);
}

/* A digit takes 7.5 x 13, a letter of a note 6.2, and a note a height of more than 32. */
static void what_does_not_fit_is_left_out(void **state)
{
    static const struct {
        double width, height;
        int host;
        const char *note;
        int number, noted;
    } rows[] = {
        {0.76, 1, 7, "", 1, 0},        {0.75, 1, 7, "", 0, 0},        {0.76, 0.64, 7, "", 0, 0},
        {0.76, 0.66, 7, "", 1, 0},     {0.76, 1, 17, "", 0, 0},       {1.51, 1, 17, "", 1, 0},
        {2.49, 1.61, 7, "move", 1, 1}, {2.47, 1.61, 7, "move", 1, 0}, {2.49, 1.59, 7, "move", 1, 0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        draw(rows[k].width, rows[k].height, rows[k].host, rows[k].note);
        if (count("class=\"number\"") != rows[k].number || count("class=\"note\"") != rows[k].noted)
            fail_msg("row %zu:\n%s", k, text);
    }
}

static void pages_and_frames(void **state)
{
    FILE *page = open_page();
    cli_tiles_begin(page, 300, 200, "Two matrices");
    cli_tiles_frame(page, &panel, "before");
    cli_tiles_end(page);
    fclose(page);
    check_has("viewBox=\"0 0 300 200\" width=\"300\" height=\"200\"");
    check_has("<rect width=\"300\" height=\"200\" fill=\"#fff\"/>");
    check_has("fill=\"#222\">Two matrices</text>");
    check_has("<rect class=\"frame\" x=\"5.00\" y=\"7.00\" width=\"100.00\" height=\"400.00\"/>\n"
              "<text class=\"caption\" x=\"5.00\" y=\"-1.00\">before</text>\n</svg>\n");
}

/* Names come from platform files, where they may hold anything. */
static void names_are_escaped(void **state)
{
    json_t *names = json_pack("[s]", "<a&b>");
    cli_panel named = panel;
    named.names = names;
    FILE *page = open_page();
    const hs_rectangle tile = {0, 0, 0, 10, 10};
    cli_tiles_draw(page, &named, &tile, "");
    fclose(page);
    assert_int_equal(count("&lt;a&amp;b>"), 2);
    cli_gantt chart = {.out = open_page(), .names = names, .end = 1};
    cli_gantt_host(&chart, 0);
    fclose(chart.out);
    assert_string_equal(text, "&lt;a&amp;b>");
    json_decref(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_has_its_places),
        cmocka_unit_test(axes_have_round_times),
        cmocka_unit_test(rectangles_have_their_places),
        cmocka_unit_test(what_does_not_fit_is_left_out),
        cmocka_unit_test(pages_and_frames),
        cmocka_unit_test(names_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
