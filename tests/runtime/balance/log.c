/* SPDX-License-Identifier: BSD-3-Clause */
/* HS_LOG_DECISIONS with a relative path, in a program that goes to another folder before its first layout: the log is
 * in the folder where the program began, and tells of each layout. Ranks that write none leave none of an earlier run,
 * and spawned ones the files of their parents. */
#include "tests/clock.h"
#include "tests/mpi.h"
#include <fcntl.h>
#include <glob.h>
#include <jansson.h>
#include <sys/stat.h>

enum { UNITS = 100, HALO = 24 };

/* The ring's first rank takes four times as long for a unit as the others. */
static void balance_until_moved(hs_context *context, hs_layout *layout)
{
    enum { STEP_S = 1000, MOST = 100 };
    int rank;
    hs_status status = HS_UNCHANGED;
    MPI_Comm_rank(hs_comm(context), &rank);
    for (int k = 0; k < MOST && status == HS_UNCHANGED && world_size() > 1; k++) {
        hs_compute_begin(layout);
        clock_pass((double)STEP_S * (rank == 0 ? 4 : 1) * (double)hs_layout_slice(layout).count / UNITS);
        hs_compute_end(layout);
        clock_meet();
        status = hs_balance(layout);
    }
    REQUIRE(world_size() == 1 || status == HS_OK);
}

static void make_layout(hs_context *context, hs_edges boundary)
{
    hs_layout *layout;
    double weight[UNITS];
    for (int i = 0; i < UNITS; i++)
        weight[i] = 2;
    REQUIRE(hs_layout_create(context, UNITS, 0, boundary, &layout) == HS_OK);
    if (boundary == HS_PERIODIC) {
        REQUIRE(hs_layout_weights(layout, weight) >= 0);
        balance_until_moved(context, layout);
    }
    hs_layout_free(layout);
}

/* The file that this rank writes in a folder. */
static const char *log_in(const char *folder)
{
    static char path[128];
    if (world_rank() == 0)
        snprintf(path, sizeof path, "%s/log", folder);
    else
        snprintf(path, sizeof path, "%s/log.%d", folder, world_rank());
    return path;
}

/* The ranks stand in the order of the ring, with their hosts and what was said of them. */
static void check_layout(const json_t *line, int number, int periodic, const int *order)
{
    const json_t *world = json_object_get(line, "world"), *site = json_object_get(line, "site");
    const json_t *hosts = json_object_get(site, "hosts"), *speeds = json_object_get(site, "speeds");
    REQUIRE(json_integer_value(json_object_get(line, "layout")) == number);
    REQUIRE(json_integer_value(json_object_get(json_object_get(line, "slices"), "units")) == UNITS);
    REQUIRE(json_is_true(json_object_get(site, "periodic")) == periodic);
    REQUIRE(json_number_value(json_object_get(site, "halo")) == HALO);
    for (size_t r = 0; r < (size_t)world_size(); r++) {
        char host[16];
        snprintf(host, sizeof host, "h%d", order[r]);
        REQUIRE(json_integer_value(json_array_get(world, r)) == order[r]);
        REQUIRE(strcmp(json_string_value(json_array_get(hosts, r)), host) == 0);
        REQUIRE(json_number_value(json_array_get(speeds, r)) == 1e9);
    }
}

static int is_event(const json_t *line, const char *event)
{
    const char *text = json_string_value(json_object_get(line, "event"));
    REQUIRE(text && json_integer_value(json_object_get(line, "layout")) == 2);
    return strcmp(text, event) == 0;
}

/* The iterations that were decided about, up to one that moves, and what that took. */
static void check_phases(FILE *file)
{
    json_int_t before = 0, units = 0;
    int moves = 0;
    while (!moves) {
        json_t *line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
        REQUIRE(line && is_event(line, "phase"));
        json_int_t iteration = json_integer_value(json_object_get(line, "iteration"));
        REQUIRE(iteration > before);
        before = iteration;
        units = 0;
        for (size_t r = 0; r < (size_t)world_size(); r++)
            units += json_integer_value(json_array_get(json_object_get(line, "units"), r));
        REQUIRE(units == UNITS);
        moves = strcmp(json_string_value(json_object_get(line, "verdict")), "move") == 0;
        json_decref(line);
    }
    json_t *line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
    REQUIRE(line && is_event(line, "moved") && json_is_real(json_object_get(line, "seconds")));
    json_decref(line);
}

