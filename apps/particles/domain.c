/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/common.h"
#include "particles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells an iteration at most: a particle never passes a whole cell. */
#define FASTEST 0.9

/* How fast particles follow the centre, are pushed apart, and drift on their own, in cells an iteration. */
#define PULL 0.6
#define PUSH 0.25
#define DRIFT 0.3

/* Iterations in which the centre goes round once. */
#define ROUND 400

/* ---- The start ---- */

/* Numbers from 0 to below 1, the same everywhere. */
static double uniform(uint64_t seed)
{
    return (double)(app_hash(seed, 0) >> 11) * 0x1p-53;
}

static particle start_particle(const particles_options *o, int64_t id)
{
    return (particle){uniform(2 * (uint64_t)id) * (double)o->cells, DRIFT * (2 * uniform(2 * (uint64_t)id + 1) - 1),
                      id};
}

static int64_t cell_of(const particle *p)
{
    return (int64_t)p->x;
}

static int holds(hs_slice slice, int64_t cell)
{
    return cell >= slice.first && cell < slice.first + slice.count;
}

static void put(bag *b, const particle *p, int64_t count)
{
    if (b->count + count > b->capacity) {
        b->capacity = 2 * (b->count + count);
        b->particle = app_resize(b->particle, b->capacity, sizeof *p);
    }
    if (count > 0)
        memcpy(b->particle + b->count, p, (size_t)count * sizeof *p);
    b->count += count;
}

void domain_count(const particles_options *o, hs_slice slice, double *count)
{
    memset(count, 0, (size_t)slice.count * sizeof *count);
    for (int64_t id = 0; id < o->particles; id++) {
        particle p = start_particle(o, id);
        if (holds(slice, cell_of(&p)))
            count[cell_of(&p) - slice.first]++;
    }
}

domain domain_start(const particles_options *o, hs_slice slice)
{
    domain d = {.options = o, .slice = slice};
    d.cell = app_allocate(o->cells, sizeof *d.cell);
    d.next = app_allocate(o->cells, sizeof *d.next);
    for (int64_t id = 0; id < o->particles; id++) {
        particle p = start_particle(o, id);
        if (holds(slice, cell_of(&p)))
            put(&d.cell[cell_of(&p)], &p, 1);
    }
    return d;
}

void domain_end(domain *d)
{
    for (int64_t c = 0; c < d->options->cells; c++) {
        free(d->cell[c].particle);
        free(d->next[c].particle);
    }
    free(d->cell);
    free(d->next);
    free(d->before.particle);
    free(d->behind.particle);
}

/* ---- An iteration ---- */

/* How fast a particle goes that is d cells from the centre, of n cells on the closed line: not at all at the centre and
 * opposite it. */
static double pull(double d, double n)
{
    double far = d / n;
    return PULL * 8 * far * (1 - 2 * fabs(far));
}

/* Where a particle is after an iteration. The force is computed `intensity` times; the mean of equal numbers is that
 * number, so the answer is the same, and the time is that of codes with more physics. */
static double moved(const particle *p, double n, double centre, double push, int64_t intensity)
{
    double d = centre - p->x;
    d -= d > n / 2 ? n : d < -n / 2 ? -n : 0;
    double speed = app_settle(pull(d, n) + push + p->drift, intensity);
    speed = speed > FASTEST ? FASTEST : speed < -FASTEST ? -FASTEST : speed;
    double x = p->x + speed;
    x += x < 0 ? n : 0;
    return x >= n ? x - n : x;
}

/* Away from the fuller of the two cells beside. */
static double push_apart(int64_t before, int64_t here, int64_t behind)
{
    return PUSH * (double)(before - behind) / (double)(before + here + behind + 1);
}

/* The cell that a particle has come to may be on the other side of an end of the slice. */
static bag *place_of(domain *d, int64_t from, int64_t to)
{
    int64_t n = d->options->cells;
    if (holds(d->slice, to) && llabs(to - from) <= 1)
        return &d->next[to];
    return to == (from + 1) % n ? &d->behind : &d->before;
}

/* Moves the particles of cell c. */
static void push_cell(domain *d, int64_t c, double push, double centre, int64_t intensity)
{
    const bag *cell = &d->cell[c];
    for (int64_t i = 0; i < cell->count; i++) {
        particle p = cell->particle[i];
        p.x = moved(&p, (double)d->options->cells, centre, push, intensity);
        put(place_of(d, c, cell_of(&p)), &p, 1);
    }
}

int64_t domain_push(domain *d, int64_t intensity, int64_t iteration, const int64_t *ends)
{
    const double centre = (double)d->options->cells * (double)(iteration % ROUND) / ROUND;
    int64_t first = d->slice.first, end = first + d->slice.count, pushed = 0;
    for (int64_t c = first; c < end; c++) {
        double push = push_apart(c > first ? d->cell[c - 1].count : ends[0], d->cell[c].count,
                                 c + 1 < end ? d->cell[c + 1].count : ends[1]);
        if (d->layout)
            app_require(hs_unit_begin(d->layout, c, 1));
        push_cell(d, c, push, centre, intensity);
        if (d->layout)
            app_require(hs_unit_end(d->layout));
        pushed += d->cell[c].count;
    }
    for (int64_t c = first; c < end; c++) {
        bag empty = d->cell[c];
        empty.count = 0;
        d->cell[c] = d->next[c];
        d->next[c] = empty;
    }
    return pushed;
}

void domain_take(domain *d, const particle *came, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        put(&d->cell[cell_of(&came[i])], &came[i], 1);
}

/* ---- The serial answer ---- */

uint64_t particle_hash(const particle *p)
{
    uint64_t bits;
    memcpy(&bits, &p->x, sizeof bits);
    return app_hash(bits, (uint64_t)p->id);
}

double *particles_serial(const particles_options *o, uint64_t *checksum)
{
    double *x = app_allocate(o->particles, sizeof *x);
    domain d = domain_start(o, (hs_slice){.count = o->cells});
    *checksum = 0;
    for (int64_t k = 0; k < o->run.iterations; k++) {
        const int64_t ends[2] = {d.cell[o->cells - 1].count, d.cell[0].count};
        domain_push(&d, 1, k, ends);
        domain_take(&d, d.before.particle, d.before.count);
        domain_take(&d, d.behind.particle, d.behind.count);
        d.before.count = d.behind.count = 0;
    }
    for (int64_t c = 0; c < o->cells; c++)
        for (int64_t i = 0; i < d.cell[c].count; i++) {
            x[d.cell[c].particle[i].id] = d.cell[c].particle[i].x;
            *checksum += particle_hash(&d.cell[c].particle[i]);
        }
    domain_end(&d);
    return x;
}
