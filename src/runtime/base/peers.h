/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_PEERS_H
#define HS_RUNTIME_BASE_PEERS_H

/* Ranks that wait for each other with a time-out. A rank that has waited for so long gives up: it calls the roll, by which
 * the others that wait hear that they need not wait on, and one of them prints who is missing. */

#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stddef.h>

typedef struct hs__peers_memory hs__peers_memory;

/** The ranks of a communicator. */
typedef struct hs__peers {
    MPI_Comm comm;  /* borrowed */
    double timeout; /* seconds since the last message was done */
    int own;        /* comm is the library's, so a roll can be called there */
    int broken;     /* a rank was missing, or MPI failed: nothing collective works any more, and MPI may still use the
                       buffers of what was under way, which hs__park_buffer() leaves to it */
    hs__peers_memory *memory; /* what collectives send and receive; owned, left to MPI when broken */
} hs__peers;

/** Check that MPI is at work, and that comm is one group of ranks: with others MPI would end the program. Local.
 * @param[in] call  how the text begins
 * @return HS_OK; HS_ERR_STATE, HS_ERR_ARG: with a text in *error */
hs_status hs__peers_check(MPI_Comm comm, const char *call, hs_error *error);

/** Begin. @return HS_OK; HS_ERR_NOMEM: *peers can be used all the same until they are closed, so that all ranks can agree to
 * fail; where MPI still has what such calls used before, they are broken, and other ranks wait for this one until their
 * time-out */
hs_status hs__peers_open(hs__peers *peers, MPI_Comm comm, double timeout, int own);
void hs__peers_close(hs__peers *peers);

/** Wait for one of the requests with back-off, until the time-out has passed, or another rank gives up.
 * @param[in]  expected_s  how long the wait may well take: the first nap is as long as after so many seconds of waiting
 * @param[out] one         which was done, or failed if that is known; MPI_UNDEFINED: all are MPI_REQUEST_NULL
 * @return HS_OK; HS_ERR_TIMEOUT; HS_ERR_MPI */
hs_status hs__peers_wait_one(const hs__peers *peers, double expected_s, int count, MPI_Request *requests, int *one,
                             MPI_Status *received);

/** Likewise for all of them, with the time-out since the last one that was done. One that fails does not end the wait for the
 * others, which would go on in their buffers.
 * @param[out] statuses    of every request that was done; NULL: not wanted
 * @return HS_OK; HS_ERR_TIMEOUT; HS_ERR_MPI */
hs_status hs__peers_wait(const hs__peers *peers, double expected_s, int count, MPI_Request *requests,
                         MPI_Status *statuses);

/** Gather so many bytes of each rank on all; collective.
 * @param[in,out] all  room for one record more than there are ranks: this rank's comes last. To be parked when broken
 * @return HS_OK; HS_ERR_TIMEOUT, HS_ERR_MPI: broken */
hs_status hs__peers_gather(hs__peers *peers, void *all, size_t bytes);

/** Give every rank root's bytes; collective. @return as hs__peers_gather(); HS_ERR_NOMEM: broken from the begin */
hs_status hs__peers_share(hs__peers *peers, int root, void *bytes, size_t count);

/** Find the lowest status of all ranks, and the lowest rank that has it; collective.
 * @param[out] who  -1: the status returned is none of the ranks' but as hs__peers_share(): broken */
hs_status hs__peers_lowest(hs__peers *peers, hs_status mine, int *who);

/** Agree on a status: the lowest of all ranks, with the text of the lowest rank that has it when it is an error;
 * collective. error may be NULL, on some ranks, too.
 * @return that status; HS_ERR_TIMEOUT, HS_ERR_MPI: broken, without a text; when broken before: mine */
hs_status hs__peers_agree(hs__peers *peers, hs_status mine, hs_error *error);

/** Duplicate the communicator, as MPI_Comm_dup() does with its attributes, but with the time-out; collective.
 * @return as hs__peers_share() */
hs_status hs__peers_duplicate(hs__peers *peers, MPI_Comm *copy);

/** After HS_ERR_TIMEOUT: find out which ranks are still there, which takes half a second; the lowest of them prints who
 * is missing. On a communicator of the program's nobody can be named. Broken from then on.
 * @param[in] call  how the text begins
 * @return HS_ERR_TIMEOUT, with a text in *error */
hs_status hs__peers_report_missing(hs__peers *peers, const char *call, hs_error *error);

/** Append "3, 5" for the ranks marked; at most a few are written out. */
void hs__list_ranks(const char *marked, int size, char *text, size_t room);

#endif
