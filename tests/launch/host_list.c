/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts as hostfiles and queueing systems tell them: every form, and what is refused, with its message. */
#include "launch/host_list.h"
#include "tests/short_of_memory.h"
#include <unistd.h>

/* The environment of one case: "NAME=VALUE", the last NULL. */
static const char *const *environment;

static const char *look_up(const char *name)
{
    size_t length = strlen(name);
    for (const char *const *row = environment; *row; row++)
        if (strncmp(*row, name, length) == 0 && (*row)[length] == '=' && (*row)[length + 1])
            return *row + length + 1;
    return NULL;
}

/* "name slots/cores/threads/ranks", "-" for any number of ranks, and "component" or "MiB" where they are known. */
static void tell(const hs__hosts *hosts, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < hosts->count && used < size; i++) {
        const hs__host *h = &hosts->item[i];
        char ranks[32] = "-";
        if (h->max_ranks != INT64_MAX)
            snprintf(ranks, sizeof ranks, "%lld", (long long)h->max_ranks);
        used += (size_t)snprintf(text + used, size - used, "%s%s %lld/%lld/%lld/%s", i ? ", " : "", h->id,
                                 (long long)h->slots, (long long)h->cores, (long long)h->threads, ranks);
        if (h->memory > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, " %gMiB", h->memory / 1024 / 1024);
        if (hosts->components > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, " of %d", h->component);
    }
}

/* ---- Queueing systems ---- */

static void expect(const char *const *variables, const char *hosts_or_error)
{
    hs__hosts hosts = {0};
    hs_error error = {0};
    const char *file;
    char told[1000];
    environment = variables;
    hs_status status = hs__hosts_allocated(look_up, &hosts, &file, &error);
    tell(&hosts, told, sizeof told);
    assert_string_equal(status == HS_OK ? told : error.text, hosts_or_error);
    if (!file)
        assert_int_equal(error.line, 0); /* a variable has no lines */
    hs__hosts_free(&hosts);
}
#define EXPECT(told, ...) expect((const char *const[]){__VA_ARGS__, NULL}, told)

static void slurm(void **state)
{
    expect((const char *const[]){NULL}, "");
    EXPECT("n1 2/2/1/2, n2 2/2/1/2, n3 1/1/1/1", "SLURM_JOB_NODELIST=n[1-3]", "SLURM_TASKS_PER_NODE=2(x2),1");
    EXPECT("a 8/8/1/8, b 4/4/1/4", "SLURM_JOB_NODELIST=a,b", "SLURM_JOB_CPUS_PER_NODE=8,4");
    /* Tasks are a limit, unless Slurm was asked for more of them than cores. */
    EXPECT("a 8/8/1/2", "SLURM_JOB_NODELIST=a", "SLURM_TASKS_PER_NODE=2", "SLURM_JOB_CPUS_PER_NODE=8");
    EXPECT("a 8/8/1/-", "SLURM_JOB_NODELIST=a", "SLURM_TASKS_PER_NODE=2", "SLURM_JOB_CPUS_PER_NODE=8",
           "SLURM_OVERCOMMIT=1");
    /* Tasks of several cores. */
    EXPECT("a 8/8/4/2", "SLURM_JOB_NODELIST=a", "SLURM_TASKS_PER_NODE=2", "SLURM_CPUS_PER_TASK=4");
    EXPECT("a 9/9/4/2, b 1/1/4/1", "SLURM_JOB_NODELIST=a,b", "SLURM_JOB_CPUS_PER_NODE=9,1", "SLURM_CPUS_PER_TASK=4");
    EXPECT("a 2/2/1/2 1024MiB, b 1/1/1/1 1024MiB", "SLURM_JOB_NODELIST=a,b", "SLURM_JOB_CPUS_PER_NODE=2,1",
           "SLURM_MEM_PER_NODE=1024");
    EXPECT("a 2/2/1/2 400MiB, b 1/1/1/1 200MiB", "SLURM_JOB_NODELIST=a,b", "SLURM_JOB_CPUS_PER_NODE=2,1",
           "SLURM_MEM_PER_CPU=200");
    EXPECT("a 2/2/1/2", "SLURM_JOB_NODELIST=a", "SLURM_JOB_CPUS_PER_NODE=2", "SLURM_MEM_PER_NODE=0");
    EXPECT("SLURM_JOB_NODELIST is not set in this Slurm job", "SLURM_JOB_ID=1", "SLURM_TASKS_PER_NODE=2");
    EXPECT("neither SLURM_TASKS_PER_NODE nor SLURM_JOB_CPUS_PER_NODE is set", "SLURM_JOB_NODELIST=a");
}

