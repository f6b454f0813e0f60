/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DECISION_SLICES_H
#define HS_PLAN_DECISION_SLICES_H

/* Slices in rank order, to the decider, and who takes part.
 *
 * Model. Rank i computes c_i = load_i cycle_i seconds a step, where load_i is the weight of its units (their number when
 * they have no weights), and its messages take D_i = scale x comm_i. A step takes
 * T = max over the ranks with units of max(c_i, D_i) + exposed x min(c_i, D_i): exposed is 0 when messages travel while
 * the step computes (HS_STEP_OVERLAP) and 1 when they do not (HS_STEP_SERIAL).
 *
 * Sizes. Where the speed of some rank depends on the bytes of its slice (hs__slices_by_size()), cycle_i is at pace 1, and
 * c_i = load_i cycle_i / pace_i, with the pace of the slice that is timed. The decider's cycle times are anchored at what was
 * measured with the slices held, and paces tell how other sizes compare. No slice is planned beyond its limit.
 *
 * Measured. Bandwidths, and the model that the program declared, are only the first guess. A phase tells what a step
 * took against the longest computation of any rank in it. Two fits explain that: messages that travel while the step
 * computes and take longer or shorter than promised, or messages that do not travel then. The declared model is believed until a
 * move shows which of them foretold its step better. Each membership that was tried keeps its fit, so one that did not
 * keep its promise is known by what it took. */

#include "plan/decision/decide.h"
#include "plan/decision/lessons.h"
#include "plan/slices/sizes.h"
#include "util/pool.h"
#include "util/speed_window.h"
#include <heteroslice/hs_slices.h>

/** How computing and messages add up in a program's steps. */
typedef struct hs__step_fit {
    double exposed; /* 0 to 1 */
    double scale;   /* of the seconds that bandwidths promise */
    double rest;    /* seconds of a step that neither explains */
} hs__step_fit;

/** Who may take part together. */
typedef struct hs__slices_membership {
    const double *comm; /* by rank, seconds of its messages in a step; INFINITY: takes no part; borrowed */
    double traffic;     /* bytes over links, to compare memberships by */
    int tried;
    hs__step_fit fit; /* when tried */
} hs__slices_membership;

/** How fast ranks are with slices of other sizes. Arrays are of ranks. */
typedef struct hs__size_paces {
    hs_speed_function *pace;       /* by bytes of the slice; NULL: cycle times do not depend on it */
    hs__lessons *lessons;          /* what was told, and what phases showed */
    hs_speed_point **room;         /* for the points of a pace with its lessons */
    double *held, *held_bytes;     /* pace and bytes of the slices held, in the phase decided upon last */
    double *former, *former_bytes; /* and before the last move; 0: there was none */
    double said_bytes;             /* of a unit, as the program says; 0: phases tell */
    hs__slice_sizes sizes;         /* as they are now; unit_bytes is 0 while that is not known */
} hs__size_paces;

typedef struct hs__slices {
    int ranks;
    int64_t units, minimum; /* N, and the smallest slice that is not empty, >= 1 */
    hs_step_model model;    /* as the program declares it */
    const int64_t *count;   /* present slices, by rank; borrowed */
    const double *prefix;   /* [units + 1] as of hs__weights_sum(); NULL: every unit weighs 1; borrowed */
    int most_memberships;   /* memberships that there may be later, without more memory */
    int memberships;
    hs__slices_membership *membership;
    double *comm;                    /* of all of them */
    int present, chosen;             /* membership of the slices held, and of the candidate */
    hs__speed_window step;           /* seconds measured since the last move */
    double scale;                    /* of overlapped messages, as they were seen last */
    hs_step_model believed;          /* what the steps of the program look like */
    double foretold[2], promised[2]; /* by each model: the step of the candidate, and of what is held now */
    int testing;                     /* it waits to be held against what was promised */
    int64_t *candidate, *trial;
    int64_t *scratch;     /* of hs__slices_cut() */
    double *exposed_comm; /* scratch */
    hs__size_paces paces;
    hs__pool pool; /* of all arrays that are not borrowed */
} hs__slices;

