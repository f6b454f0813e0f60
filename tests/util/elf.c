/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/unit.h"
#include "util/elf.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"main", "qsort", "tests_elf_defines_this", "nobody_defines_this", ""};
enum { NAMES = 5 };

int tests_elf_defines_this(void);
int tests_elf_defines_this(void)
{
    return 1;
}

/* qsort is used, and some library's. */
static int compare(const void *a, const void *b)
{
    return memcmp(a, b, 1);
}

static void finds_what_the_program_defines(void **state)
{
    unsigned char found[NAMES] = {0};
    char letters[] = "ba";
    (void)state;
    qsort(letters, 2, 1, compare);
    hs__elf_find_own(names, NAMES, found);
    assert_int_equal(tests_elf_defines_this(), 1);
    assert_memory_equal(found, ((unsigned char[]){1, 0, 1, 0, 0}), NAMES);
}

/* The test program's own bytes. */
static char *read_own(size_t *size)
{
    FILE *file = fopen("/proc/self/exe", "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

typedef struct library {
    const char *name;
    int times;
} library;

static void count(const char *name, void *given)
{
    library *l = given;
    l->times += strcmp(name, l->name) == 0;
}

static int count_in_bytes(const void *bytes, size_t size, const char *name)
{
    library l = {name, 0};
    hs__elf_libraries(bytes, size, count, &l);
    return l.times;
}

static int count_in_file(const char *path, const char *name)
{
    library l = {name, 0};
    hs__elf_libraries_of(path, count, &l);
    return l.times;
}

static void finds_what_a_file_needs_and_is(void **state)
{
    Dl_info libc;
    (void)state;
    assert_int_equal(count_in_file("/proc/self/exe", "libc.so.6"), 1);
    assert_int_equal(count_in_file("/proc/self/exe", "libnobody-needs-this.so"), 0);
    assert_int_not_equal(dladdr(hs__elf_loaded("libc.so.6", "qsort"), &libc), 0);
    assert_int_equal(count_in_file(libc.dli_fname, "libc.so.6"), 1);
    assert_int_equal(
        count_in_file("/", "libc.so.6") + count_in_file("", "libc.so.6") + count_in_file("/dev/null", "libc.so.6"), 0);
}

/* Each length is a block of its own, so that sanitizers see any read beyond it. */
static void takes_files_that_are_cut_off(void **state)
{
    size_t size;
    char *bytes = read_own(&size);
    (void)state;
    for (int k = 0; k <= 200; k++) {
        unsigned char found[NAMES] = {0};
        size_t length = k < 100 ? (size_t)k : size * (size_t)(k - 100) / 100;
        char *part = malloc(length + 1);
        assert_non_null(part);
        memcpy(part, bytes, length);
        hs__elf_find(part, length, names, NAMES, found);
        assert_int_equal(found[2], k == 200);
        assert_in_range(count_in_bytes(part, length, "libc.so.6"), k == 200, k > 100);
        free(part);
    }
    free(bytes);
}

static void takes_damaged_files(void **state)
{
    size_t size;
    char *bytes = read_own(&size);
    unsigned seed = 1;
    (void)state;
    for (int k = 0; k < 300; k++) {
        unsigned char found[NAMES] = {0};
        size_t at[8];
        char saved[8];
        for (int i = 0; i < 8; i++) { /* in the header, and in the table of sections at the end */
            seed = seed * 1103515245 + 12345;
            at[i] = i < 4 ? (seed >> 8) % 64 : size - 1 - (seed >> 8) % 3000;
            saved[i] = bytes[at[i]];
            bytes[at[i]] = (char)(seed >> 16);
        }
        hs__elf_find(bytes, size, names, NAMES, found);
        count_in_bytes(bytes, size, "libc.so.6");
        for (int i = 7; i >= 0; i--)
            bytes[at[i]] = saved[i];
    }
    free(bytes);
}

static void asks_what_is_loaded(void **state)
{
    void *libc = dlopen("libc.so.6", RTLD_NOW); /* its own qsort: sanitizers bring another */
    (void)state;
    assert_non_null(libc);
    assert_ptr_equal(hs__elf_loaded("libc.so.6", "qsort"), dlsym(libc, "qsort"));
    assert_null(hs__elf_loaded("libc.so.6", "nobody_defines_this"));
    assert_null(hs__elf_loaded("libnobody-has-loaded-this.so", "qsort"));
}

static int toggle_libm(struct dl_phdr_info *object, size_t size, void *toggled)
{
    (void)size;
    if (strstr(object->dlpi_name, "/libm.so"))
        *(int *)toggled += hs__elf_toggle(object);
    return 0;
}

static void hides_and_shows_an_object(void **state)
{
    void *libm = dlopen("libm.so.6", RTLD_NOW), *found = libm ? dlsym(libm, "cosh") : NULL;
    int toggled = 0;
    (void)state;
    assert_non_null(found);
    dl_iterate_phdr(toggle_libm, &toggled);
    assert_null(dlsym(libm, "cosh"));
    dl_iterate_phdr(toggle_libm, &toggled);
    assert_ptr_equal(dlsym(libm, "cosh"), found);
    assert_int_equal(toggled, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_the_program_defines),
        cmocka_unit_test(finds_what_a_file_needs_and_is),
        cmocka_unit_test(takes_files_that_are_cut_off),
        cmocka_unit_test(takes_damaged_files),
        cmocka_unit_test(asks_what_is_loaded),
        cmocka_unit_test(hides_and_shows_an_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