static void lists_of_nodes(void **state)
{
#define NODES(told, list, tasks) EXPECT(told, "SLURM_JOB_NODELIST=" list, "SLURM_TASKS_PER_NODE=" tasks)
    NODES("n01 1/1/1/1, n02 1/1/1/1, n03 1/1/1/1, n7 1/1/1/1", "n[01-03,7]", "1(x4)");
    NODES("gpu-9.x 1/1/1/1, gpu-10.x 1/1/1/1, z 1/1/1/1", "gpu-[9-10].x,z", "1(x3)");
    NODES("r1n1 1/1/1/1, r1n2 1/1/1/1, r2n1 1/1/1/1, r2n2 1/1/1/1", "r[1-2]n[1-2]", "1(x4)");
    NODES("n099 1/1/1/1, n100 1/1/1/1", "n[099-100]", "1,1");
    const struct {
        const char *list, *error;
    } refused[] = {{"n[1-3", "invalid item 'n[1-3'"},
                   {"n1]", "invalid item 'n1]'"},
                   {"n]1[", "invalid item 'n]1['"},
                   {"n[1-2]]", "invalid item 'n1]'"},
                   {"n[1[2]]", "invalid range '1[2'"},
                   {"n[]", "invalid range ''"},
                   {"n[1,]", "invalid range ''"},
                   {"n[,1]", "invalid range ''"},
                   {"n[4-2]", "invalid range '4-2'"},
                   {"n[-2]", "invalid range '-2'"},
                   {"n[2-]", "invalid range '2-'"},
                   {"n[1--2]", "invalid range '1--2'"},
                   {"n[1-2-3]", "invalid range '1-2-3'"},
                   {"n[a-c]", "invalid range 'a-c'"},
                   {"n[0000000000000000001]", "invalid range '0000000000000000001'"},
                   {"n[1-999999999999999999]", "over 32768 hosts"},
                   {"a,,b", "an empty host name"},
                   {"a,", "an empty host name"},
                   {",a", "an empty host name"},
                   {"a b", "column 2: byte 0x20 is in no host name"},
                   {"a\ab", "column 2: byte 0x07 is in no host name"},
                   {"a;reboot", "column 2: byte 0x3b is in no host name"},
                   {"$(reboot)", "column 1: byte 0x24 is in no host name"},
                   {"\xc3\xa9", "column 1: byte 0xc3 is in no host name"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char list[100], error[200];
        snprintf(list, sizeof list, "SLURM_JOB_NODELIST=%s", refused[i].list);
        snprintf(error, sizeof error, "SLURM_JOB_NODELIST: %s", refused[i].error);
        EXPECT(error, list, "SLURM_TASKS_PER_NODE=1");
    }
}

static void a_name_that_is_too_long(void **state)
{
    char longest[300] = "";
    memset(longest, 'a', 255);
    hs__hosts hosts = {0};
    assert_int_equal(hs__hosts_expand("", longest, &hosts, NULL), HS_OK);
    assert_string_equal(hosts.item[0].name, longest);
    hs__hosts_free(&hosts);
    longest[255] = 'a';
    assert_int_equal(hs__hosts_expand("", longest, &hosts, NULL), HS_ERR_PARSE);
    char list[400] = "SLURM_JOB_NODELIST=";
    memset(list + strlen(list), 'a', 300);
    EXPECT("SLURM_JOB_NODELIST: a host name is too long", list, "SLURM_TASKS_PER_NODE=1");
}

static void numbers_of_nodes(void **state)
{
    static const char *const invalid[] = {
        "0",  "-1", "+1",   " 1",     "1 ",  "x",   "2(x2",   "2(x2)3", "2(x)", "2(x0)",     "2(y2)",    "2x2",
        "1,", ",1", "1,,1", "1(x2),", "1e3", "0x2", "2(x-1)", "2(x2))", "(x2)", "2(x2)(x3)", "99999999", "1;1"};
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        char tasks[100], error[200];
        snprintf(tasks, sizeof tasks, "SLURM_TASKS_PER_NODE=%s", invalid[i]);
        snprintf(error, sizeof error, "SLURM_TASKS_PER_NODE: expected numbers as in 4(x2),3, not '%s'", invalid[i]);
        EXPECT(error, "SLURM_JOB_NODELIST=n[1-2]", tasks);
    }
    EXPECT("SLURM_TASKS_PER_NODE: '2' has fewer numbers than the 2 hosts", "SLURM_JOB_NODELIST=n[1-2]",
           "SLURM_TASKS_PER_NODE=2");
    EXPECT("SLURM_TASKS_PER_NODE: '2(x32768)' has more numbers than the 2 hosts", "SLURM_JOB_NODELIST=n[1-2]",
           "SLURM_TASKS_PER_NODE=2(x32768)");
    EXPECT("SLURM_JOB_CPUS_PER_NODE: '1,1' has more numbers than the 1 hosts", "SLURM_JOB_NODELIST=n1,n1",
           "SLURM_JOB_CPUS_PER_NODE=1,1");
    EXPECT("SLURM_CPUS_PER_TASK: expected a whole number of at least 1, not '0'", "SLURM_JOB_NODELIST=n1",
           "SLURM_TASKS_PER_NODE=1", "SLURM_CPUS_PER_TASK=0");
    EXPECT("SLURM_MEM_PER_CPU: expected a whole number of at least 0, not '4G'", "SLURM_JOB_NODELIST=n1",
           "SLURM_TASKS_PER_NODE=1", "SLURM_MEM_PER_CPU=4G");
    EXPECT("SLURM_MEM_PER_NODE: expected a whole number of at least 0, not '-1'", "SLURM_JOB_NODELIST=n1",
           "SLURM_TASKS_PER_NODE=1", "SLURM_MEM_PER_NODE=-1");
}

