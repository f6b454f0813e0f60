/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/reserved.h"
#include "tests/unit.h"

static void every_member_is_looked_at(void **state)
{
    hs_error error = {.line = 7};
    (void)state;
    for (int n = 0; n <= HS__RESERVED; n++) {
        int64_t reserved[HS__RESERVED + 1] = {0};
        char name[32];
        reserved[n] = 1; /* beyond the last one it is another's */
        assert_int_equal(hs__reserved_check(reserved, n, &error), HS_OK);
        for (int k = 0; k < n; k++) {
            reserved[k] = -3;
            assert_int_equal(hs__reserved_check(reserved, n, &error), HS_ERR_ARG);
            snprintf(name, sizeof name, "reserved[%d] is -3,", k);
            CHECK_ERROR_SAYS(&error, 0, name);
            reserved[k] = 0;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_member_is_looked_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
