/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_COLLECTIVES_H
#define HS_RUNTIME_COLLECTIVES_H

/* MPI_Reduce, MPI_Allreduce and MPI_Bcast by schedules made for unequal hosts.
 *
 * A call can use our schedule when the communicator has ranks on at least three hosts of the platform file, and fewer
 * than 256 others use schedules at the time: each takes a second communicator, and MPI libraries have some thousands.
 * Other calls are passed to the MPI library: inter-communicators, empty vectors, operations that do not commute, invalid
 * arguments, broadcasts of 2 GiB and more, which one rank may describe by one element and another by many.
 * HS_COLLECTIVES=on: for each operation, root and size class from 4 KiB on, the first calls are the library's and are
 * timed; on communicators that the program has made when they have lived for some calls. When our plan is predicted to
 * take 10 % less, calls of ours and of the library alternate, and ours stays when its median is 10 % less (trial.c).
 * HS_COLLECTIVES=deterministic: every call that can use our schedule does, from the first one, so that results depend
 * on the platform file and the placement of ranks, but not on a clock.
 *
 * Rank 0 of a communicator plans; the other ranks receive the plan. Plans are freed with the communicator.
 *
 * No call may run out of memory on one rank while the others wait for its messages. Elements without holes of at most
 * HS__ELEMENT_USUAL bytes need no more than the communicator's scratch memory, which is taken with the plan: the plan is
 * used only if all ranks have it. For other elements, which all ranks know alike, each call agrees before its first
 * message; without memory it is passed to the library. */

#include "util/options.h"
#include <heteroslice/hs_collective.h>
#include <mpi.h>

/** The MPI library's functions. */
typedef struct hs__collective_calls {
    int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
    int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm);
} hs__collective_calls;

/** Begin, after MPI_Init. @return 1; 0 when the options turn schedules off, so that no call needs to come here */
int hs__collectives_start(const hs__options *options, const hs__collective_calls *calls);

/** End, before MPI_Finalize. From now on calls are passed to the library. */
void hs__collectives_stop(void);

int hs__collective_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                          MPI_Comm comm);
int hs__collective_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm);
int hs__collective_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

/* ---- Between the files of the collectives ---- */

enum { HS__COLLECTIVE_KINDS = 3, HS__COLLECTIVE_CLASSES = 64 };
enum { HS__TAG_UP = 1, HS__TAG_DOWN, HS__TAG_RING, HS__TAG_SELF }; /* tags on the internal communicator */

/** Which schedule runs the calls of an entry. */
typedef enum hs__collective_phase {
    HS__PHASE_TIMED, /* the library's and ours alternately */
    HS__PHASE_TAKE,  /* ours from now on */
    HS__PHASE_PASS   /* the library's from now on */
} hs__collective_phase;

enum { HS__TIMED_PAIRS = 9 }; /* largest number of pairs: a call of the library's and one of ours */

/** This rank's part in a plan. */
typedef struct hs__part {
    hs_collective_shape shape;
    int parent;      /* a rank; -1 at the root. RING: the next rank */
    int prev;        /* RING: the previous rank */
    int place;       /* RING: this rank's place */
    int children;    /* number of children */
    int *child;      /* [children] by increasing place; owned */
    int window;      /* pieces under way to the parent at a time */
    int *windows;    /* [children], to each child; owned by child */
    double piece;    /* bytes */
    double expected; /* seconds */
} hs__part;

/** State of one operation, size class and root on a communicator. */
typedef struct hs__collective_entry hs__collective_entry;
struct hs__collective_entry {
    hs_collective_kind kind;
    int size_class, root; /* bytes from 2^size_class up to twice as many */
    hs__part part;        /* once there is a plan */
    hs__collective_phase phase;
    int timed;                                                  /* calls so far */
    double library_s[HS__TIMED_PAIRS], ours_s[HS__TIMED_PAIRS]; /* seconds of the slowest rank */
    hs__collective_entry *next;
};