static void heterogeneous_jobs(void **state)
{
#define TWO "SLURM_HET_SIZE=2", "SLURM_JOB_NODELIST_HET_GROUP_0=n[1-2]", "SLURM_TASKS_PER_NODE_HET_GROUP_0=2(x2)"
    EXPECT("n1 2/2/1/2 400MiB of 0, n2 2/2/1/2 400MiB of 0, f 8/8/8/1 512MiB of 1", TWO,
           "SLURM_MEM_PER_CPU_HET_GROUP_0=200", "SLURM_JOB_NODELIST_HET_GROUP_1=f",
           "SLURM_TASKS_PER_NODE_HET_GROUP_1=1", "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1=8",
           "SLURM_CPUS_PER_TASK_HET_GROUP_1=8", "SLURM_MEM_PER_NODE_HET_GROUP_1=512");
    /* sbatch also sets the variables of the first component without a suffix. */
    EXPECT("n1 2/2/1/2 of 0, n2 2/2/1/2 of 0, f 1/1/1/1 of 1", "SLURM_JOB_NODELIST=n[1-2]",
           "SLURM_TASKS_PER_NODE=2(x2)", TWO, "SLURM_JOB_NODELIST_HET_GROUP_1=f", "SLURM_TASKS_PER_NODE_HET_GROUP_1=1");
    /* Two components on one node. */
    EXPECT("n1 3/3/1/3 of 1, n2 2/2/1/2 of 0", TWO, "SLURM_JOB_NODELIST_HET_GROUP_1=n1",
           "SLURM_TASKS_PER_NODE_HET_GROUP_1=1");
    EXPECT("SLURM_JOB_NODELIST_HET_GROUP_1 is not set in this Slurm job", TWO);
    EXPECT("neither SLURM_TASKS_PER_NODE_HET_GROUP_1 nor SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1 is set", TWO,
           "SLURM_JOB_NODELIST_HET_GROUP_1=f");
    EXPECT("SLURM_TASKS_PER_NODE_HET_GROUP_1: '1,1' has more numbers than the 1 hosts", TWO,
           "SLURM_JOB_NODELIST_HET_GROUP_1=f", "SLURM_TASKS_PER_NODE_HET_GROUP_1=1,1");
    EXPECT("SLURM_HET_SIZE: expected a whole number of at least 1, not 'two'", "SLURM_HET_SIZE=two");
    EXPECT("SLURM_HET_SIZE: over 1024 components", "SLURM_HET_SIZE=1025");
    EXPECT("SLURM_JOB_NODELIST_HET_GROUP_0 is not set in this Slurm job", "SLURM_HET_SIZE=1024");
}

