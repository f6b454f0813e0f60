/* SPDX-License-Identifier: BSD-3-Clause */
/* A measurement is kept and used by the next start when it holds, and else made anew; nothing that is wrong with the file
 * stops a start. Each rank is a host. What speeds and rates are read is played, so that load does not matter. */
#include "runtime/session/kept.h"
#include "cache/cache.h"
#include "runtime/base/environment.h"
#include "runtime/probe/kernels.h"
#include "runtime/probe/spot.h"
#include "runtime/probe/stream.h"
#include "tests/fail_in_turn.h"
#include "tests/said.h"
#include <dirent.h>
#include <fcntl.h>
#include <heteroslice/hs_probe.h>
#include <sys/stat.h>
#include <time.h>

enum { UNITS = 1000, SAID = 8192 };

static double faster = 1, wider = 1; /* this rank's host, all links, than at first */
static int measured;                 /* how often */
static char cache[64], host[16];

static int mute, judged; /* MPI fails once a look was judged */

int __real_PMPI_Ibcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
int __wrap_PMPI_Ibcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
int __real_hs__spot_agrees(const hs__spot *spot, const hs_platform *platform, const char *file, char *why, size_t size);
int __wrap_hs__spot_agrees(const hs__spot *spot, const hs_platform *platform, const char *file, char *why, size_t size);

int __wrap_PMPI_Ibcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
    return mute && judged ? MPI_ERR_OTHER : __real_PMPI_Ibcast(bytes, n, type, root, comm, request);
}

int __wrap_hs__spot_agrees(const hs__spot *spot, const hs_platform *platform, const char *file, char *why, size_t size)
{
    judged = __real_hs__spot_agrees(spot, platform, file, why, size);
    return judged;
}

hs_status __real_hs_probe_run(MPI_Comm comm, const hs_probe_params *params, hs_probe_result **result, hs_error *error);
hs_status __wrap_hs_probe_run(MPI_Comm comm, const hs_probe_params *params, hs_probe_result **result, hs_error *error);
double __wrap_hs__kernel_speed(hs__kernel *kernel);
double __wrap_hs__line_slope(const hs__line *line);
double __wrap_hs__flow_rate(const hs__flow *flow);
hs_status __real_hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate);
hs_status __wrap_hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate);

hs_status __wrap_hs_probe_run(MPI_Comm comm, const hs_probe_params *params, hs_probe_result **result, hs_error *error)
{
    hs_probe_params shorter = *params; /* as what is read is played */
    shorter.budget /= 5;
    measured++;
    return __real_hs_probe_run(comm, &shorter, result, error);
}

double __wrap_hs__kernel_speed(hs__kernel *kernel)
{
    return 1e9 * (1 + world_rank() % 3) * faster;
}

double __wrap_hs__line_slope(const hs__line *line)
{
    return 1;
}

double __wrap_hs__flow_rate(const hs__flow *flow)
{
    return 1e8 * wider;
}

hs_status __wrap_hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate)
{
    hs_status status = __real_hs__stream_burst_receive(stream, bytes, rate);
    *rate = 1e8 * wider;
    return status;
}

static hs_params params_of(double budget)
{
    return (hs_params){.mode = HS_BALANCE_STATIC, .host = host, .probe_budget = budget, .timeout = PATIENCE};
}

/* Start, and count the units of all ranks. What it says on rank 0's standard error is in text[]. */
static void start(double budget, char *text, int64_t *counts)
{
    const hs_params params = params_of(budget);
    hs_context *context = NULL;
    hs_layout *layout;
    said s = said_begin();
    measured = 0;
    hs_status status = hs_init(MPI_COMM_WORLD, &params, &context, NULL);
    said_end(&s, text, SAID);
    REQUIRE(status == HS_OK);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    for (int r = 0; counts && r < world_size(); r++)
        counts[r] = hs_layout_counts(layout)[r];
    REQUIRE(hs_finalize(&context) == HS_OK);
}

/* A start measures so often and says so on rank 0. */
static void expect(double budget, int times, const char *words)
{
    char text[SAID];
    start(budget, text, NULL);
    int right = measured == times && (world_rank() > 0 || strstr(text, words));
    if (!right)
        fprintf(stderr, "rank %d measured %d times, expected %d and '%s': %s\n", world_rank(), measured, times, words,
                text);
    REQUIRE(right);
}

