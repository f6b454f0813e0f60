/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scatter/rays.h"
#include "tests/unit.h"
#include <math.h>

/* In one velocity a ray is a chord: T = c / v, and from the surface p = R cos(angle / 2) / v. */
static void chords(void **state)
{
    (void)state;
    rays_model model;
    rays_model_homogeneous(&model, 8.0);
    for (int depth = 0; depth <= 600; depth += 150)
        for (int degrees = 60; degrees <= 150; degrees += 10) {
            double angle = degrees / 57.295779513082323, r = 6371.0 - depth, parameter;
            double chord = sqrt(6371.0 * 6371.0 + r * r - 2.0 * 6371.0 * r * cos(angle));
            double time = rays_trace(&model, depth, angle, 64, &parameter);
            assert_float_equal(time, chord / 8.0, 1e-6);
            if (depth == 0)
                assert_float_equal(parameter, 6371.0 * cos(0.5 * angle) / 8.0, 1e-6);
        }
}

/* Published times of P from the surface (IASP91, rounded): within 2 % for this coarse mantle; and dT / d(distance) is
 * the ray parameter. */
static void earth(void **state)
{
    (void)state;
    static const struct {
        double degrees, seconds;
    } rows[] = {{30, 370}, {45, 498}, {60, 608}, {75, 704}, {90, 781}};
    rays_model model;
    rays_model_earth(&model);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double angle = rows[i].degrees / 57.295779513082323, parameter, ignored;
        double time = rays_trace(&model, 0, angle, 400, &parameter);
        assert_true(fabs(time / rows[i].seconds - 1.0) < 0.02);
        double slope =
            (rays_trace(&model, 0, angle + 1e-4, 400, &ignored) - rays_trace(&model, 0, angle - 1e-4, 400, &ignored)) /
            2e-4;
        assert_float_equal(slope, parameter, 0.02);
    }
}

static void no_arrival(void **state)
{
    (void)state;
    rays_model model;
    double parameter = 1;
    rays_model_earth(&model);
    assert_true(rays_trace(&model, 0, 2.5, 64, &parameter) == 0 && parameter == 0); /* in the shadow of the core */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chords), cmocka_unit_test(earth), cmocka_unit_test(no_arrival)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