static void lsf(void **state)
{
    EXPECT("a 4/4/1/4, b 2/2/1/2", "LSB_MCPU_HOSTS=a 4 b 2", "LSB_HOSTS=a a a a b b");
    EXPECT("a 3/3/1/3, b 1/1/1/1", "LSB_HOSTS=a a b a");
    EXPECT("LSB_MCPU_HOSTS: expected a number of slots after 'b', not ''", "LSB_MCPU_HOSTS=a 4 b");
    EXPECT("LSB_MCPU_HOSTS: expected a number of slots after 'a', not 'b'", "LSB_MCPU_HOSTS=a b 4");
    EXPECT("LSB_MCPU_HOSTS: expected a number of slots after 'a', not '0'", "LSB_MCPU_HOSTS=a 0");
    EXPECT("LSB_HOSTS: column 2: byte 0x09 is in no host name", "LSB_HOSTS=a\tb");
    EXPECT("LSB_HOSTS: no hosts", "LSB_HOSTS=  ");
    EXPECT("a 16777216/16777216/1/16777216", "LSB_MCPU_HOSTS=a 16777216");
    EXPECT("LSB_MCPU_HOSTS: expected a number of slots after 'a', not '16777217'", "LSB_MCPU_HOSTS=a 16777217");
}

/* As many hosts as there may be, and one more. */
static void a_limit_of_hosts(void **state)
{
    static char list[HS__MAX_HOSTS * 16];
    for (int more = 0; more < 2; more++) {
        char range[64];
        hs__hosts hosts = {0};
        hs_error error = {0};
        const char *file;
        size_t used = (size_t)snprintf(list, sizeof list, "LSB_HOSTS=");
        for (int k = 0; k < HS__MAX_HOSTS + more; k++)
            used += (size_t)snprintf(list + used, sizeof list - used, "n%d ", k);
        environment = (const char *const[]){list, NULL};
        assert_int_equal(hs__hosts_allocated(look_up, &hosts, &file, &error), more ? HS_ERR_PARSE : HS_OK);
        CHECK_ERROR(&error, 0, more ? "LSB_HOSTS: over 32768 hosts" : "");
        hs__hosts_free(&hosts);
        snprintf(range, sizeof range, "n[1-%d]", HS__MAX_HOSTS + more);
        assert_int_equal(hs__hosts_expand("", range, &hosts, &error), more ? HS_ERR_PARSE : HS_OK);
        assert_int_equal(hosts.count, HS__MAX_HOSTS);
        hs__hosts_free(&hosts);
    }
}

static const char *const heterogeneous[] = {"SLURM_HET_SIZE=2",
                                            "SLURM_JOB_NODELIST_HET_GROUP_0=n[1-2]",
                                            "SLURM_TASKS_PER_NODE_HET_GROUP_0=2(x2)",
                                            "SLURM_JOB_NODELIST_HET_GROUP_1=n1",
                                            "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1=4",
                                            NULL};

static const char *const lsf_hosts[] = {"LSB_MCPU_HOSTS=a 4 b 2", NULL};

static hs_status read_allocation(const void *variables)
{
    hs__hosts hosts = {0};
    const char *file;
    environment = variables;
    hs_status status = hs__hosts_allocated(look_up, &hosts, &file, NULL);
    hs__hosts_free(&hosts);
    return status;
}

static hs_status read_hostfile(const void *text)
{
    hs__hosts hosts = {0};
    hs_error error;
    FILE *file = fmemopen((void *)text, strlen(text), "r");
    assert_non_null(file);
    hs_status status = hs__hosts_read_stream(file, HS__COLON_SLOTS, &hosts, &error);
    fclose(file);
    hs__hosts_free(&hosts);
    return status;
}

static void hosts_need_memory(void **state)
{
    assert_true(fail_each_allocation(read_allocation, heterogeneous) > 8);
    assert_true(fail_each_allocation(read_allocation, lsf_hosts) > 5);
    assert_true(fail_each_allocation(read_hostfile, "a slots=2\nn[1-2]\n") > 8);
}

/* ---- Files ---- */

static void with_file(const char *text, void (*use)(const char *path, const char *expected), const char *expected)
{
    char path[] = "/tmp/hs-host-list-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0 && write(descriptor, text, strlen(text)) == (ssize_t)strlen(text));
    close(descriptor);
    use(path, expected);
    unlink(path);
}

