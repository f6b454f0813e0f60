/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/index.h"
#include "tests/unit.h"

enum { KEYS = 1000 };

/* Keys are numbers; the value of a key is its place. Only values that were added may be asked about. */
typedef struct keys {
    int key[KEYS], n;
} keys;

static int same(const void *owner, int value, const void *key)
{
    const keys *k = owner;
    assert_in_range(value, 0, k->n - 1);
    return k->key[value] == *(const int *)key;
}

static void add(hs__index *index, keys *k, uint64_t hash, int key)
{
    assert_int_equal(hs__index_reserve(index, 1), 0);
    k->key[k->n] = key;
    hs__index_add(index, hash, k->n++);
}

static int find(const hs__index *index, const keys *k, uint64_t hash, int key)
{
    return hs__index_find(index, hash, same, k, &key);
}

static void an_empty_index_has_nothing(void **state)
{
    hs__index index = {0};
    keys k = {.n = 0};
    assert_int_equal(find(&index, &k, 0, 7), -1);
    assert_int_equal(hs__index_reserve(&index, 1), 0);
    for (uint64_t hash = 0; hash < 2 * index.room; hash++)
        assert_int_equal(find(&index, &k, hash, 7), -1);
    hs__index_free(&index);
    assert_true(!index.slots && !index.room && !index.used);
}

/* The chain goes on at the other end of the table. */
static void keys_of_one_hash_are_told_apart(void **state)
{
    static const uint64_t hashes[] = {0, 1, 63, UINT64_MAX};
    for (size_t h = 0; h < sizeof hashes / sizeof *hashes; h++) {
        hs__index index = {0};
        keys k = {.n = 0};
        for (int key = 0; key < 20; key++)
            add(&index, &k, hashes[h], 10 * key);
        for (int key = 0; key < 20; key++)
            assert_int_equal(find(&index, &k, hashes[h], 10 * key), key);
        assert_int_equal(find(&index, &k, hashes[h], 5), -1);
        assert_int_equal(find(&index, &k, hashes[h] + 64, 0), -1);
        hs__index_free(&index);
    }
}

static void an_index_grows(void **state)
{
    hs__index index = {0};
    keys k = {.n = 0};
    for (int key = 0; key < KEYS; key++) {
        add(&index, &k, hs__hash_triple(key, 1, 2), key);
        assert_true(2 * index.used <= index.room && index.used == (size_t)key + 1);
        assert_true(index.room == 64 || index.used > index.room / 4); /* no sooner than needed */
    }
    assert_int_equal(index.room, 2048);
    for (int key = 0; key < KEYS; key++)
        assert_int_equal(find(&index, &k, hs__hash_triple(key, 1, 2), key), key);
    assert_int_equal(find(&index, &k, hs__hash_triple(KEYS, 1, 2), KEYS), -1);
    hs__index_free(&index);
}

/* Every place of the smaller table is taken. */
static void an_index_grows_with_all_that_it_has(void **state)
{
    enum { ROOM = 64 };
    for (int key = 0; key < ROOM; key++) {
        hs__index index = {0};
        keys k = {.n = 0};
        add(&index, &k, (uint64_t)key, key);
        assert_int_equal(hs__index_reserve(&index, ROOM), 0);
        assert_true(index.room > ROOM);
        assert_int_equal(find(&index, &k, (uint64_t)key, key), 0);
        hs__index_free(&index);
    }
}

static void hashes_depend_on_every_part(void **state)
{
    assert_true(hs__hash_triple(1, 2, 3) == hs__hash_triple(1, 2, 3));
    assert_true(hs__hash_triple(1, 2, 3) != hs__hash_triple(2, 1, 3));
    assert_true(hs__hash_triple(1, 2, 3) != hs__hash_triple(1, 2, 4));
    assert_true(hs__hash_triple(1, 2, 3) != hs__hash_triple(0, 2, 3));
    assert_true(hs__hash_text("ab") != hs__hash_text("ba"));
    assert_true(hs__hash_text("ab") == hs__hash_text("ab"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_index_has_nothing),
        cmocka_unit_test(keys_of_one_hash_are_told_apart),
        cmocka_unit_test(an_index_grows),
        cmocka_unit_test(an_index_grows_with_all_that_it_has),
        cmocka_unit_test(hashes_depend_on_every_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