/** State of a communicator. */
typedef struct hs__comm_state {
    MPI_Comm internal; /* the same ranks, for our messages; MPI_COMM_NULL: no call can use our schedules; owned */
    int rank, size;
    int *host;           /* [size], of the platform; only on rank 0; owned */
    char *scratch;       /* for the calls of every entry that has a plan; owned */
    size_t scratch_size; /* bytes */
    hs__collective_entry *entry[HS__COLLECTIVE_KINDS][HS__COLLECTIVE_CLASSES]; /* lists by root; owned */
} hs__comm_state;

/** The communicator's state; NULL when no call can use our schedules, or none so far. It is created by the first call with
 * at_once, and by the first on the program's world, else by a later one; that call is collective. */
hs__comm_state *hs__comm_state_of(MPI_Comm comm, int at_once);

/** Begin and end to attach states to communicators. */
int hs__comm_states_start(const hs__options *options);
void hs__comm_states_stop(void);

/** The entry, created on first use (which is collective); NULL without memory or with too many roots.
 * max_roots: largest number of roots of an operation and size class */
hs__collective_entry *hs__comm_state_entry(hs__comm_state *state, hs_collective_kind kind, int size_class, int root,
                                           int max_roots);

/** Plan for an entry, with scratch memory for its calls. Collective. @return 1 on all ranks when there is a plan now */
int hs__comm_state_plan(hs__comm_state *state, hs__collective_entry *entry);

/** Whether a rank's part is one of a tree, or of a ring, of so many ranks. @return HS_OK; HS_ERR_INTERNAL with the defect
 * in *error */
hs_status hs__part_check(const hs__part *part, int rank, int size, hs_error *error);

/** One call of an entry. */
typedef struct hs__trial {
    int ours;     /* 1: by our schedule */
    double begin; /* clock, when the call is timed */
} hs__trial;

/** Use our schedule from the first call on, if there is a plan. The first use is collective. */
void hs__trial_skip(hs__comm_state *state, hs__collective_entry *entry);

/** The phase of an entry after this many timed pairs, 1 to HS__TIMED_PAIRS. */
hs__collective_phase hs__trial_judge(const hs__collective_entry *entry, int pairs);

/** Begin and end a call of an entry. Collective while it is timed. bytes: size of the vector.
 * Rank 0 of the communicator prints the decision at HS_LOG=info. */
hs__trial hs__trial_begin(const hs__comm_state *state, const hs__collective_entry *entry);
void hs__trial_end(hs__comm_state *state, hs__collective_entry *entry, const hs__trial *turn, int64_t bytes);

/** A vector to combine or pass on. */
typedef struct hs__vector {
    const void *from;      /* own contribution; may be MPI_BOTTOM */
    int has_from;          /* 0: it is in `into` already, or there is none */
    char *into;            /* the result; also the place to combine in. NULL: combined pieces only go to the parent */
    int64_t count;         /* elements */
    MPI_Datatype datatype; /* of an element */
    MPI_Aint extent, lower, span; /* bytes from element to element; where one begins; bytes that one touches */
    int64_t size;                 /* bytes of data in an element */
    MPI_Op op;                    /* MPI_OP_NULL: nothing is combined */
} hs__vector;

enum { HS__ELEMENT_USUAL = 32 }; /* bytes: the largest predefined type */

/** Elements of a piece of the vector. */
int64_t hs__tree_piece(const hs__part *part, const hs__vector *vector);

/** Bytes that a run along the tree needs. reach: those that a piece touches; 0: nothing is combined */
size_t hs__tree_memory(const hs__part *part, size_t reach);

/** Along the tree: up combines towards the root, down passes the result on. memory: hs__tree_memory() bytes, aligned
 * for every type. @return an MPI error code */
int hs__run_tree(const hs__comm_state *state, const hs__part *part, const hs__vector *vector, char *memory, int up,
                 int down);

/** Around the ring. inbox: room for the largest part, which has 1/size of the elements, rounded up.
 * @return an MPI error code */
int hs__run_ring(const hs__comm_state *state, const hs__part *part, const hs__vector *vector, char *inbox);

/** Copy elements; not by memory when they have holes. @return an MPI error code */
int hs__vector_copy(const hs__comm_state *state, const hs__vector *vector, const void *from, void *to, int64_t count);

#endif