static void check_log(const char *path, const int *order)
{
    FILE *file = fopen(path, "r");
    json_t *line[3];
    REQUIRE(file != NULL);
    for (int k = 0; k < 3; k++)
        REQUIRE((line[k] = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL);
    check_phases(file);
    fclose(file);
    check_layout(line[0], 1, 0, order);
    check_layout(line[1], 2, 1, order);
    const json_t *run = json_array_get(json_object_get(line[2], "runs"), 0);
    REQUIRE(is_event(line[2], "weights"));
    REQUIRE(json_number_value(json_array_get(run, 0)) == 2 && json_integer_value(json_array_get(run, 1)) == UNITS);
    for (int k = 0; k < 3; k++)
        json_decref(line[k]);
}

/* A program that this one starts does not hold the log open. */
static void check_closed_by_exec(const char *path)
{
    enum { MOST = 256 };
    struct stat facts, open_file;
    int found = 0;
    REQUIRE(stat(path, &facts) == 0);
    for (int d = 0; d < MOST; d++)
        if (fstat(d, &open_file) == 0 && open_file.st_ino == facts.st_ino && open_file.st_dev == facts.st_dev) {
            REQUIRE(fcntl(d, F_GETFD) & FD_CLOEXEC);
            found++;
        }
    REQUIRE(found == 1);
}

static void check(hs_context *context, const char *start, const char *other)
{
    struct stat facts;
    int rank, mine = world_rank(), order[64];
    MPI_Comm_rank(hs_comm(context), &rank);
    MPI_Allgather(&mine, 1, MPI_INT, order, 1, MPI_INT, hs_comm(context));
    int writes = rank == 0 && world_size() > 1; /* the first of several ranks: one alone decides nothing */
    int is_there = stat(log_in(start), &facts) == 0;
    REQUIRE(is_there == writes && (!writes || facts.st_size > 0));
    REQUIRE(stat(log_in(other), &facts) != 0);
    if (!writes)
        return;
    check_closed_by_exec(log_in(start));
    check_log(log_in(start), order);
    REQUIRE(unlink(log_in(start)) == 0);
}

/* The log's path is given. */
static int be_spawned(char *path)
{
    MPI_Comm parents;
    REQUIRE(setenv("HS_LOG_DECISIONS", path, 1) == 0);
    MPI_Init(NULL, NULL);
    hs_context *context = start_balanced();
    make_layout(context, HS_FIXED);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Comm_get_parent(&parents);
    MPI_Barrier(parents);
    MPI_Finalize();
    return 0;
}

/* Two ranks that log to the same path as rank 0. */
static void spawn(const char *start)
{
    MPI_Comm children;
    glob_t found;
    struct stat before = {0}, after = {0};
    char self[512] = "", path[64], pattern[128], *arguments[] = {path, NULL};
    REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    snprintf(path, sizeof path, "%s/log", start);
    snprintf(pattern, sizeof pattern, "%s-spawned-*", path);
    stat(path, &before);
    MPI_Comm_spawn(self, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Barrier(children);
    stat(path, &after);
    REQUIRE(before.st_size == after.st_size);
    if (world_rank() == 0) {
        REQUIRE(glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc == 1);
        REQUIRE(unlink(found.gl_pathv[0]) == 0);
        globfree(&found);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return be_spawned(argv[1]);
    char start[] = "/tmp/hs-log-XXXXXX", other[64]; /* a rank has its own */
    REQUIRE(mkdtemp(start) && chdir(start) == 0);
    snprintf(other, sizeof other, "%s/other", start);
    REQUIRE(mkdir(other, 0700) == 0 && setenv("HS_LOG_DECISIONS", "log", 1) == 0);
    MPI_Init(&argc, &argv);
    hs_context *context;
    hs_params params = fake_hosts(HS_BALANCE_ON);
    params.halo = HALO;
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    forget_hosts(&params);
    REQUIRE(chdir(other) == 0);
    if (world_size() > 1)
        fclose(fopen(log_in(start), "w"));
    make_layout(context, HS_FIXED);
    make_layout(context, HS_PERIODIC);
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION < 5
    if (world_size() == 2)
        spawn(start);
#endif
    check(context, start, other);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return chdir("/") != 0 || rmdir(other) != 0 || rmdir(start) != 0;
}