static void use_pbs(const char *path, const char *expected)
{
    char variable[100];
    snprintf(variable, sizeof variable, "PBS_NODEFILE=%s", path);
    EXPECT(expected, variable);
}

static void read_file(const char *path, hs__colon rule, const char *expected)
{
    hs__hosts hosts = {0};
    hs_error error = {0};
    char told[1000], message[400];
    hs_status status = hs__hosts_read(path, rule, &hosts, &error);
    tell(&hosts, told, sizeof told);
    snprintf(message, sizeof message, "%d: %s", error.line, error.text);
    assert_string_equal(status == HS_OK ? told : message, expected);
    hs__hosts_free(&hosts);
}

static void use_mpich(const char *path, const char *expected)
{
    read_file(path, HS__COLON_SLOTS, expected);
}

static void use_open_mpi(const char *path, const char *expected)
{
    read_file(path, HS__COLON_REFUSED, expected);
}

static void pbs(void **state)
{
    with_file("a\na\nb\na\n", use_pbs, "a 3/3/1/3, b 1/1/1/1");
    with_file("a\nb \a\n", use_pbs, "column 3: control byte 0x07");
    with_file("", use_pbs, "no hosts");
    EXPECT("No such file or directory", "PBS_NODEFILE=/nowhere/nodes");
    EXPECT("cannot read it: Is a directory", "PBS_NODEFILE=/tmp");
}

/* Messages name the file that was read, where there was one. */
static void files_are_told(void **state)
{
    hs__hosts hosts = {0};
    hs_error error;
    const char *file = "before";
    environment = (const char *const[]){"PBS_NODEFILE=/nowhere/nodes", "LSB_HOSTS=a", NULL};
    assert_int_equal(hs__hosts_allocated(look_up, &hosts, &file, &error), HS_ERR_IO);
    assert_string_equal(file, "/nowhere/nodes");
    environment = (const char *const[]){"LSB_HOSTS=a", NULL};
    assert_int_equal(hs__hosts_allocated(look_up, &hosts, &file, &error), HS_OK);
    assert_null(file);
    hs__hosts_free(&hosts);
    environment = (const char *const[]){"SLURM_JOB_ID=1", "LSB_HOSTS=a", NULL};
    file = "before";
    assert_int_equal(hs__hosts_allocated(look_up, &hosts, &file, &error), HS_ERR_PARSE);
    assert_null(file);
}

