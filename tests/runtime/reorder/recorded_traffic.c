/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports of earlier runs that say who sent how much to whom, and files that do not. */
#include "tests/short_of_memory.h"

#include "runtime/reorder/recorded_traffic.h"
#include <unistd.h>

static char path[] = "recorded_traffic-XXXXXX";

/* Rank 0 sent 7 + 5 bytes to rank 2 and some to another program, rank 2 sent one to rank 0 and
 * nothing to rank 1. */
static const char report[] = "{\"ranks\": [{\"communicators\": [{\"sent\": [{\"world\": 2, \"bytes\": 7}]},"
                             "{\"sent\": [{\"world\": 2, \"bytes\": 5}, {\"world\": null, \"bytes\": 9}]}]},"
                             "{}, {\"communicators\": [{\"sent\": [{\"world\": 0, \"bytes\": 1},"
                             "{\"world\": 1, \"bytes\": 0}]}]}]}";

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Reads it as of so many ranks; a failure leaves all that is the caller's. */
static hs_status read_of(int ranks, hs_error *error)
{
    int64_t *first = NULL;
    int *to = NULL;
    double *bytes = NULL;
    hs_status status = hs__traffic_read(path, ranks, &first, &to, &bytes, error);
    if (status == HS_OK) {
        static const int64_t firsts[] = {0, 1, 1, 2};
        assert_memory_equal(first, firsts, sizeof firsts);
        assert_int_equal(to[0], 2);
        assert_int_equal(to[1], 0);
        CHECK_CLOSE(bytes[0], 12, 0);
        CHECK_CLOSE(bytes[1], 1, 0);
    } else {
        assert_true(!first && !to && !bytes);
    }
    free(first);
    free(to);
    free(bytes);
    return status;
}

static hs_status read_report(const void *nothing)
{
    hs_error error = {0};
    return read_of(3, &error);
}

static void traffic_by_hand(void **state)
{
    hs_error error = {0};
    write_text(report);
    assert_int_equal(read_of(3, &error), HS_OK);
    assert_true(fail_each_allocation(read_report, NULL) >= 4);
}

static void files_that_are_none(void **state)
{
    static const struct {
        const char *text, *says;
        int line;
    } rows[] = {
        {"[]", "is no report of this library", 0},
        {"{\"ranks\": [{}, {}]}", "tells of 2 ranks, here are 3", 0},
        {"{\"ranks\": [{}, {\"communicators\": [{\"sent\": [{\"world\": 3, \"bytes\": 1}]}]}, {}]}",
         "rank 1 sent to a rank that there is not", 0},
        {"{\n\"ranks\": x}", ":2: ", 2},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hs_error error = {0};
        write_text(rows[k].text);
        assert_int_equal(read_of(3, &error), HS_ERR_PARSE);
        CHECK_ERROR_SAYS(&error, rows[k].line, rows[k].says);
    }
}

static void no_file(void **state)
{
    hs_error error = {0};
    assert_int_equal(unlink(path), 0);
    assert_int_equal(read_of(3, &error), HS_ERR_IO);
    CHECK_ERROR_SAYS(&error, 0, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traffic_by_hand),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(no_file),
    };
    int descriptor = mkstemp(path);
    if (descriptor < 0 || close(descriptor) != 0)
        return 99;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
