/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/array.h"
#include "tests/unit.h"
#include <stdint.h>
#include <stdlib.h>

static int always(void)
{
    return 1;
}

/* Also of nothing, and of what is no multiple of the alignment. */
static void aligned_memory(void **state)
{
    static const size_t bytes[] = {0, 1, 100, 4096};
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
        char *memory = hs__array_aligned(bytes[k], 256);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 256, 0);
        memset(memory, 1, bytes[k]);
        free(memory);
    }
    assert_null(hs__array_aligned(SIZE_MAX, 256));
}

static void new_arrays_are_zero_and_never_empty(void **state)
{
    static const size_t sizes[][2] = {{0, 8}, {8, 0}, {3, 8}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char *array = hs__array_new(sizes[k][0], sizes[k][1]);
        assert_non_null(array);
        for (size_t i = 0; i < sizes[k][0] * sizes[k][1]; i++)
            assert_int_equal(array[i], 0);
        free(array);
    }
    assert_null(hs__array_new(SIZE_MAX / 4, 8));
}

/* By doubling, from 8 elements; what is there stays. */
static void arrays_grow(void **state)
{
    static const size_t rows[][2] = {{0, 0}, {1, 8}, {8, 8}, {9, 16}, {16, 16}, {100, 128}, {5, 128}};
    int *array = NULL;
    size_t capacity = 0, filled = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(hs__array_reserve(&array, &capacity, rows[k][0], sizeof *array), 0);
        assert_int_equal(capacity, rows[k][1]);
        for (size_t i = 0; i < filled; i++)
            assert_int_equal(array[i], i);
        for (; filled < capacity; filled++)
            array[filled] = (int)filled;
    }
    free(array);
}

static void what_cannot_be_is_refused(void **state)
{
    int *array = NULL, *before;
    size_t capacity = 0;
    assert_int_equal(hs__array_reserve(&array, &capacity, 1, sizeof *array), 0);
    before = array;
    assert_int_equal(hs__array_reserve(&array, &capacity, SIZE_MAX, sizeof *array), -1);
    assert_int_equal(hs__array_reserve(&array, &capacity, SIZE_MAX / 2, sizeof *array), -1);
    hs__array_fails = always;
    assert_int_equal(hs__array_reserve(&array, &capacity, 9, sizeof *array), -1);
    assert_int_equal(hs__array_reserve(&array, &capacity, 8, sizeof *array), 0);
    assert_null(hs__array_new(1, 1));
    assert_null(hs__array_aligned(1, 256));
    assert_null(hs__text_copy("a"));
    hs__array_fails = NULL;
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, 8);
    free(array);
}

static void texts_are_copied(void **state)
{
    static const char *const texts[] = {"", "a", "forty two"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char *copy = hs__text_copy(texts[k]);
        assert_ptr_not_equal(copy, texts[k]);
        assert_string_equal(copy, texts[k]);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_memory),   cmocka_unit_test(new_arrays_are_zero_and_never_empty),
        cmocka_unit_test(arrays_grow),      cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(texts_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
