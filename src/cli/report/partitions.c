/* SPDX-License-Identifier: BSD-3-Clause */
/* What partitioners were asked for and gave. */
#include "cli/report/html.h"
#include "cli/report/sections.h"

enum { MOST_CALLS = 100, MOST_PARTS = 12 };

/* Shares of a list in per cent. */
static void put_shares(FILE *out, const json_t *list)
{
    size_t n = json_array_size(list);
    double sum = 0;
    for (size_t p = 0; p < n; p++)
        sum += report_number(json_array_get(list, p));
    fputs("<td class=\"l\">", out);
    for (size_t p = 0; p < n && p < MOST_PARTS && sum > 0; p++)
        fprintf(out, "%s%.1f", p > 0 ? " " : "", 100 * report_number(json_array_get(list, p)) / sum);
    fputs(!(sum > 0) ? "-</td>" : n > MOST_PARTS ? " ...</td>" : "</td>", out);
}

static void put_number(FILE *out, const json_t *number, const char *format)
{
    fputs("<td>", out);
    if (json_is_number(number))
        fprintf(out, format, json_number_value(number));
    else
        fputc('-', out);
    fputs("</td>", out);
}

static void put_call(FILE *out, const json_t *call)
{
    const char *name = json_string_value(json_object_get(call, "call"));
    const char *caller = json_string_value(json_object_get(call, "caller"));
    html_row_head(out, name ? name : "");
    fputs("<td class=\"l\">", out);
    html_text(out, caller && caller[0] ? caller : "-");
    fputs("</td>", out);
    put_number(out, json_object_get(call, "ranks"), "%.0f");
    put_number(out, json_object_get(call, "times"), "%.0f");
    put_number(out, json_object_get(call, "parts"), "%.0f");
    put_shares(out, json_object_get(call, "wished"));
    put_shares(out, json_object_get(call, "given"));
    put_shares(out, json_object_get(call, "reached"));
    put_number(out, json_object_get(call, "edges_cut"), "%.0f");
    put_number(out, json_object_get(call, "gain"), "%.2f");
    fputs("</tr>\n", out);
}

static void put_linked(FILE *out, const json_t *names)
{
    size_t k;
    const json_t *name;
    if (json_array_size(names) == 0)
        return;
    fputs("<p>The program itself contains these functions, so their calls are not seen:", out);
    json_array_foreach(names, k, name)
    {
        fputs(k > 0 ? ", " : " ", out);
        html_text(out, json_is_string(name) ? json_string_value(name) : "");
    }
    fputs(". Calls into a shared library are.</p>\n", out);
}

void report_partitions(FILE *out, const report_run *run)
{
    const json_t *calls = json_object_get(run->root, "partitions");
    size_t n = json_array_size(calls);
    html_section(out, "partitions", n > 0 ? "Shares of the parts in per cent, part 0 first." : "No call was seen.");
    if (n > 0) {
        html_table(out, "Calls of partitioners",
                   "<function|<called by|ranks|calls|parts|<asked for|<given|<reached|edges cut|predicted gain");
        for (size_t k = 0; k < n && k < MOST_CALLS; k++)
            put_call(out, json_array_get(calls, k));
        html_table_end(out);
        fputs("<p>Given is - where the call passed through as it was made. The gain is how many times shorter a step "
              "is by "
              "the speeds of the parts' owners than with the parts asked for.</p>\n",
              out);
    }
    put_linked(out, json_object_get(run->root, "linked_partitioners"));
    html_section_end(out);
}
