/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that begin on the program's own communicator: a rank that is missing, fails or says something else is told
 * on all ranks, and nobody waits for ever. */
#include "runtime/watch/monitor.h"
#include "tests/said.h"
#include <heteroslice/hs_scatter.h>

static int odd(void)
{
    return world_rank() == world_size() - 1;
}

/* hs_init() fails on all ranks and says why to each; only those that have to do with it print it, each once. */
static void check_failure(const hs_params *params, hs_status expected, const char *words, int prints)
{
    char text[600], *printed;
    hs_context *context = NULL;
    hs_error error = {0};
    said s = said_begin();
    hs_status status = hs_init(MPI_COMM_WORLD, params, &context, &error);
    said_end(&s, text, sizeof text);
    REQUIRE(status == expected && context == NULL && strstr(error.text, words));
    printed = strstr(text, error.text);
    REQUIRE((printed != NULL) == prints && (!printed || !strstr(printed + 1, error.text)));
}

static void odd_arguments(void)
{
    int64_t counts[64] = {77};
    hs_farm *farm = NULL;
    hs_error error = {0};
    int alone = world_size() == 1;
    static const struct {
        hs_params common, odd;
        const char *named;
    } rows[] = {{{.work = 1e6, .timeout = PATIENCE}, {.work = 2e6, .timeout = PATIENCE}, "passed another work"},
                {{.halo = 8, .timeout = PATIENCE}, {.timeout = PATIENCE}, "passed another halo"},
                {{.data = 8, .timeout = PATIENCE}, {.timeout = PATIENCE}, "passed another data"},
                {{.steps = 8, .timeout = PATIENCE}, {.timeout = PATIENCE}, "passed steps"},
                {{.mode = HS_BALANCE_OFF, .timeout = PATIENCE},
                 {.mode = HS_BALANCE_STATIC, .timeout = PATIENCE},
                 "passed mode"},
                {{.model = HS_STEP_SERIAL, .timeout = PATIENCE},
                 {.model = HS_STEP_OVERLAP, .timeout = PATIENCE},
                 "passed model"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !alone; i++)
        check_failure(odd() ? &rows[i].odd : &rows[i].common, HS_ERR_MISMATCH, rows[i].named, odd());
    REQUIRE(hs_counts(MPI_COMM_WORLD, odd() ? -1 : 10, counts) == HS_ERR_ARG && counts[0] == 77);
    if (!alone)
        REQUIRE(hs_counts(MPI_COMM_WORLD, odd() ? 11 : 10, counts) == HS_ERR_MISMATCH && counts[0] == 77);
    hs_params late = {.timeout = odd() ? -1 : PATIENCE};
    check_failure(&late, HS_ERR_ARG, "timeout is -1", odd());
    hs_farm_params root = {.root = odd() ? 99 : 0, .timeout = PATIENCE};
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &root, &farm, &error) == HS_ERR_ARG && strstr(error.text, "root is 99"));
    REQUIRE(farm == NULL);
}

static void no_two_groups(void)
{
    MPI_Comm half, both;
    int64_t counts[64];
    hs_context *context = NULL;
    hs_farm *farm = NULL;
    hs_error error = {0};
    int right = world_rank() >= world_size() / 2;
    char text[300];
    said s = said_begin();
    REQUIRE(hs_init(MPI_COMM_NULL, NULL, &context, &error) == HS_ERR_ARG);
    REQUIRE(hs_counts(MPI_COMM_NULL, 10, counts) == HS_ERR_ARG);
    said_end(&s, text, sizeof text);
    REQUIRE(strcmp(error.text, "hs_init: comm is MPI_COMM_NULL") == 0);
    REQUIRE(strstr(text, error.text) && strstr(text, "hs_counts: comm is MPI_COMM_NULL"));
    if (world_size() < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, right, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, right ? 0 : world_size() / 2, 5, &both);
    REQUIRE(hs_init(both, NULL, &context, &error) == HS_ERR_ARG && strstr(error.text, "inter-communicator"));
    REQUIRE(hs_farm_create(both, NULL, &farm, &error) == HS_ERR_ARG);
    REQUIRE(hs_counts(both, 10, counts) == HS_ERR_ARG);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* The communicators stay: MPI still waits on them. */
static void a_rank_is_missing(void)
{
    MPI_Comm comm[3];
    int64_t counts[64];
    hs_context *context = NULL;
    hs_farm *farm = NULL;
    hs_error error = {0};
    for (int k = 0; k < 3; k++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[k]);
    if (world_size() > 1 && !odd()) {
        REQUIRE(hs_init(comm[0], NULL, &context, &error) == HS_ERR_TIMEOUT && context == NULL);
        REQUIRE(strstr(error.text, "hs_init: not all ranks arrived within 2 s") != NULL);
        REQUIRE(hs_farm_create(comm[1], NULL, &farm, &error) == HS_ERR_TIMEOUT && farm == NULL);
        REQUIRE(strstr(error.text, "hs_farm_create: ") != NULL);
        REQUIRE(hs_counts(comm[2], 10, counts) == HS_ERR_TIMEOUT);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The communicator that the program gets is told of errors as the one that it gave is, which stays as it was. */
static void handlers_of_errors_stay(void)
{
    const MPI_Errhandler handlers[] = {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN};
    const hs_params params = {.mode = HS_BALANCE_OFF, .timeout = PATIENCE};
    for (int k = 0; k < 2; k++) {
        MPI_Comm comm;
        MPI_Errhandler given, got;
        hs_context *context;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, handlers[k]);
        REQUIRE(hs_init(comm, &params, &context, NULL) == HS_OK);
        MPI_Comm_get_errhandler(comm, &given);
        MPI_Comm_get_errhandler(hs_comm(context), &got);
        REQUIRE(given == handlers[k] && got == handlers[k]);
        MPI_Errhandler_free(&given);
        MPI_Errhandler_free(&got);
        REQUIRE(hs_finalize(&context) == HS_OK);
        MPI_Comm_free(&comm);
    }
}

static void ignore_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

/* Of an error handler of the program's own, with which a communicator has come and gone. */
static MPI_Fint number_of_handler(int with_context)
{
    const hs_params params = {.mode = HS_BALANCE_OFF, .timeout = PATIENCE};
    MPI_Comm comm;
    MPI_Errhandler handler;
    hs_context *context = NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(ignore_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Fint number = MPI_Errhandler_c2f(handler);
    REQUIRE(!with_context || hs_init(comm, &params, &context, NULL) == HS_OK);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    return number;
}

/* MPI gives a number again once nobody has the handler any more. */
static void handlers_of_errors_are_let_go(void)
{
    MPI_Fint number = number_of_handler(0), again = number_of_handler(0);
    if (again == number)
        REQUIRE(number_of_handler(1) == number && number_of_handler(1) == number);
}

static int64_t library_ns(void)
{
    hs__monitor_times times;
    hs__monitor_read(&times);
    return times.library_ns;
}

/* The time of the calls is the library's and not the program's, from the first hs_init on. */
static void calls_are_accounted(void)
{
    const hs_params params = {.mode = HS_BALANCE_OFF, .timeout = PATIENCE};
    hs_context *context;
    REQUIRE(library_ns() == 0);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    int64_t begun = library_ns();
    REQUIRE(begun > 0);
    REQUIRE(hs_finalize(&context) == HS_OK);
    REQUIRE(library_ns() > begun);
}

static int fails, cannot_duplicate;

int __real_PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request);
int __wrap_PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request);

int __wrap_PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    return cannot_duplicate ? MPI_ERR_OTHER : __real_PMPI_Comm_idup(comm, copy, request);
}

