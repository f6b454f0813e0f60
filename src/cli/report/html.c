/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/report/html.h"
#include "cli/report/script.h"
#include "platform/xml_text.h"
#include "util/assert.h"
#include "util/words.h"
#include <string.h>

static const char style[] =
    ":root{color-scheme:light "
    "dark;--page:#fff;--ink:#1b1f24;--soft:#5b6470;--line:#d5dae0;--tint:#f3f5f7;--link:#0b57a4;"
    "--k0:#cc79a7;--k1:#0072b2;--k2:#c08000;--k3:#009e73;--k4:#8a8f96}\n"
    "@media screen and "
    "(prefers-color-scheme:dark){:root{--page:#15181c;--ink:#e7eaee;--soft:#a5aeb9;--line:#3a424c;--tint:#20252b;"
    "--link:#7cb7ff;--k1:#56a5e0;--k2:#f0b429;--k3:#2fbf94}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 "
    "system-ui,sans-serif;overflow-wrap:break-word}\n"
    "main,header,nav,footer{max-width:72rem;margin:0 auto;padding:0 "
    "1rem}h1{font-size:1.5rem;line-height:1.25;margin:1.2rem 0 .4rem}"
    "h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}\n"
    "a{color:var(--link)}a:focus,summary:focus,.scroll:focus{outline:3px solid var(--link);outline-offset:2px}"
    ".skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.3rem}\n"
    "nav ul{list-style:none;padding:0;margin:.5rem 0;display:flex;flex-wrap:wrap;gap:.2rem 1rem}"
    ".scroll{overflow-x:auto;max-width:100%}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:"
    ".9rem}"
    "caption{position:sticky;left:0;max-width:calc(100vw - 2rem);text-align:left;color:var(--soft);padding:.3rem "
    "0}th,td{padding:.15rem "
    ".6rem;text-align:right;border-bottom:1px solid "
    "var(--line);white-space:nowrap}th{font-weight:600}.l,th[scope=row]{text-align:left}td.w{white-space:normal;text-"
    "align:left;min-width:16rem}\n"
    "figure{margin:.8rem 0}figure "
    "svg{display:block;max-width:100%;height:auto}figcaption{color:var(--soft);font-size:.85rem}"
    "figure>svg text{fill:var(--ink);font:12px "
    "system-ui,sans-serif}figure>svg:has(text){min-width:30rem}.card "
    "svg{min-width:36rem;max-width:max(100%,60rem)}.card .sheet{fill:var(--page)}"
    ".card .strong{fill:var(--ink)}.card .soft{fill:var(--soft)}.card text[stroke]{stroke:var(--page)}"
    ".card .cable{stroke:var(--soft)}.card .fatpipe{stroke:var(--link)}.card .host{fill:var(--k1)}.card "
    ".router{fill:var(--tint)}"
    ".card .bar{fill:var(--link)}.card rect[stroke],.card circle{stroke:var(--ink)}"
    ".grid{stroke:var(--soft)}.mark{stroke:var(--ink);stroke-dasharray:3 3}\n"
    ".k0{fill:var(--k0)}.k1{fill:var(--k1)}.k2{fill:var(--k2)}.k3{fill:var(--k3)}.k4{fill:var(--k4)}"
    ".key{list-style:none;padding:0;margin:.3rem 0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}"
    ".key svg{width:.9em;height:.9em;vertical-align:-.1em;margin-right:.35em}\n"
    ".lead{font-size:1.1rem}code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{background:var(--tint);"
    "padding:.6rem;"
    "white-space:pre-wrap;overflow-wrap:anywhere}dt{font-weight:600}dd{margin:0 0 .4rem;overflow-wrap:anywhere}\n"
    "@media print{nav,.skip{display:none}body{font-size:10pt}h2,h3,section>p,caption,thead,.key{break-after:avoid}"
    "figure,tr{break-inside:avoid}.scroll{overflow:visible}figure>svg:has(text),.card "
    "svg{min-width:0;max-width:100%}caption{position:static}table{font-size:8pt}th,td{white-space:normal;"
    "padding:.15rem .3rem}td,th[scope=row]{overflow-wrap:anywhere}td.w{min-width:0}}\n";

static const struct {
    const char *id, *title;
} sections[] = {{"summary", "In one sentence"},        {"time", "Where the time went"},
                {"hosts", "Hosts and links"},          {"slices", "Slices over time"},
                {"partitions", "Partitioners"},        {"ranks", "Ranks and phases"},
                {"messages", "Who sent to whom"},      {"calls", "Slowest calls"},
                {"settings", "Settings and versions"}, {"changes", "What changed"}};

void html_text(FILE *out, const char *text)
{
    hs__xml_put(out, text, strlen(text));
}

/* A word as a shell takes it. */
static void put_word(FILE *out, const char *text)
{
    int quoted = hs__word_needs_quotes(text);
    fputs(quoted ? "'" : "", out);
    for (; *text; text++) {
        const char letter[] = {*text, '\0'};
        html_text(out, *text == '\'' ? "'\\''" : letter);
    }
    fputs(quoted ? "'" : "", out);
}

void html_command(FILE *out, const report_run *run)
{
    size_t i;
    const json_t *word, *command = json_object_get(json_object_get(run->root, "program"), "command");
    if (json_array_size(command) == 0)
        fputs("PROGRAM", out);
    json_array_foreach(command, i, word)
    {
        fputs(i ? " " : "", out);
        put_word(out, json_is_string(word) ? json_string_value(word) : "");
    }
}

