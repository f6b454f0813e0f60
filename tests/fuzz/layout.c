/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts as hs rebalance reads them, and plans for those that are small. */
#include "cli/plan/rebalance.h"
#include "tests/fuzz/fuzz.h"

enum { FEW_RECTANGLES = 12 };

static void plan(const cli_layout *layout)
{
    hs_column_layout view = cli_layout_view(layout);
    hs_rebalance_params params;
    hs_error error;
    hs_rebalance_params_init(&params);
    for (hs_rebalance_method method = HS_REBALANCE_EXACT; method <= HS_REBALANCE_SLIDES; method++) {
        hs_rebalance *made = NULL;
        params.method = method;
        if (hs_rebalance_create(&view, layout->delta, &params, &made, &error) != HS_OK)
            fuzz_check_error(&error);
        else
            FUZZ_CHECK(hs_rebalance_check(&view, &params, made, &error) == HS_OK);
        hs_rebalance_free(made);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cli_layout layout = {0};
    hs_error error;
    if (cli_layout_read(fuzz_file(data, size), &layout, &error) != HS_OK) {
        fuzz_check_error(&error);
        return 0;
    }
    FUZZ_CHECK(layout.columns >= 1 && layout.first[layout.columns] >= layout.columns);
    if (layout.first[layout.columns] <= FEW_RECTANGLES)
        plan(&layout);
    cli_layout_free(&layout);
    return 0;
}
