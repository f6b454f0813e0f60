/* SPDX-License-Identifier: BSD-3-Clause */
/* State files of labs. The lab's folder is one of this process's own. */
#include "config.h"

#include "lab/lab.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lab_cluster *lab = NULL;
    hs_error error;
    if (lab_read(fuzz_file(data, size), &lab, &error) != HS_OK) {
        fuzz_check_error(&error);
        return 0;
    }
    FUZZ_CHECK(lab_name_valid(lab->name) && lab->hosts >= 1 && lab->hosts <= LAB_MAX_HOSTS);
    FUZZ_CHECK(lab_find_host(lab, lab->host[0].id) == 0);
    lab_free(lab);
    return 0;
}
