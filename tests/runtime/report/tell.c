/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a program whose steps take seconds by a clock that the test puts forward: phases, functions, and the
 * times and speeds of all ranks. */
#include "runtime/report/report.h"
#include "runtime/watch/moves.h"
#include "runtime/watch/watched.h"
#include "tests/clock.h"
#include "tests/fail_in_turn.h"

enum { SLOW_CALL = 3, FAST_CALL = 5, UNKNOWN_CALL = 7, STEP = HS__FIRST_PHASE, OUTPUT };

static const char *name_of(int number)
{
    return number == SLOW_CALL ? "MPI_Barrier" : number == FAST_CALL ? "MPI_Send" : NULL;
}

/* As wrappers of MPI account it. */
static void call(int number, hs__time_kind kind, double seconds)
{
    if (hs__monitor_enter_call(1, hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    clock_pass(seconds);
    if (hs__monitor_leave_call(hs__monitor_frame()))
        hs__watch_note(number, hs__monitor_charge(hs__ticks(), kind), 0, name_of);
}

static void call_library(double seconds)
{
    hs__monitor_enter();
    clock_pass(seconds);
    hs__monitor_leave();
}

/* Rank r computes r + 6 s in all. */
static void run_program(void)
{
    clock_pass(1);
    hs__report_mark(STEP);
    clock_pass(1 + world_rank());
    call(SLOW_CALL, HS__WAIT, 2);
    hs__report_mark(OUTPUT);
    clock_pass(3);
    call(FAST_CALL, HS__TRANSFER, 0.25);
    hs__report_mark(STEP);
    clock_pass(1);
    call_library(0.5);
    hs__report_mark(STEP);
    call(SLOW_CALL, HS__WAIT, 0.5);
    call(UNKNOWN_CALL, HS__TRANSFER, 0);
    for (int k = 0; k <= world_rank(); k++)
        hs__moves_considered(2, 1);
    hs__monitor_stop();
}

/* Two cores of 1 Gf and one of 3 Gf; ranks are on them in turn. */
static void name_platform(char *path)
{
    snprintf(path, 64, "/tmp/hs-tell-%d.xml", (int)getpid());
    setenv("HS_PLATFORM", path, 1);
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    fputs("<?xml version='1.0'?>\n<platform version='4.1'><zone id='z' routing='Full'><host id='h0' speed='1Gf' "
          "core='2'/>"
          "<host id='h1' speed='3Gf'/></zone></platform>\n",
          file);
    fclose(file);
}

static const char *host_of(int rank)
{
    return rank % 2 ? "h1" : "h0";
}

static double speed_of(int rank)
{
    int on_second = world_size() / 2, on_first = world_size() - on_second;
    return rank % 2 ? 3e9 / on_second : on_first > 2 ? 2e9 / on_first : 1e9;
}

static void is_number(const json_t *object, const char *key, double expected)
{
    double found = json_number_value(json_object_get(object, key));
    if (!(fabs(found - expected) <= 1e-8 * fabs(expected)))
        fprintf(stderr, "%s is %.9g, expected %.9g\n", key, found, expected);
    REQUIRE(fabs(found - expected) <= 1e-8 * fabs(expected));
}

static void is_function(const json_t *function, const char *name, int calls, double time)
{
    REQUIRE(strcmp(json_string_value(json_object_get(function, "name")), name) == 0);
    is_number(function, "calls", calls);
    is_number(function, "time", time);
}

static void is_phase(const json_t *phase, int level, int count, double compute, double mpi)
{
    is_number(phase, "level", level);
    is_number(phase, "count", count);
    is_number(phase, "compute", compute);
    is_number(phase, "mpi", mpi);
}

static void check_rank(const json_t *own, int r)
{
    const json_t *functions = json_object_get(own, "functions"), *phases = json_object_get(own, "phases");
    const json_t *iterations = json_object_get(own, "iterations");
    REQUIRE(strcmp(json_string_value(json_object_get(own, "host")), host_of(r)) == 0);
    is_number(own, "rank", r);
    is_number(own, "speed", speed_of(r));
    is_number(own, "run", r + 9.25);
    is_number(own, "compute", r + 6);
    is_number(own, "mpi", 2.75);
    is_number(own, "wait", 2.5);
    is_number(own, "transfer", 0.25);
    is_number(own, "library", 0.5);
    is_number(own, "measuring", 0);
    is_number(own, "calls", 4);
    is_number(own, "startup", 0.5 * (r + 1));
    is_number(own, "decisions", r + 1);
    REQUIRE(json_array_size(functions) == 2); /* one has no name */
    is_function(json_array_get(functions, 0), "MPI_Barrier", 2, 2.5);
    is_function(json_array_get(functions, 1), "MPI_Send", 1, 0.25);
    REQUIRE(json_array_size(phases) == 2);
    is_phase(json_array_get(phases, 0), STEP, 3, r + 2, 2.5);
    is_phase(json_array_get(phases, 1), OUTPUT, 1, 3, 0.25);
    is_number(iterations, "count", 3); /* of the phase entered most often */
    is_number(iterations, "time", (r + 5) / 3.0);
    is_number(iterations, "drifts", 0);
}

static void check_file(const char *path)
{
    int last = world_size() - 1;
    json_t *report = json_load_file(path, 0, NULL), *ranks = json_object_get(report, "ranks");
    const json_t *efficiency = json_object_get(report, "efficiency");
    REQUIRE(report && json_array_size(ranks) == (size_t)world_size());
    for (int r = 0; r <= last; r++)
        check_rank(json_array_get(ranks, (size_t)r), r);
    is_number(report, "run", last + 9.25);
    is_number(efficiency, "load_balance", (last / 2.0 + 6) / (last + 6));
    is_number(efficiency, "communication", (last + 6) / (last + 9.25));
    json_decref(report);
}

/* The summary alone, then the file alone; what other ranks name counts for nothing. */
static void report_is_told(const char *path)
{
    char *text = NULL, expected[80];
    size_t size;
    FILE *summary = open_memstream(&text, &size);
    double startup = 0.5 * (world_rank() + 1);
    REQUIRE(summary != NULL);
    hs__report_begin("", 0, world_rank() == 0, startup, name_of);
    hs__report_tell(MPI_COMM_WORLD, summary, host_of(world_rank()));
    fclose(summary);
    snprintf(expected, sizeof expected, "heteroslice: %d rank%s on %d host%s, ", world_size(),
             world_size() > 1 ? "s" : "", world_size() > 1 ? 2 : 1, world_size() > 1 ? "s" : "");
    REQUIRE(world_rank() == 0 ? strncmp(text, expected, strlen(expected)) == 0 : !text[0]);
    REQUIRE(world_rank() != 0 || strstr(text, ", 3 iterations of 1.667 s\n") != NULL);
    free(text);
    hs__report_begin(world_rank() == 0 ? path : "", 0, world_rank() == 0, startup, name_of);
    hs__report_tell(MPI_COMM_WORLD, NULL, host_of(world_rank()));
    if (world_rank() == 0)
        check_file(path);
}

/* No message of a report is left for whoever receives next. */
static hs_status tell_into_file(void *argument)
{
    MPI_Comm comm = *(MPI_Comm *)argument;
    int left;
    hs__report_tell(comm, NULL, host_of(world_rank()));
    MPI_Barrier(comm);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &left, MPI_STATUS_IGNORE);
    REQUIRE(!left);
    return HS_OK;
}

/* Where rank 0 lacks memory for what another one tells in detail, there is a report without details of others. */
static void memory_runs_out(const char *path)
{
    enum { BEFORE = 3 };
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    fail_in_turn("hs__report_tell", tell_into_file, &comm);
    if (world_rank() == 0) {
        unlink(path);
        countdown = BEFORE;
        hs__array_fails = fails;
    }
    tell_into_file(&comm);
    hs__array_fails = NULL;
    if (world_rank() == 0 && world_size() > 1) {
        json_t *report = json_load_file(path, 0, NULL), *ranks = json_object_get(report, "ranks");
        REQUIRE(json_array_size(ranks) == (size_t)world_size() && countdown < 0);
        for (int r = 0; r < world_size(); r++) {
            is_number(json_array_get(ranks, (size_t)r), "compute", r + 6);
            REQUIRE((json_object_get(json_array_get(ranks, (size_t)r), "functions") != NULL) == (r == 0));
        }
        json_decref(report);
    }
    MPI_Comm_free(&comm);
}

/* Time of marks beyond those that there is room for belongs to the phase before. */
static void phases_are_limited(void)
{
    int n;
    hs__monitor_resume();
    for (int level = STEP; level < STEP + HS__PHASES + 2; level++) {
        hs__report_mark(level);
        clock_pass(1);
    }
    const hs__phase *phase = hs__report_phases(&n);
    REQUIRE(n == HS__PHASES);
    REQUIRE(phase[0].count == 4 && phase[1].count == 2);
    for (int k = 2; k < n; k++)
        REQUIRE(phase[k].level == STEP + k && phase[k].count == 1 &&
                phase[k].compute_ns == (k < n - 1 ? 1 : 3) * INT64_C(1000000000));
    hs__monitor_stop();
}

int main(int argc, char **argv)
{
    char platform[64], path[64];
    name_platform(platform);
    snprintf(path, sizeof path, "/tmp/hs-tell-%d.json", (int)getpid());
    MPI_Init(&argc, &argv);
    hs__ticks_start();
    hs__ticks_self.is_counter = 0; /* the monitor reads the clock that is put forward */
    clock_stop();
    hs__watch();
    hs__monitor_start();
    run_program();
    report_is_told(path);
    memory_runs_out(path);
    phases_are_limited();
    unlink(platform);
    if (world_rank() == 0)
        unlink(path);
    MPI_Finalize();
    return 0;
}
