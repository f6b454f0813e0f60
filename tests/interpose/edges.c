/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs do at the edges of MPI: edges MODE [NUMBER]. Knows nothing of the library; in C that is C++ as well. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size, number;
static char *program;

static void say(const char *text, int value)
{
    printf("rank %d: %s %d\n", rank, text, value);
    fflush(stdout);
}

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static int outside(int *argc, char ***argv)
{
    int flag, version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Initialized(&flag);
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(text, &length);
    say("before", flag + version + (length > 0));
    begin(argc, argv);
    MPI_Finalize();
    MPI_Finalized(&flag);
    MPI_Initialized(&version);
    MPI_Get_library_version(text, &length);
    say("after", flag + version + (length > 0));
    return 0;
}

static int level(int *argc, char ***argv)
{
    int provided, main_thread;
    MPI_Init_thread(argc, argv, number, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Is_thread_main(&main_thread);
    say("level", provided * 10 + main_thread);
    MPI_Finalize();
    return 0;
}

static void *initialise(void *argument)
{
    MPI_Init(NULL, NULL);
    return argument;
}

/* A thread with a stack of so many KiB initialises MPI, and has ended when another finalises it. */
static int small(int *argc, char ***argv)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)number << 10);
    pthread_create(&thread, &attributes, initialise, NULL);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    say("small", number);
    MPI_Finalize();
    return 0;
}

enum { THREADS = 4, ROUNDS = 50 };
static MPI_Comm comm_of[THREADS];

static void *talk(void *argument)
{
    int k = (int)(long)argument, sum = 0;
    for (int n = 0; n < ROUNDS; n++) {
        int out = rank + n + k, in, total;
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, comm_of[k],
                     MPI_STATUS_IGNORE);
        MPI_Allreduce(&in, &total, 1, MPI_INT, MPI_SUM, comm_of[k]);
        sum = (sum * 7 + total) % 1000003;
    }
    return (void *)(long)sum;
}

static int threads(int *argc, char ***argv)
{
    int provided;
    pthread_t thread[THREADS];
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < THREADS; k++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_of[k]);
    for (int k = 0; k < THREADS && provided == MPI_THREAD_MULTIPLE; k++)
        pthread_create(&thread[k], NULL, talk, (void *)(long)k);
    for (int k = 0; k < THREADS && provided == MPI_THREAD_MULTIPLE; k++) {
        void *sum;
        pthread_join(thread[k], &sum);
        say("thread", (int)(long)sum);
    }
    for (int k = 0; k < THREADS; k++)
        MPI_Comm_free(&comm_of[k]);
    MPI_Finalize();
    return 0;
}

static int forking(int *argc, char ***argv)
{
    int status, sum;
    begin(argc, argv);
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    waitpid(child, &status, 0);
    say("child", WEXITSTATUS(status));
    say("shell", WEXITSTATUS(system("test \"$(echo hello)\" = hello && exit 5")));
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("sum", sum);
    MPI_Finalize();
    return 0;
}

static int spawning(int *argc, char ***argv)
{
    MPI_Comm parent, children;
    int sum, mine = 1;
    begin(argc, argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        char mode[] = "spawn", *arguments[] = {mode, NULL};
        MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, children);
        say("children", sum);
        MPI_Comm_disconnect(&children);
    } else {
        mine = 10;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, parent);
        say("parents", sum);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}

/* MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF. Rank 0 lets the others go, which wait until then. */
static int let_go(MPI_Comm self, int key, void *value, void *extra)
{
    for (int r = 1; r < size; r++)
        MPI_Send(&r, 1, MPI_INT, r, 0, MPI_COMM_WORLD);
    say("let go", size - 1);
    return MPI_SUCCESS;
}

static int farewell(int *argc, char ***argv)
{
    int key, told = 0;
    begin(argc, argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, let_go, &key, NULL);
    if (rank == 0)
        MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    else
        MPI_Recv(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("goes", told);
    MPI_Finalize();
    return 0;
}

/* Ends that are no MPI_Finalize; only rank 1 does it, the others wait. */
static int ending(int *argc, char ***argv)
{
    begin(argc, argv);
    int wrong = size;
    if (rank == 1 && strcmp((*argv)[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, number);
    if (rank == 1 && strcmp((*argv)[1], "kill") == 0)
        raise(SIGKILL);
    if (rank == 1 && strcmp((*argv)[1], "exit") == 0)
        exit(number);
    if (rank == 1 && strcmp((*argv)[1], "fatal") == 0)
        MPI_Send(&wrong, 1, MPI_INT, wrong, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* All end so, and say nothing: launchers may lose what was said just before. */
static int leaving(int *argc, char ***argv)
{
    begin(argc, argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return number;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int *, char ***);
    } modes[] = {{"outside", outside}, {"level", level},   {"threads", threads},   {"fork", forking},
                 {"spawn", spawning},  {"abort", ending},  {"kill", ending},       {"exit", ending},
                 {"fatal", ending},    {"leave", leaving}, {"farewell", farewell}, {"small", small}};
    program = argv[0];
    number = argc > 2 ? atoi(argv[2]) : 0;
    for (size_t k = 0; argc > 1 && k < sizeof modes / sizeof *modes; k++)
        if (strcmp(argv[1], modes[k].name) == 0)
            return modes[k].run(&argc, &argv);
    return 2;
}
