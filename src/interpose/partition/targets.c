/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/partition/targets.h"
#include "interpose/partition/links.h"
#include "interpose/partition/partition.h"
#include "interpose/partition/rank_speeds.h"
#include "runtime/base/backoff.h"
#include "runtime/base/environment.h"
#include "runtime/base/presence.h"
#include "runtime/base/world_handle.h"
#include "runtime/report/partitions.h"
#include "runtime/session/place.h"
#include "util/array.h"
#include "util/assert.h"
#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_runtime.h>
#include <heteroslice/hs_slices.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double equal_speeds = 1.03; /* measured speeds of equal hosts differ by as much */
static const double equal_wishes = 1e-3; /* 1/n as a float, rounded weights */
enum { MOST_LINES = 32 };

/* The process. */
static struct {
    double *speed; /* [size] of the ranks of hs__world.comm; NULL: calls pass through */
    int rank, size;
    char told[MOST_LINES][48]; /* functions that a line was written about */
    char problem[200];         /* why there are no speeds; told when a partitioner is called */
} self;

static __thread int changed_calls; /* that the thread is in */

/* ---- Start and stop ---- */

/* Collective; rank 0's status and speeds become everybody's. */
static hs_status find_speeds(MPI_Comm comm, const hs_params *params, double *speed, int *host, hs_error *error)
{
    hs_platform *platform = NULL;
    int code = hs__place_measure(comm, params, &platform, host, speed, error);
    PMPI_Bcast(&code, 1, MPI_INT, 0, comm);
    if (code == HS_OK) {
        hs__rank_speeds_adjust(comm, host, speed);
        PMPI_Bcast(speed, self.size, MPI_DOUBLE, 0, comm);
        hs__links_start(comm, platform, host);
    }
    hs_platform_free(platform);
    return (hs_status)code;
}

void hs__partition_start(void)
{
    hs_error error = {0};
    if (hs__environment()->partition == HS__PARTITION_OFF || !hs__presence_known()->preloaded)
        return;
    hs_params params = hs__complete_params(NULL, hs__environment());
    params.platform = hs__environment_platform(); /* rank 0's, where this rank's own may be another */
    PMPI_Comm_rank(hs__world.comm, &self.rank);
    PMPI_Comm_size(hs__world.comm, &self.size);
    double *speed = hs__array_new((size_t)self.size, sizeof *speed);
    int *host = hs__array_new((size_t)self.size, sizeof *host);
    if (hs__all_ok(hs__world.comm, speed && host)) {
        hs_status status = find_speeds(hs__world.comm, &params, speed, host, &error);
        if (status == HS_OK)
            self.speed = speed;
        else
            snprintf(self.problem, sizeof self.problem, "%.190s", error.text[0] ? error.text : hs_status_text(status));
    }
    if (!self.speed)
        free(speed);
    else if (params.mode == HS_BALANCE_ON)
        hs__measured_start(speed);
    free(host);
}

void hs__partition_stop(void)
{
    hs__measured_stop();
    hs__links_stop();
    free(self.speed);
    self.speed = NULL;
    self.problem[0] = '\0';
    hs__partitions_free();
}

int hs__partition_acts(void)
{
    if (self.problem[0] && self.rank == 0)
        hs__partition_pass("HS_PARTITION", "%s", self.problem);
    return self.speed != NULL && changed_calls == 0;
}

void hs__partition_enter(void)
{
    changed_calls++;
}

void hs__partition_leave(void)
{
    HS_ASSERT(changed_calls > 0);
    changed_calls--;
}

/* Any thread. @return whether it is the first line about a function */
static int is_new(const char *call)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int k = 0;
    pthread_mutex_lock(&lock);
    while (k < MOST_LINES && self.told[k][0] && strcmp(self.told[k], call) != 0)
        k++;
    int new = k < MOST_LINES && !self.told[k][0];
    if (new)
        snprintf(self.told[k], sizeof self.told[k], "%s", call);
    pthread_mutex_unlock(&lock);
    return new;
}

void hs__partition_pass(const char *call, const char *format, ...)
{
    char line[256];
    va_list arguments;
    if (!is_new(call))
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    hs__environment_log(HS__LOG_WARN, "%s: %s: it passes through as the program asked", call, line);
}

static int speeds_are_equal(const double *speed, int parts)
{
    double least = INFINITY, most = 0;
    for (int p = 0; p < parts; p++) {
        least = fmin(least, speed[p]);
        most = fmax(most, speed[p]);
    }
    return most <= equal_speeds * least;
}

/* ---- Targets ---- */

/* Into shares that add up to 1. @return whether they are equal; -1: wishes that no partitioner would take */
static int take_wishes(hs__partitioning *this, const double *wish)
{
    double sum = 0, least = INFINITY, most = 0;
    for (int p = 0; p < this->parts; p++) {
        double w = wish ? wish[p] : 1;
        if (!(w >= 0) || !isfinite(w))
            return -1;
        sum += w;
        least = fmin(least, w);
        most = fmax(most, w);
    }
    if (!(sum > 0))
        return -1;
    for (int p = 0; p < this->parts; p++)
        this->wished[p] = (wish ? wish[p] : 1) / sum;
    return most - least <= equal_wishes * most;
}