static void hostfiles(void **state)
{
    with_file("# all\na slots = 4 // fast\n\n  b\tslots=2 max_slots =\t3\r\nb\nc memory=1GiB", use_open_mpi,
              "a 4/4/1/-, b 3/2/1/3, c 1/0/1/- 1024MiB");
    with_file("n[08-10] slots=2\nn[1,7]", use_open_mpi,
              "n08 2/2/1/-, n09 2/2/1/-, n10 2/2/1/-, n1 1/0/1/-, n7 1/0/1/-");
    with_file("a:4\nn[1-2]:3\n", use_mpich, "a 4/4/1/-, n1 3/3/1/-, n2 3/3/1/-");
    with_file("a slots-max=3 cpu=2\nb count = 2 max-count=4\nc max_cpu=5\n", use_open_mpi,
              "a 2/2/1/3, b 2/2/1/4, c 1/0/1/5");
    with_file("fe80::1\nfe80::1\n", use_mpich, "fe80::1 2/0/1/-");
    with_file("a max_slots=5\na max_slots=3\na max_slots=4\n", use_open_mpi, "a 3/0/1/3"); /* the least counts */
    with_file("a memory=1GiB\na\nb memory=1GiB\nb memory=2GiB\n", use_open_mpi, "a 2/0/1/- 1024MiB, b 2/0/1/- 2048MiB");
    with_file("a slots=16777216\n//b\nc//d\n#e", use_open_mpi, "a 16777216/16777216/1/-, c 1/0/1/-");
    with_file("a slots=16777217\n", use_open_mpi,
              "1: expected slots=N, max_slots=N or memory=SIZE, not 'slots=16777217'");
    with_file("a slots_max=1\nb cpu_max=2\nc count_max=3\nd max_slots=4\n", use_open_mpi,
              "a 1/0/1/1, b 1/0/1/2, c 1/0/1/3, d 1/0/1/4");
    with_file("a[1-20000]\nb[1-20000]\n", use_open_mpi, "2: over 32768 hosts");
    with_file("a\nme@b slots=2\n", use_open_mpi, "2: 'me@b': names of users are not read (expected a host's name)");
    with_file("a\nb:4\n", use_open_mpi, "2: 'b:4': Open MPI reads no slots after a colon (expected 'b slots=4')");
    with_file("a:\n", use_mpich, "1: expected a number of slots from 1 to 16777216, not ''");
    with_file("a:+4\n", use_mpich, "1: expected a number of slots from 1 to 16777216, not '+4'");
    static const char *const settings[] = {"slots=0",        "slots=-1",    "slots=+1", "slots=x",  "slots=", "slots",
                                           "slots=99999999", "max_slots=0", "memory=0", "memory=x", "user=me"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char line[100], error[200];
        snprintf(line, sizeof line, "a\nb slots=1 %s\n", settings[i]);
        snprintf(error, sizeof error, "2: expected slots=N, max_slots=N or memory=SIZE, not '%s'", settings[i]);
        with_file(line, use_open_mpi, error);
    }
    with_file("a\nb\a slots=2\n", use_open_mpi, "2: column 2: control byte 0x07");
    with_file("a\rb\n", use_open_mpi, "1: column 2: control byte 0x0d");
    with_file("a # \033[31m\n", use_open_mpi, "1: column 5: control byte 0x1b");
    with_file("a\nb\177\n", use_open_mpi, "2: column 2: control byte 0x7f");
    with_file("\xEF\xBB\xBF"
              "a\n",
              use_open_mpi, "1: byte order mark: save the file as UTF-8 without one");
    with_file("n[1-\n", use_open_mpi, "1: invalid item 'n[1-'");
    with_file("# nothing\n", use_open_mpi, "0: no hosts");
    use_open_mpi("/nowhere/hosts", "0: No such file or directory");
}

static void this_machine_has_one_name(void **state)
{
    char own[256], expected[300];
    gethostname(own, sizeof own);
    snprintf(expected, sizeof expected, "%s 5/4/1/-", own);
    with_file("localhost slots=2\n127.0.0.1 slots=2\n::1\n", use_open_mpi, expected);
}

/* Every name of many is found again. */
static void many_hosts(void **state)
{
    enum { MANY = 5000 };
    hs__hosts hosts = {0};
    char name[16];
    for (int k = 0; k < 3 * MANY; k++) {
        snprintf(name, sizeof name, "n%d", k * 7 % MANY);
        hs__host *host = hs__hosts_add(&hosts, name, 1 + k / MANY);
        assert_non_null(host);
        assert_string_equal(host->name, name);
        assert_int_equal(host->slots, k < MANY ? 1 : k < 2 * MANY ? 3 : 6);
    }
    assert_int_equal(hosts.count, MANY);
    for (int k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "n%d", k * 7 % MANY);
        assert_string_equal(hosts.item[k].id, name); /* in the order of their first mention */
    }
    hs__hosts_free(&hosts);
}

/* ---- The way into components ---- */

static void agent(void **state)
{
    hs__hosts hosts = {0};
    char *script = NULL;
    size_t size;
    hs__hosts_add(&hosts, "n1", 1);
    hs__hosts_add(&hosts, "f", 1)->component = 1;
    FILE *file = open_memstream(&script, &size);
    hs__slurm_write_agent(&hosts, file);
    fclose(file);
    assert_non_null(strstr(script, "n1) component=0 ;;\nf) component=1 ;;\n"));
    free(script);
    hs__hosts_free(&hosts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slurm),
                                       cmocka_unit_test(lists_of_nodes),
                                       cmocka_unit_test(a_name_that_is_too_long),
                                       cmocka_unit_test(numbers_of_nodes),
                                       cmocka_unit_test(heterogeneous_jobs),
                                       cmocka_unit_test(lsf),
                                       cmocka_unit_test(a_limit_of_hosts),
                                       cmocka_unit_test(hosts_need_memory),
                                       cmocka_unit_test(pbs),
                                       cmocka_unit_test(files_are_told),
                                       cmocka_unit_test(hostfiles),
                                       cmocka_unit_test(this_machine_has_one_name),
                                       cmocka_unit_test(many_hosts),
                                       cmocka_unit_test(agent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
