/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/suggest.h"
#include "tests/unit.h"

static const char *nearest(const char *word)
{
    static const char *const verbs[] = {"show",      "generate", "ring",   "columns", "grid",
                                        "rebalance", "run",      "reduce", NULL};
    hs__suggestion s = {.word = word};
    for (int i = 0; verbs[i]; i++)
        hs__suggest(&s, verbs[i]);
    return s.nearest ? s.nearest : "";
}

static void finds_the_word_that_is_meant(void **state)
{
    static const struct {
        const char *typed, *meant;
    } row[] = {
        {"colums", "columns"},
        {"rign", "ring"},
        {"rebalnace", "rebalance"},
        {"shwo", "show"},
        {"genrate", "generate"},
        {"rebalence", "rebalance"},
        {"gird", "grid"},
        {"ru", "run"},
        {"nonsense", ""},
        {"", ""},
        {"x", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_string_equal(nearest(row[i].typed), row[i].meant);
}

static void takes_words_of_any_length(void **state)
{
    char word[200];
    (void)state;
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_string_equal(nearest(word), "");
    hs__suggestion s = {.word = "aaa"};
    hs__suggest(&s, word);
    assert_null(s.nearest);
}

/* 63 letters are the most that are compared. */
static void the_longest_words_are_compared(void **state)
{
    char typed[64], meant[64], longer[65];
    memset(longer, 'a', 64);
    longer[64] = '\0';
    snprintf(typed, sizeof typed, "%.63s", longer);
    snprintf(meant, sizeof meant, "%.62sb", longer);
    hs__suggestion s = {.word = typed};
    hs__suggest(&s, longer);
    assert_null(s.nearest);
    hs__suggest(&s, meant);
    assert_ptr_equal(s.nearest, meant);
    assert_int_equal(s.distance, 1);
}

/* A third of the candidate's letters, or one, may differ: distances worked by hand. */
static void a_third_of_the_letters_may_differ(void **state)
{
    static const struct {
        const char *word, *candidate;
        int distance; /* -1: it is not near */
    } rows[] = {
        {"a", "a", 0},
        {"b", "a", 1},
        {"", "a", -1},
        {"ab", "ba", 1},
        {"cd", "ab", -1},
        {"axb", "abc", -1},
        {"xbc", "abc", 1},
        {"abcd", "abc", 1},
        {"ba", "abc", -1},
        {"bacd", "abcd", 1},
        {"abdc", "abcd", 1},
        {"badc", "abcd", -1},
        {"badcef", "abcdef", 2},
        {"xycdef", "abcdef", 2},
        {"xyzdef", "abcdef", -1},
        {"cdef", "abcdef", 2},
        {"bcdefg", "abcdefg", 1},
        {"abcdefgxyz", "abcdefg", -1},
        {"abcdefghixyz", "abcdefghi", 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs__suggestion s = {.word = rows[i].word};
        hs__suggest(&s, rows[i].candidate);
        if ((s.nearest ? s.distance : -1) != rows[i].distance)
            fail_msg("'%s' for '%s': %d", rows[i].word, rows[i].candidate, s.nearest ? s.distance : -1);
    }
}

/* The nearest of several; the first one of equals. */
static void the_nearest_stays(void **state)
{
    static const char *const candidates[] = {"rinse", "rind", "ring", "sing"};
    hs__suggestion s = {.word = "wing"};
    for (size_t i = 0; i < 4; i++)
        hs__suggest(&s, candidates[i]);
    assert_string_equal(s.nearest, "ring");
    assert_int_equal(s.distance, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_word_that_is_meant),      cmocka_unit_test(takes_words_of_any_length),
        cmocka_unit_test(a_third_of_the_letters_may_differ), cmocka_unit_test(the_nearest_stays),
        cmocka_unit_test(the_longest_words_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
