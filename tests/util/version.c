/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"
#include "tests/unit.h"
#include <heteroslice/hs_version.h>

static void headers_library_and_configure_agree(void **state)
{
    assert_string_equal(hs_library_version(), PACKAGE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(headers_library_and_configure_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
