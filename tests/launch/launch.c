/* SPDX-License-Identifier: BSD-3-Clause */
/* What each launcher is told; a stand-in says by --version what it is. tests/cli/run.sh and tests/lab/run.sh start some. */
#include "launch/launch.h"
#include "launch/rank.h"
#include "tests/short_of_memory.h"
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char stand_in[] = "/tmp/hs-launcher-XXXXXX";

/* Its exit status says nothing. */
static void say(const char *version)
{
    FILE *file = fopen(stand_in, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\necho '%s'\nexit 1\n", version);
    fclose(file);
    chmod(stand_in, 0700);
}

static int make_stand_in(void **state)
{
    int descriptor = mkstemp(stand_in);
    return descriptor < 0 || close(descriptor) != 0;
}

static int remove_stand_in(void **state)
{
    return unlink(stand_in);
}

/* The words of a job after the command itself, and its environment, joined by blanks. */
static void check_command(const char *version, const hs__launch *job, const char *words, const char *environment)
{
    hs__launcher launcher = {0};
    hs__command command = {0};
    char said[1000] = "", set[1000] = "";
    say(version);
    assert_int_equal(hs__launcher_find(NULL, stand_in, &launcher, NULL), HS_OK);
    assert_int_equal(hs__launch_command(&launcher, job, &command, NULL), HS_OK);
    for (size_t i = 1; i < command.words.count; i++)
        snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s", i > 1 ? " " : "", command.words.item[i]);
    for (size_t i = 0; i < command.environment.count; i++)
        snprintf(set + strlen(set), sizeof set - strlen(set), "%s%s", i ? " " : "", command.environment.item[i]);
    assert_string_equal(said, words);
    assert_string_equal(set, environment);
    hs__command_free(&command);
    hs__launcher_free(&launcher);
}

static char *const program[] = {"./a", "b c", NULL};
static char *const several[] = {"-n", "1", "./a", ":", "-n", "2", "./b", NULL};

static void each_is_told_the_same(void **state)
{
    const hs__launch job = {
        .ranks = 3, .sequence = "f", .oversubscribe = 1, .unbound = 1, .as_root = 1, .program = program};
    check_command("mpirun (Open MPI) 4.1.4", &job,
                  "--allow-run-as-root --oversubscribe --bind-to none --map-by seq --hostfile f -n 3 ./a b c", "");
    check_command("mpiexec (OpenRTE) 4.1.4", &job,
                  "--allow-run-as-root --oversubscribe --bind-to none --map-by seq --hostfile f -n 3 ./a b c", "");
    check_command("mpirun (Open MPI) 5.0.7", &job,
                  "--allow-run-as-root --map-by seq:OVERSUBSCRIBE --bind-to none --hostfile f -n 3 ./a b c", "");
    check_command("prterun (PRRTE) 3.0.8", &job,
                  "--allow-run-as-root --map-by seq:OVERSUBSCRIBE --bind-to none --hostfile f -n 3 ./a b c", "");
    check_command("HYDRA build details:", &job, "-bind-to none -f f -n 3 ./a b c", "");
    check_command("slurm-wlm 22.05.8", &job, "--overcommit --cpu-bind=none --distribution=arbitrary -n 3 ./a b c",
                  "SLURM_HOSTFILE=f");
}

/* A rank of several threads is not bound to one core. */
static void ranks_have_several_cores(void **state)
{
    const hs__launch job = {.ranks = 2, .sequence = "f", .cores_per_rank = 4, .program = program};
    check_command("mpirun (Open MPI) 4.1.4", &job, "--bind-to none --map-by seq --hostfile f -n 2 ./a b c", "");
    check_command("mpirun (Open MPI) 5.0.7", &job, "--map-by seq --bind-to none --hostfile f -n 2 ./a b c", "");
    check_command("HYDRA build details:", &job, "-bind-to none -f f -n 2 ./a b c", "");
    check_command("slurm-wlm 22.05.8", &job, "--cpus-per-task=4 --distribution=arbitrary -n 2 ./a b c",
                  "SLURM_HOSTFILE=f");
}

static void this_machine_has_slots(void **state)
{
    const hs__launch job = {.slots = 8, .oversubscribe = 1, .program = several};
    check_command("mpirun (Open MPI) 4.1.4", &job, "--oversubscribe --host localhost:8 -n 1 ./a : -n 2 ./b", "");
    check_command("mpirun (Open MPI) 5.0.7", &job,
                  "--prtemca rmaps_default_mapping_policy :oversubscribe --host localhost:8 -n 1 ./a : -n 2 ./b",
                  "PMIX_MCA_pmdl=^ompi");
    check_command("HYDRA build details:", &job, "-n 1 ./a : -n 2 ./b", "");
}

static void variables_reach_ranks(void **state)
{
    char *names[] = {"A", "B=x=y", NULL};
    const hs__words variables = {.item = names, .count = 2};
    const hs__launch job = {.ranks = 1, .variables = &variables, .program = program};
    check_command("mpirun (Open MPI) 5.0.7", &job, "-x A -x B=x=y -n 1 ./a b c", "");
    check_command("HYDRA build details:", &job, "-genv B x=y -n 1 ./a b c", "");
    check_command("slurm 24.11.5", &job, "-n 1 ./a b c", "B=x=y");
    setenv("SLURM_EXPORT_ENV", "NONE", 1);
    check_command("slurm 24.11.5", &job, "-n 1 ./a b c", "SLURM_EXPORT_ENV=ALL B=x=y");
    unsetenv("SLURM_EXPORT_ENV");
}

/* Words for the launcher itself are before the number of ranks. */
static void further_words(void **state)
{
    char *item[] = {"--verbose", "--wdir", "/tmp"};
    const hs__words options = {.item = item, .count = 3};
    const hs__launch job = {.ranks = 2, .options = &options, .program = program};
    check_command("mpirun (Open MPI) 4.1.4", &job, "--verbose --wdir /tmp -n 2 ./a b c", "");
    check_command("HYDRA build details:", &job, "--verbose --wdir /tmp -n 2 ./a b c", "");
}

static void remote_shells(void **state)
{
    const hs__launch job = {
        .ranks = 1, .hosts = "a:1,b:2", .agent = "/run/agent", .ports = "10-13", .program = program};
    check_command(
        "mpirun (Open MPI) 5.0.7", &job,
        "--prtemca ras ^slurm --prtemca plm ssh --prtemca plm_ssh_agent /run/agent --prtemca plm_ssh_no_tree_spawn 1 "
        "--prtemca prte_keep_fqdn_hostnames 1 --prtemca prte_leave_session_attached 1 "
        "--prtemca oob_tcp_dynamic_ipv4_ports 10-13 --host a:1,b:2 -n 1 ./a b c",
        "");
    check_command(
        "mpirun (Open MPI) 4.1.4", &job,
        "--mca ras ^slurm --mca plm rsh --mca plm_rsh_agent /run/agent --mca plm_rsh_no_tree_spawn 1 "
        "--mca orte_keep_fqdn_hostnames 1 --mca orte_leave_session_attached 1 --mca oob_tcp_dynamic_ipv4_ports 10-13 "
        "--host a:1,b:2 -n 1 ./a b c",
        "");
    check_command("HYDRA build details:", &job, "-launcher ssh -launcher-exec /run/agent -hosts a:1,b:2 -n 1 ./a b c",
                  "MPIEXEC_PORT_RANGE=10:13");
}

/* Ranks of Open MPI and the launchers' own connections stay in one network, and their files in one folder. */
static void one_network(void **state)
{
    const hs__launch job = {.ranks = 1, .network = "lo", .scratch = "/tmp/x", .yield = 1, .program = program};
    unsetenv("OMPI_MCA_mpi_yield_when_idle");
    check_command("mpirun (Open MPI) 4.1.4", &job,
                  "--mca oob_tcp_if_include lo --mca opal_event_include epoll --mca orte_tmpdir_base /tmp/x --mca pml "
                  "ob1 --mca btl self,tcp --mca btl_tcp_if_include lo -n 1 ./a b c",
                  "OMPI_MCA_mpi_yield_when_idle=1");
    check_command("mpirun (Open MPI) 5.0.7", &job,
                  "--prtemca prte_if_include lo --prtemca prte_tmpdir_base /tmp/x --mca pml ob1 --mca btl self,tcp "
                  "--mca btl_tcp_if_include lo -n 1 ./a b c",
                  "PMIX_MCA_ptl_base_if_include=lo OMPI_MCA_mpi_yield_when_idle=1");
    check_command("HYDRA build details:", &job, "-n 1 ./a b c", "MPIR_CVAR_NOLOCAL=1 UCX_TLS=tcp,self FI_PROVIDER=tcp");
    const hs__launch bare = {.ranks = 1, .yield = 1, .program = program};
    check_command("slurm-wlm 22.05.8", &bare, "-n 1 ./a b c", "OMPI_MCA_mpi_yield_when_idle=1");
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1); /* the user's own */
    check_command("slurm-wlm 22.05.8", &bare, "-n 1 ./a b c", "");
    unsetenv("OMPI_MCA_mpi_yield_when_idle");
}

