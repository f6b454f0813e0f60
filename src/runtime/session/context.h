/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_SESSION_CONTEXT_H
#define HS_RUNTIME_SESSION_CONTEXT_H

#include "plan/placement/rank_order.h"
#include "runtime/base/peers.h"
#include "runtime/session/agree.h"
#include "util/options.h"
#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_runtime.h>

/** A layout of any kind, which ends with its context. The first member of that object. */
typedef struct hs__owned {
    struct hs__owned *next;
    void (*free)(struct hs__owned *object);
    /** What the program keeps at place for the object, such as "array", and its number; NULL: nothing. */
    const char *(*find)(const struct hs__owned *object, const void *place, size_t *number);
} hs__owned;

/** Who found the order of the ranks, and may find it again. */
typedef struct hs__planner {
    int plans;             /* how often memberships were planned again */
    int rank;              /* that planned, and alone has the platform, the ring, and the ranks' hosts in it */
    hs_platform *platform; /* elsewhere NULL; owned */
    char *names; /* on the first rank of the order: of every rank's host, HS__HOST_NAME_SIZE bytes each; owned */
} hs__planner;

/** Free what it owns. */
void hs__planner_free(hs__planner *planner);

/** What the library knows of one communicator. */
struct hs_context {
    MPI_Comm ring;     /* lent to the program, in ring order; owned */
    MPI_Comm internal; /* the same ranks, for our own messages; owned */
    hs__peers peers;   /* on it, with its time-out */
    int rank, size;    /* in ring order */
    hs_params params;
    int log;        /* hs__log_level */
    int ended;      /* MPI has ended, as was noticed */
    int calls_back; /* a call is under way that calls functions of the program: they may not call for this context */
    char error[256];
    hs__rank_order order; /* empty when nothing was measured or read */
    double *speed;        /* [size] work units a second: by order, else 1; then as the phases of layouts show; owned */
    hs__planner planner;
    hs__owned *owned; /* a list */
    hs__gathering gathering;
    int exchanges; /* arrays that got a tag of HS__EXCHANGE_TAGS so far, modulo these: the same on all ranks */
};

/** Let an object with the given functions end with the context; free(object) disowns it. */
void hs__context_own(hs_context *context, hs__owned *object, hs__owned functions);
void hs__context_disown(hs_context *context, const hs__owned *object);

/** Whether a pointer that the context's call cannot do without is given.
 * @param[in] parameter  the call and the name that it gives to the pointer
 * @return HS_OK; HS_ERR_ARG */
hs_status hs__context_check_given(hs_context *context, const char *parameter, const void *pointer);

/** Whether a program may keep a pointer at place for an object of the context: no layout has one there.
 * @param[in] parameter  the call and the name that it gives to place
 * @return HS_OK; HS_ERR_ARG */
hs_status hs__context_check_place(hs_context *context, const hs__owned *object, const char *parameter,
                                  const void *place);

/** Free a context and what it owns without asking the other ranks. */
void hs__context_free(hs_context *context);

/** What the caller (NULL: everything) left at zero comes from the environment. */
hs_params hs__complete_params(const hs_params *given, const hs__options *options);

/** Clear the context's error text at the start of a public call. */
void hs__context_clear(hs_context *context);

/** Check that MPI, which ends all communicators, has not ended; tell the first time that it has. Local.
 * @return HS_OK; HS_ERR_STATE, with an error text */
hs_status hs__context_check_mpi(hs_context *context, const char *call);

/** Begin a collective public call that agrees at once: clear the error text and end the exchange under way.
 * @return as hs__gather_settle(); HS_ERR_STATE after MPI_Finalize(), and in a function that another call calls back */
hs_status hs__context_begin(hs_context *context, const char *call);

/** End the time in which functions of the program were called (calls_back). Where the call's status is HS_OK, what they were
 * refused is no error text of the call. */
void hs__context_called_back(hs_context *context, hs_status status);

/** End a public function with HS_ERR_ARG when the object that it is called for is NULL. It comes first in a function:
 * without the object there is no context, which would keep a text or reach other ranks. */
#define HS__RETURN_IF_NULL(object)                     \
    do {                                               \
        if (!(object))                                 \
            return hs__refuse_null(__func__, #object); \
    } while (0)

/** Tell on stderr that an argument of a call is NULL. @return HS_ERR_ARG */
hs_status hs__refuse_null(const char *call, const char *argument);

/** Keep a formatted error text and return status. */
hs_status hs__context_fail(hs_context *context, hs_status status, const char *format, ...) HS_PRINTF(3, 4);

/** Tell a line on stderr as "heteroslice: rank R: ..." when the level is wanted. */
void hs__context_log(const hs_context *context, hs__log_level level, const char *format, ...) HS_PRINTF(3, 4);

#endif