/* @return whether there is anything to give */
static int set_given(hs__partitioning *this)
{
    double sum = 0, *given = hs__pool_new(&this->pool, (size_t)this->parts, sizeof *given);
    for (int p = 0; given && p < this->parts; p++)
        sum += given[p] = (this->equal ? 1 : this->wished[p]) * this->speed[p];
    if (!given || !(sum > 0) || !isfinite(sum))
        return 0;
    for (int p = 0; p < this->parts; p++)
        given[p] /= sum;
    this->given = given;
    return 1;
}

/* Whether the parts' owners are known; says so in a line when they are not. */
static int has_owners(const char *call, const hs__owners *owners, int64_t parts)
{
    int known = owners ? owners->parts : self.size;
    if (parts == known)
        return 1;
    if (parts > 1 && parts <= INT_MAX && known > 0 && (!owners || self.rank == owners->world[0]))
        hs__partition_pass(call, "%lld parts for %d ranks, and which rank has which part is not known",
                           (long long)parts, known);
    return 0;
}

int hs__partitioning_begin(hs__partitioning *this, hs__call_site site, const hs__owners *owners, int64_t parts,
                           const double *wish)
{
    *this = (hs__partitioning){0};
    if (!hs__partition_acts() || parts < 2 || !has_owners(site.call, owners, parts))
        return 0;
    this->parts = (int)parts;
    this->edges_cut = -1;
    this->first = owners ? owners->world[0] : self.rank;
    this->ranks = owners ? owners->parts : 1;
    this->wished = hs__pool_new(&this->pool, (size_t)parts, sizeof *this->wished);
    this->speed = hs__pool_new(&this->pool, (size_t)parts, sizeof *this->speed);
    this->world = hs__pool_new(&this->pool, (size_t)parts, sizeof *this->world);
    if (!this->wished || !this->speed || !this->world || (this->equal = take_wishes(this, wish)) < 0)
        return 0;
    this->measured = owners && this->equal ? owners->measured : NULL; /* where parts are to take equally long */
    for (int p = 0; p < this->parts; p++) {
        this->world[p] = owners ? owners->world[p] : p;
        this->speed[p] = this->measured ? hs__measured_speeds(this->measured)[p] : self.speed[this->world[p]];
    }
    this->site = site;
    if (speeds_are_equal(this->speed, this->parts) ||
        (!this->equal && hs__environment()->partition != HS__PARTITION_SCALE))
        return 0;
    return set_given(this);
}

static int begin_together(hs__partitioning *this, hs__call_site site, MPI_Comm comm, int64_t parts, const double *wish,
                          int measure)
{
    hs__pool pool = {0};
    hs__owners owners;
    *this = (hs__partitioning){0};
    if (!hs__partition_acts())
        return 0;
    hs_status found = hs__owners_find(comm, &pool, &owners);
    if (measure)
        hs__owners_measure(comm, found, &owners);
    int changes = found == HS_OK && hs__partitioning_begin(this, site, &owners, parts, wish);
    hs__pool_free(&pool);
    return changes;
}

int hs__partitioning_begin_comm(hs__partitioning *this, hs__call_site site, MPI_Comm comm, int64_t parts)
{
    return begin_together(this, site, comm, parts, NULL, 0);
}

int hs__repartitioning_begin(hs__partitioning *this, hs__call_site site, MPI_Comm comm, int64_t parts,
                             const double *wish)
{
    return begin_together(this, site, comm, parts, wish, 1);
}

void hs__partitioning_note(const hs__partitioning *this, const double *reached)
{
    hs__partition_call seen = {.first = this->first,
                               .ranks = this->ranks,
                               .parts = this->parts,
                               .edges_cut = this->edges_cut,
                               .wished = this->wished,
                               .given = this->given,
                               .speed = this->speed,
                               .reached = reached};
    if (!this->site.call || !self.speed)
        return;
    snprintf(seen.call, sizeof seen.call, "%s", this->site.call);
    hs__object_name(this->site.caller, seen.caller, sizeof seen.caller);
    hs__partitions_note(&seen);
    if (this->measured)
        hs__measured_begin(this->measured, this->given ? this->given : this->wished, reached);
}

void hs__partitioning_end(hs__partitioning *this, const double *reached)
{
    hs__partitioning_note(this, reached);
    hs__pool_free(&this->pool);
    *this = (hs__partitioning){0};
}

hs_status hs__partition_counts(const double *share, int parts, int64_t n, int64_t *count)
{
    hs__pool pool = {0};
    double *unit_time = hs__pool_new(&pool, (size_t)parts, sizeof *unit_time);
    double *nothing = hs__pool_new(&pool, (size_t)parts, sizeof *nothing);
    hs_status status = hs__pool_status(&pool);
    for (int p = 0; status == HS_OK && p < parts; p++)
        unit_time[p] = 1 / share[p]; /* INFINITY for a host that does not compute */
    if (status == HS_OK && n == 0)
        memset(count, 0, (size_t)parts * sizeof *count);
    else if (status == HS_OK)
        status = hs_slices_compute(unit_time, nothing, parts, n, 1, HS_STEP_SERIAL, count, NULL);
    hs__pool_free(&pool);
    return status;
}
