/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/handles.h"
#include "tests/unit.h"
#include "util/random.h"

enum { KEYS = 300, STEPS = 100000 };

/* The table against an array, with handles that collide and are far apart. */
static void it_keeps_what_is_put(void **state)
{
    static char kept[KEYS];
    hs__random random = {5};
    hs__handles table = {0};
    int64_t bytes[KEYS] = {0}; /* 0: not there */
    for (int step = 0; step < STEPS; step++) {
        int64_t key = hs__random_below(&random, KEYS);
        uintptr_t handle = 8 + 64 * (uintptr_t)key * (uintptr_t)key;
        const hs__handle *found = hs__handles_find(&table, handle);
        assert_int_equal(found != NULL, bytes[key] != 0);
        if (found) {
            assert_int_equal(found->bytes, bytes[key]);
            assert_ptr_equal(found->kept, &kept[key]);
        }
        bytes[key] = hs__random_below(&random, 3);
        if (bytes[key])
            assert_int_equal(hs__handles_put(&table, &(hs__handle){handle, &kept[key], bytes[key]}), 0);
        else
            hs__handles_remove(&table, handle);
    }
    hs__handles_free(&table);
}

/* Handles that come and go need no more room than those that are there at once. */
static void room_is_used_again(void **state)
{
    hs__handles table = {0};
    assert_int_equal(hs__handles_put(&table, &(hs__handle){8, NULL, 0}), 0);
    const hs__handle_slots *slots = table.slots;
    for (uintptr_t handle = 16; handle < 8 * STEPS; handle += 8) {
        assert_int_equal(hs__handles_put(&table, &(hs__handle){handle, NULL, 0}), 0);
        hs__handles_remove(&table, handle);
    }
    assert_ptr_equal(table.slots, slots);
    assert_non_null(hs__handles_find(&table, 8));
    hs__handles_free(&table);
    assert_null(hs__handles_find(&table, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_keeps_what_is_put),
        cmocka_unit_test(room_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
