/* SPDX-License-Identifier: BSD-3-Clause */
/* world FILE: prints what a program can see of MPI_COMM_WORLD. A rank prints the same on every process, so the output
 * does not depend on the order. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* The ABI of MPI-5 has no functions for Fortran, and these instead. */
#if defined MPI_ABI_VERSION && MPI_ABI_VERSION > 0
#define MPI_Comm_c2f MPI_Comm_toint
#define MPI_Comm_f2c MPI_Comm_fromint
/* Open MPI 6.0's library of the ABI hands such a handler its own pointer for MPI_COMM_WORLD. */
enum { ERRORS_WITHOUT_COMM = 0 };
#else
enum { ERRORS_WITHOUT_COMM = 1 };
#endif

static int rank, size, copied, handled, ends;

static void say(const char *what, int a, int b)
{
    char line[120];
    snprintf(line, sizeof line, "rank %d: %s %d %d\n", rank, what, a, b);
    fputs(line, stdout);
}

/* The last member's rank in MPI_COMM_WORLD. */
static int last_of(MPI_Group group)
{
    MPI_Group world;
    int members, last, there;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(group, &members);
    last = members - 1;
    MPI_Group_translate_ranks(group, 1, &last, world, &there);
    MPI_Group_free(&world);
    MPI_Group_free(&group);
    return there;
}

static void see_groups(const char *path)
{
    MPI_Group group;
    MPI_Comm half, between, again;
    MPI_Win window;
    MPI_File file;
    int relation, self, value = 0, *memory;
    MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &self);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    MPI_Comm_compare(again, MPI_COMM_WORLD, &relation);
    say("compares", self == MPI_IDENT, relation == MPI_CONGRUENT);
    MPI_Comm_free(&again);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_rank(group, &relation);
    say("in the group", relation, last_of(group));
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, size - 2 + (rank + size + 1) % 2, 3, &between);
    MPI_Comm_remote_group(between, &group);
    say("over there", last_of(group), 0);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_get_group(window, &group);
    say("in the window", last_of(group), 0);
    MPI_Win_free(&window);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_get_group(file, &group);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, (MPI_Offset)sizeof(int) * (size - 1 - rank), &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    say("in the file", value, last_of(group));
    MPI_File_close(&file);
}

static char of_self[] = "the rank's is deleted";

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    int r;
    MPI_Comm_rank(comm, &r);
    copied += 1 + r;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

/* In MPI_Finalize only MPI_COMM_SELF's attributes must be deleted; Open MPI 5 leaves those of MPI_COMM_WORLD. */
static int delete (MPI_Comm comm, int key, void *value, void *extra)
{
    int there;
    MPI_Comm_rank(MPI_COMM_WORLD, &there);
    if (!ends || strcmp(value, of_self) == 0)
        say(value, there, 0);
    return MPI_SUCCESS;
}

static void see_attributes(void)
{
    static const int of_the_system[] = {MPI_TAG_UB, MPI_IO, MPI_WTIME_IS_GLOBAL};
    MPI_Comm kin[4] = {MPI_COMM_WORLD};
    int key, found;
    char *value;
    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, "the world's is deleted");
    MPI_Comm_set_attr(MPI_COMM_SELF, key, of_self);
    MPI_Comm_dup(MPI_COMM_WORLD, &kin[1]);
    MPI_Comm_dup(kin[1], &kin[2]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &kin[3]);
    for (int k = 0; k < 4; k++) {
        for (int s = 0; s < 3; s++) {
            MPI_Comm_get_attr(kin[k], of_the_system[s], &value, &found);
            say("an attribute of the system", k, found);
        }
        MPI_Comm_get_attr(kin[k], key, &value, &found);
        say(found ? value : "none", k, copied);
    }
    MPI_Comm_delete_attr(kin[1], key);
    for (int k = 1; k < 4; k++)
        MPI_Comm_free(&kin[k]);
    MPI_Comm_free_keyval(&key);
}

static void note(MPI_Comm *comm, int *code, ...)
{
    int r;
    MPI_Comm_rank(*comm, &r);
    handled += r == rank ? 1 : 1000;
}

static void see_errors(void)
{
    MPI_Errhandler noting, got;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    MPI_Comm again;
    MPI_Comm_create_errhandler(note, &noting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, noting);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
    say("gets the handler", got == noting, 0);
    MPI_Send(&rank, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    say("handled", handled, 0);
    if (ERRORS_WITHOUT_COMM)
        MPI_Type_commit(&none);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    MPI_Send(&rank, 1, MPI_INT, size, 0, again);
    say("handled", handled, 0);
    MPI_Comm_free(&again);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&noting);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void see_names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length, before;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    before = strcmp(name, "MPI_COMM_WORLD");
    MPI_Comm_set_name(MPI_COMM_WORLD, "everybody");
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    say("named", before, strcmp(name, "everybody"));
    MPI_Comm_rank(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)), &length);
    say("from Fortran", length, MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    see_groups(argv[1]);
    see_attributes();
    see_errors();
    see_names();
    ends = 1;
    MPI_Finalize();
    return 0;
}
