/* SPDX-License-Identifier: BSD-3-Clause */
/* Hostfiles, by either launcher's rule. */
#include "launch/host_list.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    for (hs__colon rule = HS__COLON_SLOTS; rule <= HS__COLON_REFUSED; rule++) {
        hs__hosts hosts = {0};
        hs_error error;
        if (hs__hosts_read(path, rule, &hosts, &error) != HS_OK)
            fuzz_check_error(&error);
        else
            FUZZ_CHECK(hosts.count >= 1 && hosts.count <= HS__MAX_HOSTS);
        for (size_t i = 0; i < hosts.count; i++)
            FUZZ_CHECK(hosts.item[i].name[0] && hosts.item[i].slots >= 1 && hosts.item[i].max_ranks >= 1);
        hs__hosts_free(&hosts);
    }
    return 0;
}