/* On rank 0: the file that is kept. */
static const char *kept_file(void)
{
    static char path[600];
    char folder[HS__CACHE_PATH];
    int n = 0;
    REQUIRE(hs__cache_folder(folder, sizeof folder) == 0);
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%.200s/%.200s", folder, entry->d_name);
            n++;
        }
    if (directory)
        closedir(directory);
    REQUIRE(n <= 1);
    return n == 1 ? path : NULL;
}

static int is_kept(void)
{
    int kept = world_rank() == 0 && kept_file();
    MPI_Bcast(&kept, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return kept;
}

static void forget(void)
{
    if (world_rank() == 0 && kept_file())
        unlink(kept_file());
    MPI_Barrier(MPI_COMM_WORLD);
}

static void the_second_start_uses_it(void)
{
    char text[SAID];
    int64_t first[64], second[64];
    float weight[64];
    start(0.5, text, first);
    REQUIRE(measured == 1 && (world_rank() > 0 || strstr(text, "info: the measurement is kept in ")));
    start(0.5, text, second);
    REQUIRE(measured == 0 && (world_rank() > 0 || strstr(text, "info: using the measurement of ")));
    for (int r = 0; r < world_size(); r++)
        REQUIRE(first[r] == second[r]);
    REQUIRE(hs_weights(MPI_COMM_WORLD, weight) == HS_OK && measured == 0);
    for (int r = 0; r < world_size(); r++)
        REQUIRE(fabsf(weight[r] / weight[0] - (float)(1 + r % 3)) < 1e-3F);
}

/* A slice for the speed of each rank, of which the last is so many times as fast as at first. Slices are in the ring's order. */
static void require_slices(const int64_t *counts, double last_is)
{
    double speed[64], sum = 0;
    int size = world_size();
    for (int r = 0; r < size; r++)
        sum += speed[r] = (1 + r % 3) * (r == size - 1 ? last_is : 1);
    for (int r = 0; r < size; r++) {
        int fit = 0;
        for (int k = 0; k < size; k++)
            fit |= fabs((double)counts[k] - UNITS * speed[r] / sum) <= 1;
        REQUIRE(fit);
    }
}

/* On rank 0: the file, and its date. */
static void read_kept_file(char *text, size_t size, struct timespec *date)
{
    struct stat facts;
    FILE *file = fopen(kept_file(), "r");
    REQUIRE(file && fstat(fileno(file), &facts) == 0);
    text[fread(text, 1, size - 1, file)] = '\0';
    REQUIRE(fclose(file) == 0);
    *date = facts.st_mtim;
}

static void require_refreshed_file(const char *before, struct timespec date)
{
    static const char words[] = "\n       Speeds were refreshed at ";
    char after[SAID];
    struct timespec now;
    read_kept_file(after, sizeof after, &now);
    REQUIRE(now.tv_sec == date.tv_sec && now.tv_nsec == date.tv_nsec);
    const char *comment = strstr(before, "<!-- Measured until "), *end = strstr(before, " -->");
    size_t length = (size_t)(end - comment);
    const char *kept = strstr(after, "<!-- Measured until "), *told = strstr(after, words);
    REQUIRE(kept && strncmp(kept, comment, length) == 0 && told == kept + length && !strstr(told + 1, words));
}

/* Speeds that differ by no more than twice: the start plans with those that it sees, and the file gets them. */
static void speeds_are_refreshed(void)
{
    int64_t after[64];
    char text[SAID], before[SAID];
    struct timespec date;
    int last = world_size() - 1;
    start(0.5, text, after);
    REQUIRE(measured == 0);
    require_slices(after, 1);
    if (world_rank() == 0)
        read_kept_file(before, sizeof before, &date);
    for (int turn = 0; turn < 4; turn++) {
        double is = turn < 2 ? 1.5 : 1;
        faster = world_rank() == last ? is : 1;
        start(0.5, text, after);
        REQUIRE(measured == 0);
        if (world_rank() == 0) {
            int refreshed = strstr(text, "now, ") && strstr(text, "speeds are refreshed");
            REQUIRE(refreshed == (turn % 2 == 0) && strstr(text, "using the measurement"));
            require_refreshed_file(before, date);
        }
        require_slices(after, is);
    }
}

static void what_changed_is_measured_anew(void)
{
    int last = world_size() - 1;
    faster = world_rank() == last ? 3 : 1;
    expect(0.5, 1, "now, ");
    expect(0.5, 0, "using the measurement");
    faster = 1;
    expect(0.5, 1, "measuring anew");
    faster = 1.2; /* within what 20 ms can tell */
    expect(0.5, 0, "using the measurement");
    faster = 1;
    if (last == 0)
        return;
    wider = 0.4;
    expect(0.5, 1, " to h");
    expect(0.5, 0, "using the measurement");
    wider = 1; /* a short flow may well be faster than what lasts */
    expect(0.5, 0, "using the measurement");
}

/* Rank 0's setting counts. */
static void use_cache(int use)
{
    hs__options options = *hs__environment();
    options.cache = world_rank() == 0 ? use : HS__CACHE_OFF;
    hs__environment_adopt(&options);
}

static void it_can_be_turned_off(void)
{
    use_cache(HS__CACHE_OFF);
    expect(0.1, 1, "");
    forget();
    expect(0.5, 1, "");
    REQUIRE(!is_kept());
    use_cache(HS__CACHE_ON);
    expect(0.1, 1, "");
    REQUIRE(!is_kept()); /* a rough one is not kept */
    expect(0.5, 1, "is kept in");
}

/* Rank 0 does something to the file. */
static void spoilt(const char *text, void (*spoil)(const char *path))
{
    if (world_rank() == 0)
        spoil(kept_file());
    MPI_Barrier(MPI_COMM_WORLD);
    expect(0.5, 1, text);
    expect(0.5, 0, "using the measurement");
}

static void cut(const char *path)
{
    REQUIRE(truncate(path, 60) == 0);
}

static void scribble(const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file && fprintf(file, "\x01\x02nothing\n") > 0 && fclose(file) == 0);
}

