/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/words.h"
#include "tests/short_of_memory.h"
#include <stdlib.h>

/* As execvp() reads it: up to NULL, however many words there are. */
static void a_list_ends_with_null(void **state)
{
    hs__words words = {0};
    char text[16];
    (void)state;
    words.item = malloc(8 * sizeof *words.item); /* memory that held something */
    words.room = 8;
    assert_non_null(words.item);
    memset(words.item, 0xff, 8 * sizeof *words.item);
    for (size_t n = 0; n < 40; n++) {
        snprintf(text, sizeof text, "word %zu", n);
        hs__words_add(&words, text);
        assert_int_equal(words.count, n + 1);
        for (size_t k = 0; k <= n; k++) {
            snprintf(text, sizeof text, "word %zu", k);
            assert_string_equal(words.item[k], text);
        }
        assert_null(words.item[n + 1]);
    }
    assert_false(words.failed);
    hs__words_free(&words);
}

/* Words that lack one must not be executed. */
static void a_missing_word_is_remembered(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        hs__words words = {0};
        memory_lasts(n);
        hs__words_add(&words, "-n");
        assert_true(memory_is_back());
        assert_true(words.failed && words.count == 0);
        hs__words_add(&words, "4");
        assert_true(words.failed && words.count == 1);
        assert_string_equal(words.item[0], "4");
        hs__words_free(&words);
    }
}

static void a_shell_wants_quotes(void **state)
{
    static const char *const plain[] = {"a", "hosts", "./p-1_2.xml", "/tmp/a,b+c:d@e%f=g"};
    static const char *const other[] = {"",   "a b", "a\tb", "a\nb", "it's", "\"", "a\\b", "$HOME", "`a`",
                                        "*",  "a?",  "a;b",  "a&",   "a|b",  "<a", ">a",   "(a",    "a)",
                                        "[a", "a]",  "{a",   "a}",   "#a",   "~a", "a!"};
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_false(hs__word_needs_quotes(plain[i]));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_true(hs__word_needs_quotes(other[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_ends_with_null),
        cmocka_unit_test(a_missing_word_is_remembered),
        cmocka_unit_test(a_shell_wants_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
