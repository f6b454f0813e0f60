/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels with more or less data. */
#include "runtime/probe/kernels.h"
#include "tests/unit.h"

/* Bytes of one row of two grids, of three matrices, of an element of three arrays; and the least that is computed with. */
static const double step[HS_PROBE_KERNELS] = {2 * 258 * 8, 3 * 64 * 64 * 8, 3 * 8};
static const double smallest[HS_PROBE_KERNELS] = {3 * 2 * 258 * 8, 3 * 64 * 64 * 8, 3 * 8};

static void data_of_the_size_asked_for(void **state)
{
    for (hs_probe_kernel kind = 0; kind < HS_PROBE_KERNELS; kind++) {
        hs__kernel *own = hs__kernel_create(kind);
        if (!own)
            continue;
        double flop = hs__kernel_run(own);
        for (double bytes = smallest[kind]; bytes < 6e6; bytes *= 1.7) {
            hs__kernel *kernel = hs__kernel_create_sized(kind, bytes, INFINITY);
            assert_non_null(kernel);
            double got = hs__kernel_bytes(kernel), side = sqrt(bytes / step[kind]);
            assert_true(got <= bytes);
            assert_true(got > (kind == HS_PROBE_DGEMM ? step[kind] * (side - 1) * (side - 1) : bytes - step[kind]));
            for (int batch = 0; batch < 50; batch++) /* past the end of the data, and on from its beginning */
                CHECK_CLOSE(hs__kernel_run(kernel), flop, 0);
            hs__kernel_free(kernel);
        }
        assert_null(hs__kernel_create_sized(kind, smallest[kind] - 1, INFINITY));
        assert_null(hs__kernel_create_sized(kind, 0, INFINITY));
        assert_null(hs__kernel_create_sized(kind, 1e30, INFINITY));
        hs__kernel_free(own);
    }
    assert_null(hs__kernel_create_sized(HS_PROBE_KERNELS, 1e6, INFINITY));
}

/* Without time there is some memory all the same, and parts of it follow. */
static void parts_of_what_there_was_time_for(void **state)
{
    hs__line share = {0};
    hs__kernel *kernel = hs__kernel_create_sized(HS_PROBE_STENCIL, 1e9, 0);
    assert_non_null(kernel);
    double most = hs__kernel_bytes(kernel);
    assert_true(most < 1e7);
    assert_false(hs__kernel_resize(kernel, 1e9));
    assert_false(hs__kernel_resize(kernel, smallest[HS_PROBE_STENCIL] - 1));
    CHECK_CLOSE(hs__kernel_bytes(kernel), most, 0);
    assert_true(hs__kernel_resize(kernel, most / 3));
    assert_true(hs__kernel_bytes(kernel) <= most / 3);
    assert_true(hs__kernel_resize(kernel, most));
    CHECK_CLOSE(hs__kernel_bytes(kernel), most, 0);
    CHECK_CLOSE(hs__kernel_mean_speed(kernel), 0, 0);
    hs__kernel_time(kernel, HS__KERNEL_ANEW, 0, &share);
    assert_true(hs__kernel_mean_speed(kernel) > 0);
    assert_true(hs__kernel_mean_speed(kernel) <= hs__kernel_speed(kernel) * (1 + 1e-6));
    hs__kernel_free(kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_of_the_size_asked_for),
        cmocka_unit_test(parts_of_what_there_was_time_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
