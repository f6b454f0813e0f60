/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring order of real ranks: hosts of one switch stand together, ranks of one host too, and slices follow the
 * speeds. */
#include "tests/said.h"
#include <heteroslice/hs_platform.h>

enum { MOST = 16, NAME = 8 };

/* Ranks come in an order that alternates between the switches; rank 6 shares host a1 with rank 0. */
static const char *const hosts[] = {"a1", "b1", "a2", "b2", "a3", "b3", "a1"};
static const double speed_of_rank[] = {8, 4, 6, 3, 4, 2, 8};

static const char *platform(void)
{
    static char path[512];
    const char *folder = getenv("HS_TEST_SRCDIR");
    snprintf(path, sizeof path, "%s/examples/two-switches.xml", folder ? folder : ".");
    return path;
}

static void order_keeps_switches_together(hs_context *context)
{
    int size = world_size(), changes = 0, mine = world_rank(), order[MOST];
    MPI_Allgather(&mine, 1, MPI_INT, order, 1, MPI_INT, hs_comm(context));
    for (int k = 0; k < size; k++)
        changes += hosts[order[k]][0] != hosts[order[(k + 1) % size]][0];
    REQUIRE(changes == (size > 1 ? 2 : 0));
    for (int k = 0; k < size; k++)
        for (int j = k + 2; j < size; j++)
            REQUIRE(strcmp(hosts[order[k]], hosts[order[j]]) != 0);
}

static void slices_follow_speeds(hs_context *context)
{
    hs_layout *layout;
    int size = world_size();
    double sum = 0, speed = speed_of_rank[world_rank()];
    if (size == 7 && (world_rank() == 0 || world_rank() == 6))
        speed /= 2; /* two ranks, one core */
    MPI_Allreduce(&speed, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    REQUIRE(hs_layout_create(context, 10000, 1, HS_PERIODIC, &layout) == HS_OK);
    REQUIRE(fabs((double)hs_layout_slice(layout).count - 10000 * speed / sum) <= 2);
    hs_layout_free(layout);
}

/* W and H seem to say that one host alone is best, but the program's own pace is not known: all hosts begin. */
static void nobody_is_left_out_at_first(hs_params params)
{
    hs_context *context;
    hs_layout *layout;
    params.work = 1e6;
    params.halo = 1e9;
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    order_keeps_switches_together(context);
    REQUIRE(hs_layout_create(context, 100, 1, HS_FIXED, &layout) == HS_OK);
    for (int r = 0; r < world_size(); r++)
        REQUIRE(hs_layout_counts(layout)[r] > 0);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

/* The platform with a link between the switches of which only a lower bound is known, in a file of rank 0's. */
static void write_bound(const char *path)
{
    hs_platform *p = NULL;
    REQUIRE(hs_platform_read(platform(), &p, NULL) == HS_OK);
    hs_platform_set_link_at_least(p, hs_platform_find_link(p, "trunk_UP"));
    REQUIRE(hs_platform_write(p, path, NULL) == HS_OK);
    hs_platform_free(p);
}

/* What hs_init() says on standard error, on rank 0. */
static void initialise(hs_params params, char *text, size_t size)
{
    hs_context *context = NULL;
    said s = said_begin();
    hs_status status = hs_init(MPI_COMM_WORLD, &params, &context, NULL);
    said_end(&s, text, size);
    REQUIRE(status == HS_OK);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

/* A ring on both sides of the trunk uses it; one rank alone, or a platform that is known, has nothing to tell. */
static void bounds_are_told(hs_params params)
{
    char text[2000], path[64];
    snprintf(path, sizeof path, "hs-bound-%d.xml", (int)getpid());
    initialise(params, text, sizeof text);
    REQUIRE(strstr(text, "lower bound") == NULL);
    if (world_rank() == 0) {
        write_bound(path);
        params.platform = path;
    }
    initialise(params, text, sizeof text);
    int told = strstr(text, "hs_init: links in use whose bandwidth is only a lower bound: 2 (first: trunk_UP)") != NULL;
    REQUIRE(told == (world_rank() == 0 && world_size() > 1));
    if (world_rank() == 0)
        unlink(path);
}

/* A link between every two hosts, of which only a lower bound is known. */
static void write_mesh(FILE *file, int count)
{
    fprintf(file, "<zone id='z' routing='Full'>\n");
    for (int h = 0; h < count; h++)
        fprintf(file, "<host id='h%d' speed='1Gf'/>\n", h);
    for (int h = 0; h < count; h++)
        for (int g = 0; g < h; g++)
            fprintf(file,
                    "<link id='l%d-%d' bandwidth='1GBps' latency='0s' sharing_policy='SPLITDUPLEX'>"
                    "<prop id='bandwidth' value='at least'/></link>\n",
                    g, h);
    for (int h = 0; h < count; h++)
        for (int g = 0; g < h; g++)
            fprintf(file, "<route src='h%d' dst='h%d'><link_ctn id='l%d-%d' direction='UP'/></route>\n", g, h, g, h);
    fprintf(file, "</zone>\n");
}

/* Each host sends to both neighbours in the ring, by links of their own, and to no other. */
static void bounds_are_those_of_neighbours(void)
{
    char text[2000], bounds[64];
    int size = world_size();
    hs_params params = params_on_host(HS_BALANCE_STATIC, world_rank(), write_mesh, size);
    initialise(params, text, sizeof text);
    snprintf(bounds, sizeof bounds, "only a lower bound: %d (", size > 2 ? 2 * size : 2);
    REQUIRE((strstr(text, bounds) != NULL) == (world_rank() == 0 && size > 1));
    forget_hosts(&params);
}

static void unknown_hosts_are_named(hs_params params)
{
    hs_context *context = NULL;
    hs_error error = {0};
    if (world_rank() == world_size() - 1)
        params.host = "nowhere";
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, &error) == HS_ERR_UNREACHABLE);
    char named[64];
    snprintf(named, sizeof named, "rank %d runs on 'nowhere'", world_size() - 1);
    REQUIRE(context == NULL && strstr(error.text, named) != NULL);
}

static void write_peers(FILE *file, int number)
{
    fprintf(file, "<zone id='z' routing='Full'><peer id='h%d'/></zone>\n", number);
}

static void is_refused(void (*write)(FILE *file, int how), hs_status expected, const char *words)
{
    hs_context *context = NULL;
    hs_error error = {0};
    hs_params params = params_on_host(HS_BALANCE_STATIC, world_rank(), write, world_size());
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, &error) == expected);
    REQUIRE(context == NULL && strstr(error.text, words) != NULL);
    forget_hosts(&params);
}