static void where_each_rank_is(void **state)
{
    static const hs__launch_host hosts[] = {{"a", 2}, {"b", 1}};
    for (hs__launcher_kind kind = HS__LAUNCHER_ORTE; kind <= HS__LAUNCHER_SRUN; kind++) {
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);
        hs__launch_write_hosts(kind, hosts, 2, file);
        fclose(file);
        assert_string_equal(text, kind == HS__LAUNCHER_HYDRA ? "a:2\nb:1\n" : "a\na\nb\n");
        free(text);
    }
}

/* A command that lacks a word must not be executed. */
static hs_status make_command(const void *job)
{
    const hs__launcher launcher = {.kind = HS__LAUNCHER_HYDRA, .command = (char[]){"mpiexec"}};
    hs__command command = {0};
    hs_status status = hs__launch_command(&launcher, job, &command, NULL);
    hs__command_free(&command);
    return status;
}

static void commands_need_memory(void **state)
{
    const hs__launch job = {.ranks = 2, .network = "lo", .ports = "1-2", .program = program};
    assert_true(fail_each_allocation(make_command, &job) > 12);
}

static void check_flavour(const char *version, const char *flavour, const char *asked, const char *refusal)
{
    hs__launcher launcher = {0};
    hs_error error = {0};
    say(version);
    hs_status status = hs__launcher_find(flavour, asked, &launcher, &error);
    assert_int_equal(status, refusal ? HS_ERR_UNSUPPORTED : HS_OK);
    if (refusal && !strstr(error.text, refusal))
        fail_msg("'%s' is not in '%s'", refusal, error.text);
    hs__launcher_free(&launcher);
}

