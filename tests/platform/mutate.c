/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader on damaged files: seeded mutations of valid ones. Every error is one line and nothing leaks; every accepted
 * file can be queried, written and read again. */
#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_platform.h>
#include <unistd.h>

enum { ROUNDS = 1000, MOST_BYTES = 1 << 16 };

static char path[] = "/tmp/hs-mutate-XXXXXX";

static const char *const files[] = {"clusters.xml",   "cabinets.xml",      "three-levels.xml", "asymmetric.xml",
                                    "long-edges.xml", "old-spellings.xml", "star.xml",         "speeds-by-size.xml"};

/* Texts that matter to the format, put in at random places. */
static const char *const pieces[] = {"<",
                                     ">",
                                     "/>",
                                     "\"",
                                     "&amp;",
                                     "&#0;",
                                     "&x;",
                                     "<!--",
                                     "]]>",
                                     "\xff",
                                     "0",
                                     "-1",
                                     "1e400",
                                     "nan",
                                     "99999999999",
                                     "Gf",
                                     "id=\"a\"",
                                     "<zone id=\"q\" routing=\"Floyd\">",
                                     "</zone>",
                                     "<host id=\"q\" speed=\"1Gf\"/>",
                                     "<link_ctn id=\"l1\"/>",
                                     "radical=\"0-999\"",
                                     "<prop id=\"a\" value=\"b\"/>",
                                     "<prop id=\"speed_by_size\" value=\"1kB:1Gf,\"/>",
                                     "<prop id=\"max_slice\" value=\"1kB\"/>",
                                     "symmetrical=\"NO\"",
                                     "direction=\"UP\""};

static size_t load(const char *name, char *text)
{
    char full[4096];
    snprintf(full, sizeof full, "%s/tests/platforms/%s", getenv("HS_TEST_SRCDIR"), name);
    FILE *stream = fopen(full, "r");
    assert_non_null(stream);
    size_t length = fread(text, 1, MOST_BYTES / 2, stream);
    fclose(stream);
    return length;
}

/* One change: a byte, a piece put in, a stretch left out, doubled or moved. */
static size_t mutate(char *text, size_t length, hs__random *random)
{
    size_t at = (size_t)hs__random_below(random, (int64_t)length), most = length - at < 60 ? length - at : 60;
    size_t span = (size_t)hs__random_below(random, (int64_t)most + 1);
    const char *piece = pieces[hs__random_below(random, sizeof pieces / sizeof *pieces)];
    char kept[64];
    switch (hs__random_below(random, 5)) {
    case 0:
        text[at] = (char)hs__random_below(random, 256);
        return length;
    case 1:
        memmove(text + at, text + at + span, length - at - span);
        return length - span > 0 ? length - span : 1;
    case 2:
        memcpy(kept, text + at, span);
        memmove(text + at + span, text + at, length - at);
        memcpy(text + at, kept, span);
        return length + span;
    case 3: {
        size_t to = (size_t)hs__random_below(random, (int64_t)(length - span) + 1);
        memcpy(kept, text + at, span);
        memmove(text + at, text + at + span, length - at - span);
        memmove(text + to + span, text + to, length - span - to);
        memcpy(text + to, kept, span);
        return length;
    }
    default:
        memmove(text + at + strlen(piece), text + at, length - at);
        memcpy(text + at, piece, strlen(piece));
        return length + strlen(piece);
    }
}

static void save(const char *text, size_t length)
{
    FILE *stream = fopen(path, "w");
    assert_int_equal(fwrite(text, 1, length, stream), length);
    fclose(stream);
}

/* What was accepted holds together. */
static void use(hs_platform *platform, hs__random *random)
{
    hs_route route = {0};
    const hs_arc *arcs;
    size_t count;
    int nodes = hs_platform_hosts(platform) + hs_platform_routers(platform);
    for (int i = 0; i < 20; i++)
        hs_platform_route(platform, (int)hs__random_below(random, nodes), (int)hs__random_below(random, nodes), &route);
    hs_platform_arcs(platform, &arcs, &count);
    hs_route_free(&route);
    hs_platform *again;
    assert_int_equal(hs_platform_write(platform, path, NULL), HS_OK);
    assert_int_equal(hs_platform_read(path, &again, NULL), HS_OK);
    assert_int_equal(hs_platform_links(again), hs_platform_links(platform));
    hs_platform_free(again);
}

static void mutations(void **state)
{
    static char text[MOST_BYTES];
    hs__random random = {99};
    int accepted = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (int round = 0; round < ROUNDS; round++) {
            size_t length = load(files[f], text);
            for (int64_t changes = 1 + hs__random_below(&random, 3) / 2 * 3; changes > 0; changes--)
                length = mutate(text, length, &random);
            save(text, length);
            hs_platform *platform = NULL;
            hs_error error = {0, ""};
            hs_status status = hs_platform_read(path, &platform, &error);
            if (status == HS_OK) {
                use(platform, &random);
                accepted++;
            } else {
                assert_true(status == HS_ERR_PARSE || status == HS_ERR_UNSUPPORTED);
                assert_null(platform);
                assert_true(error.line > 0);
                assert_true(*error.text && !strchr(error.text, '\n'));
            }
            hs_platform_free(platform);
        }
    assert_true(accepted > 100);
}

static int enter(void **state)
{
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int leave(void **state)
{
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations)};
    return cmocka_run_group_tests(tests, enter, leave);
}
