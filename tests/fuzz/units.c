/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities of every kind: what is read is written in a form that is read again. */
#include "tests/fuzz/fuzz.h"
#include <heteroslice/hs_units.h>
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), written[32];
    for (hs_unit unit = HS_UNIT_SPEED; unit <= HS_UNIT_NUMBER; unit++)
        for (hs_bare bare = HS_BARE_REFUSED; bare <= HS_BARE_ALLOWED; bare++) {
            double value, again;
            hs_error error;
            if (hs_quantity_parse(text, unit, bare, &value, &error) != HS_OK) {
                fuzz_check_error(&error);
                continue;
            }
            FUZZ_CHECK(value >= 0 && isfinite(value));
            hs_quantity_format(value, unit, written, sizeof written);
            if (value > 1e-99 && value < 1e99)
                FUZZ_CHECK(hs_quantity_parse(written, unit, HS_BARE_ALLOWED, &again, &error) == HS_OK &&
                           fabs(again - value) <= 1e-3 * value);
        }
    free(text);
    return 0;
}