void html_cut(char *text, size_t bytes)
{
    if (strlen(text) <= bytes)
        return;
    while (bytes > 0 && (text[bytes] & 0xc0) == 0x80)
        bytes--;
    strcpy(text + bytes, "\xe2\x80\xa6");
}

void html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          out);
    html_text(out, title);
    fprintf(out, "</title>\n<style>\n%s", style);
#ifdef HAVE_UPLOT
    fwrite(report_style, 1, report_style_size, out);
#endif
    fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#summary\">To the summary</a>\n<header><h1>", out);
    html_text(out, title);
    fputs("</h1></header>\n<nav aria-label=\"Sections\"><ul>\n", out);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        fprintf(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].title);
    fputs("</ul></nav>\n<main>\n", out);
}

void html_end(FILE *out)
{
    fputs("</main>\n<footer><p>Written by <code>hs report</code>; hs-report(1) explains every number.</p></footer>\n",
          out);
#ifdef HAVE_UPLOT
    fputs("<script>\n", out);
    fwrite(report_script, 1, report_script_size, out);
    fputs("</script>\n", out);
#endif
    fputs("</body>\n</html>\n", out);
}

void html_section(FILE *out, const char *id, const char *note)
{
    size_t i = 0;
    while (i < sizeof sections / sizeof *sections && strcmp(sections[i].id, id) != 0)
        i++;
    HS_ASSERT(i < sizeof sections / sizeof *sections);
    fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n", id, id, id,
            sections[i].title);
    if (note) {
        fputs("<p>", out);
        html_text(out, note);
        fputs("</p>\n", out);
    }
}

void html_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void html_table(FILE *out, const char *caption, const char *head)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", out);
    html_text(out, caption);
    fputs("\">\n<table><caption>", out);
    html_text(out, caption);
    fputs("</caption>\n<thead><tr>", out);
    while (*head) {
        size_t length = strcspn(head, "|");
        int left = *head == '<';
        fprintf(out, "<th scope=\"col\"%s>", left ? " class=\"l\"" : "");
        hs__xml_put(out, head + left, length - (size_t)left);
        fputs("</th>", out);
        head += length + (head[length] == '|');
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

void html_quantity(FILE *out, double value, hs_unit unit)
{
    char text[32];
    fprintf(out, "<td>%s</td>", value > 0 ? hs_quantity_format(value, unit, text, sizeof text) : value < 0 ? "-" : "0");
}

void html_percent(FILE *out, double share)
{
    fprintf(out, "<td>%.1f %%</td>", 100 * share);
}

void html_row_head(FILE *out, const char *text)
{
    fputs("<tr><th scope=\"row\">", out);
    html_text(out, text);
    fputs("</th>", out);
}

void html_figure(FILE *out, const char *id, double width, double height, const char *title)
{
    fprintf(out,
            "<figure class=\"scroll\" tabindex=\"0\"><svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "role=\"img\" "
            "aria-labelledby=\"%s-t\"><title "
            "id=\"%s-t\">",
            width, height, width, height, id, id);
    html_text(out, title);
    fputs("</title>\n", out);
}

void html_figure_end(FILE *out, const char *caption)
{
    fputs("</svg><figcaption>", out);
    html_text(out, caption);
    fputs("</figcaption></figure>\n", out);
}

int html_data_begin(FILE *out, const char *kind)
{
#ifdef HAVE_UPLOT
    fprintf(out, "<script type=\"application/json\">{\"kind\":\"%s\"", kind);
    return 1;
#else
    return 0;
#endif
}

void html_data_end(FILE *out)
{
    fputs("}</script>\n", out);
}

const char *html_ranks(const report_run *run, int first, int last, char name[HTML_NAME])
{
    HS_ASSERT(first >= 0 && first <= last && last < run->ranks);
    const char *from = run->rank[first].name, *to = run->rank[last].name;
    int one_host = 1;
    for (int r = first; r <= last; r++)
        one_host &= run->host_of[r] == run->host_of[first];
    if (first == last)
        snprintf(name, HTML_NAME, "%d on %s", first, from);
    else if (one_host)
        snprintf(name, HTML_NAME, "%d to %d on %s", first, last, from);
    else if (run->host_of[first] == run->host_of[last])
        snprintf(name, HTML_NAME, "%d to %d, on %s and others", first, last, from);
    else
        snprintf(name, HTML_NAME, "%d to %d, from %s to %s", first, last, from, to);
    html_cut(name, HTML_NAME - 4);
    return name;
}

void html_tick(const report_run *run, int r, int before, char text[HTML_TICK])
{
    enum { LETTERS = 14 };
    if (before >= 0 && run->host_of[before] == run->host_of[r])
        snprintf(text, HTML_TICK, "%d", r);
    else
        snprintf(text, HTML_TICK, "%d on %s", r, run->rank[r].name);
    html_cut(text, LETTERS);
}

void html_kinds_key(FILE *out)
{
    fputs("<ul class=\"key\">", out);
    for (int k = 0; k < REPORT_KINDS; k++)
        fprintf(out,
                "<li><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"k%d\" width=\"1\" "
                "height=\"1\"/></svg>%s</li>",
                k, report_kind_names[k]);
    fputs("</ul>\n", out);
}