static void write_islands(FILE *file, int count)
{
    fprintf(file, "<zone id='z' routing='Full'>\n");
    for (int h = 0; h < count; h++)
        fprintf(file, "<host id='h%d' speed='1Gf'/>\n", h);
    fprintf(file, "</zone>\n");
}

/* Where no routes are, one host has all units: there is a plan, which is no error. */
static void islands_share_nothing(void)
{
    hs_context *context;
    hs_layout *layout;
    hs_params params = params_on_host(HS_BALANCE_STATIC, world_rank(), write_islands, world_size());
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    REQUIRE(hs_layout_create(context, 100, 1, HS_FIXED, &layout) == HS_OK);
    int64_t mine = hs_layout_slice(layout).count;
    REQUIRE(mine == 0 || mine == 100);
    REQUIRE(hs_finalize(&context) == HS_OK);
    forget_hosts(&params);
}

/* A relative HS_PLATFORM, of a file of this rank's own, before MPI_Init. */
static void name_platform(char *path, size_t size)
{
    hs_platform *p = NULL;
    snprintf(path, size, "hs-named-%d.xml", (int)getpid());
    REQUIRE(hs_platform_read(platform(), &p, NULL) == HS_OK);
    REQUIRE(hs_platform_write(p, path, NULL) == HS_OK);
    hs_platform_free(p);
    setenv("HS_PLATFORM", path, 1);
}

/* The program may go elsewhere, or name another file itself. The file is read once. */
static void named_file_is_of_first_folder(hs_params params, const char *named)
{
    hs_context *context = NULL;
    hs_error error = {0};
    char here[512], file[600];
    params.platform = NULL;
    REQUIRE(getcwd(here, sizeof here) && chdir("/") == 0);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, &error) == HS_OK);
    slices_follow_speeds(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    snprintf(file, sizeof file, "%s/%s", here, named);
    REQUIRE(unlink(file) == 0);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, &error) == HS_OK);
    slices_follow_speeds(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    setenv("HS_PLATFORM", "nowhere.xml", 1);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, &error) != HS_OK);
    REQUIRE(world_rank() != 0 || strncmp(error.text, "hs_init: nowhere.xml: ", 22) == 0);
    REQUIRE(chdir(here) == 0);
}

int main(int argc, char **argv)
{
    hs_context *context;
    hs_error error = {0};
    char named[64];
    name_platform(named, sizeof named);
    setenv("HS_LOG", "info", 1);
    MPI_Init(&argc, &argv);
    hs_params params = {.mode = HS_BALANCE_STATIC, .platform = platform(), .host = hosts[world_rank()]};
    if (hs_init(MPI_COMM_WORLD, &params, &context, &error) != HS_OK)
        fprintf(stderr, "%s\n", error.text);
    REQUIRE(context != NULL);
    order_keeps_switches_together(context);
    slices_follow_speeds(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    nobody_is_left_out_at_first(params);
    bounds_are_told(params);
    bounds_are_those_of_neighbours();
    unknown_hosts_are_named(params);
    is_refused(write_off_cluster, HS_ERR_INFEASIBLE, "no host of the platform can compute");
    is_refused(write_peers, HS_ERR_UNSUPPORTED, "<peer>");
    islands_share_nothing();
    named_file_is_of_first_folder(params, named);
    MPI_Finalize();
    return 0;
}
