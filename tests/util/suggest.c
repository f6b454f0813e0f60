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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_word_that_is_meant),
        cmocka_unit_test(takes_words_of_any_length),
        cmocka_unit_test(the_longest_words_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