/* mpirun of one MPI library starts as many programs of one rank from another; srun starts programs of both. */
static void programs_get_their_librarys_launcher(void **state)
{
    static const char *const of_open_mpi[] = {"mpirun (Open MPI) 4.1.4", "mpirun (Open MPI) 5.0.7",
                                              "prterun (PRRTE) 3.0.8"};
    for (size_t k = 0; k < sizeof of_open_mpi / sizeof *of_open_mpi; k++) {
        check_flavour(of_open_mpi[k], "openmpi", stand_in, NULL);
        check_flavour(of_open_mpi[k], NULL, stand_in, NULL);
        check_flavour(of_open_mpi[k], "mpich", stand_in, "which starts no programs of mpich");
    }
    check_flavour("HYDRA build details:", "mpich", stand_in, NULL);
    check_flavour("HYDRA build details:", "openmpi", stand_in, "which starts no programs of openmpi");
    check_flavour("slurm-wlm 22.05.8", "openmpi", stand_in, NULL);
    check_flavour("slurm-wlm 22.05.8", "mpich", stand_in, NULL);
}

/* Where none is asked for, the first in PATH that fits; the only one here is mpirun of Open MPI. */
static void the_first_that_fits(void **state)
{
    char folder[] = "/tmp/hs-launchers-XXXXXX", path[64], *before = strdup(getenv("PATH"));
    static const char *const nothing[] = {NULL, ""};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mpirun", folder);
    assert_int_equal(symlink(stand_in, path), 0);
    setenv("PATH", folder, 1);
    for (size_t k = 0; k < 2; k++) {
        check_flavour("mpirun (Open MPI) 4.1.4", "openmpi", nothing[k], NULL);
        check_flavour("mpirun (Open MPI) 4.1.4", "mpich", nothing[k], "no mpirun of Open MPI or MPICH");
        check_flavour("an editor 1.0", NULL, nothing[k], "no mpirun of Open MPI or MPICH");
    }
    setenv("PATH", before, 1);
    free(before);
    unlink(path);
    rmdir(folder);
}