/* The folder of a path, as others may enter it. */
static void let_in(const char *path, mode_t mode)
{
    char folder[HS__CACHE_PATH];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    REQUIRE(chmod(folder, mode) == 0);
}

static void open_to_all(const char *path)
{
    let_in(path, 0755);
    REQUIRE(chmod(path, 0666) == 0);
}

static void link_away(const char *path)
{
    char target[128];
    snprintf(target, sizeof target, "%.60s/target", cache);
    REQUIRE(rename(path, target) == 0 && symlink(target, path) == 0);
}

static void pipe_in(const char *path)
{
    REQUIRE(unlink(path) == 0 && mkfifo(path, 0600) == 0);
}

static void give_away(const char *path)
{
    REQUIRE(chown(path, 12345, 12345) == 0);
}

static void grow_old(const char *path)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - 8 * 24 * 3600}};
    REQUIRE(utimensat(AT_FDCWD, path, times, 0) == 0);
}

static void mark(const char *path)
{
    hs__cache_mark(path);
}

static void what_is_wrong_is_refused_and_replaced(void)
{
    spoilt("is not used: line ", cut);
    spoilt("is not used: line ", scribble);
    spoilt("is not used: it can be written by everybody", open_to_all);
    spoilt("is not used: it is a symbolic link", link_away);
    spoilt("is not used: it is no file", pipe_in);
    spoilt("is not used: it did not hold any more", mark);
    spoilt("the measurement of 8 days ago in ", grow_old);
    if (geteuid() == 0)
        spoilt("is not used: it belongs to user 12345", give_away);
}

static void a_folder_that_others_can_write_is_left_alone(void)
{
    char folder[HS__CACHE_PATH] = "";
    forget();
    if (world_rank() == 0)
        REQUIRE(hs__cache_folder(folder, sizeof folder) == 0 && chmod(folder, 0777) == 0);
    expect(0.5, 1, "its folder can be written by everybody");
    REQUIRE(!is_kept());
    if (world_rank() == 0)
        REQUIRE(chmod(folder, 0700) == 0 && setenv("XDG_CACHE_HOME", "/dev/null", 1) == 0);
    expect(0.5, 1, "is not kept in /dev/null/heteroslice/");
    if (world_rank() == 0)
        REQUIRE(setenv("XDG_CACHE_HOME", cache, 1) == 0);
}

