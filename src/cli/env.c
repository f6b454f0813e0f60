/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/verbs.h"
#include "util/options.h"
#include <stdio.h>

static json_t *as_json(const hs__option_row *row, const char *expected)
{
    return json_pack("{s:s, s:s, s:s, s:s}", "name", row->environment, "accepts", expected, "default", row->fallback,
                     "help", row->help);
}

int cli_env(const cli_verb *verb, int argc, char **argv)
{
    int json = 0;
    const cli_option options[] = {{.name = "--json", .kind = CLI_FLAG, .target = &json}, {0}};
    int code = cli_parse(verb, argc, argv, options, NULL, 0, NULL);
    if (code != CLI_OK)
        return code;
    size_t rows;
    const hs__option_row *row = hs__option_rows(&rows);
    json_t *list = json ? json_array() : NULL;
    for (size_t i = 0; i < rows; i++) {
        char expected[96];
        hs__option_expected(&row[i], expected, sizeof expected);
        if (json)
            json_array_append_new(list, as_json(&row[i], expected));
        else
            printf("%-18s %-24s default %-6s %s\n", row[i].environment, expected,
                   row[i].fallback[0] ? row[i].fallback : "-", row[i].help);
    }
    return json ? cli_print_json(verb, json_pack("{s:o}", "variables", list)) : CLI_OK;
}