/* Two launchers are there: programs get that of their library, also when it is not the first one. */
static void another_one_that_fits(void **state)
{
    static const char *const names[] = {"mpirun", "mpiexec"};
    static const char *const versions[] = {"HYDRA build details:", "mpiexec (OpenRTE) 4.1.4"};
    char folder[] = "/tmp/hs-launchers-XXXXXX", path[64], *before = strdup(getenv("PATH"));
    hs__launcher of_open_mpi = {0}, of_mpich = {0};
    assert_non_null(mkdtemp(folder));
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "#!/bin/sh\necho '%s'\n", versions[k]);
        fclose(file);
        chmod(path, 0700);
    }
    setenv("PATH", folder, 1);
    hs_status status = hs__launcher_find("openmpi", NULL, &of_open_mpi, NULL);
    hs_status other = hs__launcher_find("mpich", NULL, &of_mpich, NULL);
    setenv("PATH", before, 1);
    free(before);
    assert_int_equal(status, HS_OK);
    assert_int_equal(other, HS_OK);
    assert_string_equal(of_open_mpi.command, "mpiexec");
    assert_int_equal(of_open_mpi.kind, HS__LAUNCHER_ORTE);
    assert_string_equal(of_mpich.command, "mpirun");
    assert_int_equal(of_mpich.kind, HS__LAUNCHER_HYDRA);
    hs__launcher_free(&of_open_mpi);
    hs__launcher_free(&of_mpich);
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        unlink(path);
    }
    rmdir(folder);
}