/* Two jobs of the same hosts at the same time. */
static void jobs_at_the_same_time(void)
{
    MPI_Comm half;
    hs_context *context = NULL;
    hs_params params = params_of(0.5);
    char same[16];
    if (world_size() % 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, world_rank(), &half);
    snprintf(same, sizeof same, "h%d", world_rank() / 2);
    params.host = same;
    use_cache(HS__CACHE_ON);
    for (int k = 0; k < 3; k++) {
        REQUIRE(hs_init(half, &params, &context, NULL) == HS_OK);
        REQUIRE(hs_finalize(&context) == HS_OK);
    }
    MPI_Comm_free(&half);
}

/* Rank 0 finds that it holds, and MPI fails when it says so: none of the ranks goes on. */
static void a_verdict_that_is_not_heard_does_not_count(void)
{
    const hs_params params = {.mode = HS_BALANCE_STATIC, .host = host, .probe_budget = 0.5, .timeout = 3};
    hs_context *context = NULL;
    char text[SAID];
    use_cache(HS__CACHE_ON);
    start(0.5, text, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    judged = 0;
    mute = world_rank() == 0;
    hs_status status = hs_init(MPI_COMM_WORLD, &params, &context, NULL);
    mute = 0;
    REQUIRE(status < 0 && (world_rank() > 0 || status == HS_ERR_MPI));
}

/* What hs run starts with a file of the cache looks at it in MPI_Init. */
static void a_file_that_was_given_is_checked(void)
{
    char text[SAID], before[SAID];
    struct timespec date;
    int last = world_size() - 1;
    hs__options options = *hs__environment();
    expect(0.5, 1, "is kept in");
    if (world_rank() == 0) {
        read_kept_file(before, sizeof before, &date);
        snprintf(options.platform, sizeof options.platform, "%s", kept_file());
    }
    hs__environment_adopt(&options);
    for (int turn = 0; turn < 3; turn++) {
        faster = world_rank() == last ? (double[]){1, 1.5, 4}[turn] : 1;
        said s = said_begin();
        hs__kept_check(MPI_COMM_WORLD);
        said_end(&s, text, SAID);
        if (world_rank() > 0)
            continue;
        REQUIRE(!strstr(text, "info: ") == (turn != 1) && !strstr(text, "warn: ") == (turn != 2));
        if (turn == 1)
            require_refreshed_file(before, date);
        REQUIRE(isinf(hs__cache_age(kept_file())) == (turn == 2));
    }
    faster = 1;
    options.platform[0] = '\0';
    hs__environment_adopt(&options);
    expect(0.5, 1, "it did not hold any more");
    forget();
}

static hs_status start_and_end(void *argument)
{
    const hs_params params = params_of(0.05);
    hs_context *context = NULL;
    hs_status status = hs_init(MPI_COMM_WORLD, &params, &context, NULL);
    (void)argument;
    return status == HS_OK ? hs_finalize(&context) : status;
}

/* The file is there and holds. Where it cannot be read for want of memory, it is measured. */
static void memory_runs_out(void)
{
    if (world_size() != 3)
        return;
    expect(0.5, 1, "");
    REQUIRE(fail_in_turn("hs_init with a measurement kept", start_and_end, NULL) > 0);
}

int main(int argc, char **argv)
{
    mode_t umask_before = umask(022); /* what everybody can write to is not used */
    MPI_Init(&argc, &argv);
    snprintf(host, sizeof host, "h%d", world_rank());
    snprintf(cache, sizeof cache, "/tmp/hs-kept-XXXXXX");
    unsetenv("HS_PLATFORM");
    if (world_rank() == 0)
        REQUIRE(mkdtemp(cache) && setenv("XDG_CACHE_HOME", cache, 1) == 0);
    setenv("HS_CACHE", world_rank() == 0 ? "on" : "off", 1);
    setenv("HS_LOG", "info", 1);
    setenv("HS_LAB_HOST", host, 1);
    the_second_start_uses_it();
    speeds_are_refreshed();
    what_changed_is_measured_anew();
    it_can_be_turned_off();
    what_is_wrong_is_refused_and_replaced();
    a_folder_that_others_can_write_is_left_alone();
    a_file_that_was_given_is_checked();
    jobs_at_the_same_time();
    memory_runs_out();
    a_verdict_that_is_not_heard_does_not_count();
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) {
        char command[128];
        snprintf(command, sizeof command, "rm -rf '%.60s'", cache);
        REQUIRE(system(command) == 0);
    }
    MPI_Finalize();
    umask(umask_before);
    return 0;
}