/** Fill in ranks, units, minimum, model, count and most_memberships first.
 * @param[in]  comm     [membership][rank] seconds, the first membership is everybody; copied; NULL: messages take no
 *                      time and memberships is 1
 * @param[in]  traffic  [membership]; copied; NULL with comm
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__slices_start(hs__slices *slices, int memberships, const double *comm, const double *traffic);

/** Let cycle times depend on the size of slices. After hs__slices_start(), before the first phase.
 * @param[in] function    [ranks] of each rank's slice; without points its speed is the same at all sizes; copied
 * @param[in] speed       [ranks] at pace 1, > 0 where a rank computes; NULL: the functions are paces
 * @param[in] unit_bytes  of a unit, as the program says; 0: phases tell
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__slices_by_size(hs__slices *slices, const hs_speed_function *function, const double *speed,
                             double unit_bytes);

/** What is known of sizes by now, for hs__slices_cut(); NULL: nothing that counts. */
const hs__slice_sizes *hs__slices_sizes(const hs__slices *slices);

/** Seconds that rank i computes a slice of this weight. */
double hs__slices_seconds(const hs__slices *slices, int i, double cycle, double load);

/** The pace of each rank with such slices. @param[out] pace  [ranks] 1 where sizes do not count */
void hs__slices_paces(const hs__slices *slices, const int64_t *count, double *pace);

/** As hs__decide_kind.pace of an hs__slices. */
const double *hs__slices_pace(void *slices, const hs__decide_phase *phase);

/** As hs__decide_kind.explains of an hs__slices: more bytes are not computed faster, so a slice that grew may be slower by its
 * size, and one that shrank faster; anything else is the host. */
int hs__slices_explain(void *slices, int rank, double factor);

/** Slices of other sizes are about to be held: those held so far can be compared with them. */
void hs__slices_leave_sizes(hs__slices *slices);

/** Whether the largest slices of all ranks hold all units, for all that is known. */
int hs__slices_hold(const hs__slices *slices);

/** Slices by these cycle times alone: what a run begins with, before it shows what messages cost.
 * @param[in]  cycle  [ranks] seconds a unit at pace 1; INFINITY: takes no units
 * @param[out] count  [ranks]
 * @return HS_OK; HS_ERR_INFEASIBLE: nobody takes units, or they have no room for all */
hs_status hs__slices_first(hs__slices *slices, const double *cycle, int64_t *count);

/** Free what slices owns. */
void hs__slices_end(hs__slices *slices);

/** Messages take other times from now on. Needs no memory.
 * @param[in]  memberships  up to most_memberships; the first ones are those there were
 * @param[in]  comm, traffic  as hs__slices_start() takes them */
void hs__slices_replan(hs__slices *slices, int memberships, const double *comm, const double *traffic);

/** The units have other weights from now on. */
void hs__slices_weigh(hs__slices *slices, const double *prefix);

/** The weight of each slice. @param[out] load  [ranks] */
void hs__slices_loads(const hs__slices *slices, const int64_t *count, double *load);

/** The candidate is held now. */
void hs__slices_moved(hs__slices *slices);

/** The layout handed to it is an hs__slices. */
extern const hs__decide_kind hs__slices_kind;

/** Seconds of a step by the model, without fit->rest. */
double hs__slices_step(const hs__slices *slices, const double *comm, const hs__step_fit *fit, const int64_t *count,
                       const double *cycle);

/** What explains that a step takes so long, given the slices held. */
hs__step_fit hs__slices_fit(const hs__slices *slices, hs_step_model model, const double *comm, const double *cycle,
                            double step);

/** What messages take at most, over what was promised of them, as the steps of the slices held show; 1 where they do not show
 * less. */
double hs__slices_message_scale(const hs__slices *slices);

/** Units that the busiest rank sends and receives when slices in rank order change from one cut to another. */
int64_t hs__moved_units_busiest(int ranks, const int64_t *from, const int64_t *to);

/** Units that change owner. */
int64_t hs__moved_units(int ranks, const int64_t *from, const int64_t *to);

#endif
