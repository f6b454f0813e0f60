/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* mincore() */
#include "util/pages.h"
#include "tests/unit.h"
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 16 };

static size_t page;

/* Memory that begins some bytes behind a page's begin and ends before a page's end, all bytes 1. */
static char *allocate(size_t offset, size_t bytes, void **base)
{
    assert_int_equal(posix_memalign(base, page, offset + bytes + page), 0);
    memset(*base, 1, offset + bytes + page);
    return (char *)*base + offset;
}

static int count_resident(void *base, size_t bytes)
{
    unsigned char resident[PAGES + 2] = {0};
    int count = 0;
    assert_int_equal(mincore(base, bytes, resident), 0);
    for (size_t p = 0; p < (bytes + page - 1) / page; p++)
        count += resident[p] & 1;
    return count;
}

static void all_bytes_are(const char *memory, size_t from, size_t to, char value)
{
    for (size_t i = from; i < to; i++)
        assert_int_equal(memory[i], value);
}

static void zeroed_memory_takes_no_whole_pages(void **state)
{
    void *base;
    size_t bytes = PAGES * page - 300;
    char *memory = allocate(100, bytes, &base);
    hs__pages_zero(memory, bytes);
    assert_int_equal(count_resident(base, PAGES * page), 2);
    all_bytes_are(base, 0, 100, 1);
    all_bytes_are(memory, 0, bytes, 0);
    all_bytes_are(memory, bytes, bytes + 200, 1);
    free(base);
}

static void less_than_a_page_is_zeroed(void **state)
{
    char memory[] = "abcd";
    hs__pages_zero(memory + 1, 2);
    assert_memory_equal(memory, "a\0\0d", 4);
    hs__pages_zero(memory, 0);
    assert_int_equal(memory[0], 'a');
    assert_int_equal(hs__pages_release(memory, 0, sizeof memory), 0);
}

/* However memory is cut, each whole page is given back once, when its last byte is. */
static void parts_add_up_to_whole_pages(void **state)
{
    static const size_t offsets[] = {0, 1, 100, 4095};
    for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++)
        for (size_t parts = 1; parts <= 50; parts += 7) {
            void *base;
            size_t bytes = PAGES * page - 4096, released = 0;
            char *memory = allocate(offsets[o], bytes, &base);
            for (size_t k = 1; k <= parts; k++) {
                size_t to = bytes * k / parts;
                released += hs__pages_release(memory, bytes * (k - 1) / parts, to);
                all_bytes_are(memory, to, bytes, 1);
            }
            size_t first = (offsets[o] + page - 1) / page * page, end = (offsets[o] + bytes) / page * page;
            assert_int_equal(released, end - first);
            assert_int_equal(count_resident(base, PAGES * page), PAGES - (int)(released / page));
            all_bytes_are(base, 0, first, 1);
            all_bytes_are(base, first, end, 0);
            free(base);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(zeroed_memory_takes_no_whole_pages),
                                              cmocka_unit_test(less_than_a_page_is_zeroed),
                                              cmocka_unit_test(parts_add_up_to_whole_pages)};
    page = (size_t)sysconf(_SC_PAGESIZE);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