int __real_PMPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);

int __wrap_PMPI_Iallgather(const void *send, int n, MPI_Datatype type, void *receive, int m, MPI_Datatype other,
                           MPI_Comm comm, MPI_Request *request)
{
    return __real_PMPI_Iallgather(send, fails ? -1 : n, type, receive, m, other, comm, request);
}

/* An error of MPI within a call is what the call returns, also where those of the program end it. */
static void errors_of_mpi_are_returned(void)
{
    const hs_params params = {.mode = HS_BALANCE_OFF, .timeout = PATIENCE};
    hs_context *context;
    hs_layout *layout = NULL;
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    fails = 1;
    REQUIRE(hs_layout_create(context, 10, 0, HS_FIXED, &layout) == HS_ERR_MPI && layout == NULL);
    fails = 0;
    hs_finalize(&context);
    cannot_duplicate = 1; /* no rank's fault: the first two say so */
    check_failure(&params, HS_ERR_MPI, "hs_init: the MPI library reported an error", world_rank() < 2);
    cannot_duplicate = 0;
}

/* More nanoseconds than there are. */
static void waits_for_ever(void)
{
    hs_context *context;
    hs_params params = {.mode = HS_BALANCE_OFF, .timeout = 1e10};
    if (odd())
        usleep(50000);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    if (odd())
        usleep(50000);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

/* Less than a second, too. The last rank of a communicator of its own never comes. */
static void waits_as_long_as_said(void)
{
    hs_context *context = NULL;
    hs_params params = {.mode = HS_BALANCE_OFF, .timeout = 0.5};
    hs_error error = {0};
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (world_rank() < world_size() - 1) {
        REQUIRE(hs_init(comm, &params, &context, &error) == HS_ERR_TIMEOUT);
        REQUIRE(strcmp(error.text, "hs_init: not all ranks arrived within 0.5 s") == 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&comm);
}

/* Rank 0's variables are everybody's: here only it, or only another one, has a file to plan from. */
static void settings_are_those_of_rank_0(void)
{
    hs_params params = fake_hosts(HS_BALANCE_DEFAULT),
              own = {.host = params.host, .timeout = PATIENCE, .probe_budget = 0.05};
    for (int with = 0; with < 2; with++) {
        hs_context *context;
        int64_t counts[64];
        unsetenv("HS_PLATFORM");
        if (with == (world_rank() == 0))
            setenv("HS_PLATFORM", params.platform, 1);
        REQUIRE(hs_init(MPI_COMM_WORLD, &own, &context, NULL) == HS_OK);
        REQUIRE(hs_finalize(&context) == HS_OK);
        REQUIRE(with == 1 || hs_counts(MPI_COMM_WORLD, 10 * world_size(), counts) == HS_OK);
    }
    forget_hosts(&params);
}

int main(int argc, char **argv)
{
    setenv("HS_TIMEOUT", "2", 1);
    setenv("HS_PROBE_BUDGET", "0.05", 1);
    MPI_Init(&argc, &argv);
    calls_are_accounted();
    odd_arguments();
    no_two_groups();
    waits_for_ever();
    waits_as_long_as_said();
    handlers_of_errors_stay();
    handlers_of_errors_are_let_go();
    errors_of_mpi_are_returned();
    settings_are_those_of_rank_0();
    a_rank_is_missing();
    MPI_Finalize();
    hs_context *late = NULL;
    hs_error error = {0};
    hs_status status = hs_init(MPI_COMM_WORLD, NULL, &late, &error);
    return status != HS_ERR_STATE || late ||
           !strstr(error.text, "hs_init: MPI_Init must come first, and MPI_Finalize later");
}