/* Descriptors are left for one of the two pipes by which a launcher is asked what it is. */
static void asking_keeps_no_descriptor(void **state)
{
    hs__launcher launcher = {0};
    struct rlimit usual, few;
    int before[2], after[2];
    say("slurm-wlm 22.05.8");
    assert_int_equal(pipe(before), 0);
    close(before[0]);
    close(before[1]);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    few = (struct rlimit){(rlim_t)before[1] + 1, usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    hs_status status = hs__launcher_find(NULL, stand_in, &launcher, NULL);
    setrlimit(RLIMIT_NOFILE, &usual);
    assert_int_equal(status, HS_ERR_UNSUPPORTED);
    assert_int_equal(pipe(after), 0);
    assert_memory_equal(after, before, sizeof before);
    close(after[0]);
    close(after[1]);
    check_flavour("slurm-wlm 22.05.8", NULL, stand_in, NULL);
}

/* It is meant for ranks: a launcher that is only asked what it is runs without. */
static void what_is_preloaded_is_kept_from_launchers(void **state)
{
    hs__launcher launcher = {0};
    FILE *file = fopen(stand_in, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\necho \"${LD_PRELOAD:-slurm}\"\n");
    fclose(file);
    setenv("LD_PRELOAD", "libm.so.6", 1);
    hs_status status = hs__launcher_find(NULL, stand_in, &launcher, NULL);
    unsetenv("LD_PRELOAD");
    assert_int_equal(status, HS_OK);
    hs__launcher_free(&launcher);
}

/* However long: half a name would be another file. */
static void a_setting_is_whole(void **state)
{
    hs__launcher launcher = {.kind = HS__LAUNCHER_SRUN, .command = (char[]){"srun"}};
    hs__command command = {0};
    char file[5000] = "";
    memset(file, 'f', sizeof file - 1);
    const hs__launch job = {.ranks = 1, .sequence = file, .program = program};
    assert_int_equal(hs__launch_command(&launcher, &job, &command, NULL), HS_OK);
    assert_int_equal(command.environment.count, 1);
    assert_int_equal(strncmp(command.environment.item[0], "SLURM_HOSTFILE=f", 16), 0);
    assert_string_equal(command.environment.item[0] + strlen("SLURM_HOSTFILE="), file);
    hs__command_free(&command);
}

static void a_command_has_its_environment(void **state)
{
    char *words[] = {"sh", "-c", "test \"$HS_TEST_A $HS_TEST_B\" = 'x y'", NULL};
    char *settings[] = {"HS_TEST_A=x", "HS_TEST_B=y", "HS_TEST_B=none of them"};
    const hs__command command = {.words = {.item = words, .count = 3}, .environment = {.item = settings, .count = 2}};
    int result;
    pid_t child = fork();
    if (child == 0) {
        hs__command_execute(&command);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
}

static void hosts_that_options_bring(void **state)
{
    static char *const brings[] = {"--hostfile", "-machinefile", "--host",   "-H",      "-hosts",
                                   "-f",         "--hosts",      "--host=a", "-hosts=a"};
    assert_false(hs__launch_brings_hosts(NULL));
    for (size_t k = 0; k < sizeof brings / sizeof *brings; k++) {
        char *item[] = {brings[k], "a", "--verbose", brings[k], "b"};
        assert_true(hs__launch_brings_hosts(&(hs__words){.item = item, .count = 2}));
        assert_false(hs__launch_brings_hosts(&(hs__words){.item = item + 1, .count = 2}));
        assert_true(hs__launch_brings_hosts(&(hs__words){.item = item + 1, .count = 4}));
    }
    char *other[] = {"host", "--hostfiles", "-x", "f=1"};
    assert_false(hs__launch_brings_hosts(&(hs__words){.item = other, .count = 4}));
    assert_false(hs__launch_brings_hosts(&(hs__words){0}));
}

static void what_cannot_be_is_said(void **state)
{
    hs__launcher launcher = {0};
    hs__command command = {0};
    hs_error error = {.line = 7};
    say("slurm-wlm 22.05.8");
    assert_int_equal(hs__launcher_find(NULL, stand_in, &launcher, NULL), HS_OK);
    const hs__launch remote = {.agent = "ssh", .program = program}, many = {.program = several};
    assert_int_equal(hs__launch_command(&launcher, &remote, &command, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "Slurm's daemons");
    assert_int_equal(hs__launch_command(&launcher, &many, &command, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "--multi-prog");
    hs__launcher_free(&launcher);
    say("an editor 1.0");
    assert_int_equal(hs__launcher_find(NULL, stand_in, &launcher, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, stand_in);
    CHECK_ERROR_SAYS(&error, 0, "--version does not name");
    assert_int_equal(hs__launcher_find(NULL, "/nonexistent/mpirun", &launcher, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "cannot start '/nonexistent/mpirun': No such file or directory");
}

static void check_split(const char *options, const char *words, const char *value)
{
    char text[200], joined[200] = "";
    hs__words list = {0};
    const char *found;
    snprintf(text, sizeof text, "%s", options);
    hs__launch_split(text, "LIST", &list, &found);
    for (size_t i = 0; i < list.count; i++)
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i ? " " : "", list.item[i]);
    assert_string_equal(joined, words);
    assert_string_equal(found ? found : "none", value ? value : "none");
    hs__words_free(&list);
}

static void a_variable_is_taken_out(void **state)
{
    check_split("", "", NULL);
    check_split(" --mca a b\t-x C ", "--mca a b -x C", NULL);
    check_split("-x LIST=a.so -x C=1", "-x C=1", "a.so");
    check_split("-x LIST -x LISTS=1", "-x LISTS=1", NULL);
    check_split("-genv LIST a.so -genv C 1", "-genv C 1", "a.so");
    check_split("-x", "-x", NULL);
    check_split("-env LIST a.so b", "b", "a.so");
    check_split("-genv LISTS 1 -genv LIST", "-genv LISTS 1", NULL);
    check_split("-genv", "-genv", NULL);
    check_split("-x LIST=a.so -x LIST=b.so", "", "b.so"); /* the last one counts, as it does for launchers */
    check_split("-x LIST=", "", "");
    char text[] = "-x LIST=a.so";
    hs__words all = {0};
    hs__launch_split(text, "LIST", &all, NULL); /* nobody asks for it */
    assert_int_equal(all.count, 2);
    assert_string_equal(all.item[1], "LIST=a.so");
    hs__words_free(&all);
}

/* Sets the launchers' variables, given as "A=1 B=2", and clears all others. */
static void tell(const char *settings)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_SIZE",
                                        "PMI_SIZE",
                                        "SLURM_STEP_NUM_TASKS",
                                        "PMIX_RANK",
                                        "PMI_RANK",
                                        "SLURM_PROCID",
                                        "MPI_LOCALRANKID",
                                        "OMPI_COMM_WORLD_LOCAL_RANK",
                                        "OMPI_COMM_WORLD_LOCAL_SIZE",
                                        "SLURM_LOCALID",
                                        "MPI_LOCALNRANKS",
                                        "MV2_COMM_WORLD_LOCAL_SIZE",
                                        "PMIX_NAMESPACE",
                                        "PMI_FD"};
    char name[64], value[64];
    int length;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unsetenv(names[k]);
    for (; sscanf(settings, " %63[^=]=%63s%n", name, value, &length) == 2; settings += length)
        setenv(name, value, 1);
}

static void check_rank(const char *settings, int rank, int ranks, int local_rank, int local_ranks)
{
    tell(settings);
    hs__launch_rank told = hs__launch_this_rank();
    assert_int_equal(told.rank, rank);
    assert_int_equal(told.ranks, ranks);
    assert_int_equal(told.local_rank, local_rank);
    assert_int_equal(told.local_ranks, local_ranks);
}

static void ranks_are_told_their_place(void **state)
{
    check_rank("", -1, -1, -1, -1);
    check_rank("PMIX_RANK=5 OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=4", 5, -1, 1,
               4);
    check_rank("OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=8 SLURM_STEP_NUM_TASKS=2", 5, 8, -1, -1);
    check_rank("PMI_RANK=3 PMI_SIZE=4 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=2 SLURM_PROCID=0", 3, 4, 0, 2);
    check_rank("SLURM_PROCID=7 SLURM_STEP_NUM_TASKS=9 SLURM_LOCALID=3", 7, 9, 3, -1);
    check_rank("PMI_RANK=x PMIX_RANK=-1 MV2_COMM_WORLD_LOCAL_SIZE=6", -1, -1, -1, 6);
    check_rank("PMI_RANK=3x PMI_SIZE=16777216", -1, 16777216, -1, -1);
    check_rank("PMI_RANK=0 PMI_SIZE=16777217", 0, -1, -1, -1);
    check_rank("PMIX_RANK=x PMI_RANK=2", 2, -1, -1, -1); /* the next one that is a number */
}

/* What a launcher says of itself; one within another's rank is not told apart, and srun starts programs of any library. */
static void ranks_know_their_launchers_library(void **state)
{
    static const struct {
        const char *settings;
        hs__mpi_flavour flavour;
    } rows[] = {{"", HS__MPI_NONE},
                {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 PMIX_RANK=1", HS__MPI_OPENMPI},
                {"PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=1 SLURM_PROCID=0", HS__MPI_MPICH},
                {"OMPI_COMM_WORLD_SIZE=2 PMI_RANK=0 MPI_LOCALRANKID=0", HS__MPI_NONE},
                {"PMI_RANK=1 PMI_SIZE=2 SLURM_PROCID=1 SLURM_LOCALID=1", HS__MPI_NONE},
                {"PMIX_RANK=1 SLURM_PROCID=1 SLURM_LOCALID=1", HS__MPI_NONE}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tell(rows[k].settings);
        assert_int_equal(hs__launch_flavour(), rows[k].flavour);
    }
    tell("");
}

static void jobs_have_names(void **state)
{
    char job[128], expected[128];
    tell("");
    hs__launch_this_job(job, sizeof job);
    assert_string_equal(job, "");
    tell("PMI_FD=999"); /* no socket */
    hs__launch_this_job(job, sizeof job);
    assert_string_equal(job, "");
    tell("PMIX_NAMESPACE=host-12 PMI_FD=3");
    snprintf(expected, sizeof expected, "%d.host-12", (int)getuid());
    hs__launch_this_job(job, sizeof job);
    assert_string_equal(job, expected);
    int ends[2]; /* the launcher at the other end is this process itself */
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    char setting[32];
    snprintf(setting, sizeof setting, "PMI_FD=%d", ends[1]);
    tell(setting);
    hs__launch_this_job(job, sizeof job);
    snprintf(expected, sizeof expected, "%d.pmi.%d", (int)getuid(), (int)getpid());
    assert_string_equal(job, expected);
    close(ends[0]);
    close(ends[1]);
    tell("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_told_the_same),
                                       cmocka_unit_test(ranks_have_several_cores),
                                       cmocka_unit_test(this_machine_has_slots),
                                       cmocka_unit_test(variables_reach_ranks),
                                       cmocka_unit_test(further_words),
                                       cmocka_unit_test(remote_shells),
                                       cmocka_unit_test(one_network),
                                       cmocka_unit_test(where_each_rank_is),
                                       cmocka_unit_test(commands_need_memory),
                                       cmocka_unit_test(programs_get_their_librarys_launcher),
                                       cmocka_unit_test(the_first_that_fits),
                                       cmocka_unit_test(another_one_that_fits),
                                       cmocka_unit_test(asking_keeps_no_descriptor),
                                       cmocka_unit_test(what_is_preloaded_is_kept_from_launchers),
                                       cmocka_unit_test(a_setting_is_whole),
                                       cmocka_unit_test(a_command_has_its_environment),
                                       cmocka_unit_test(hosts_that_options_bring),
                                       cmocka_unit_test(what_cannot_be_is_said),
                                       cmocka_unit_test(a_variable_is_taken_out),
                                       cmocka_unit_test(ranks_are_told_their_place),
                                       cmocka_unit_test(ranks_know_their_launchers_library),
                                       cmocka_unit_test(jobs_have_names)};
    return cmocka_run_group_tests(tests, make_stand_in, remove_stand_in);
}
