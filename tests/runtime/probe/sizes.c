/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds by size, of kernels that take no time and are as fast as the test says: which sizes are measured and for how
 * long, and what all ranks know of each host afterwards. Ranks are on two hosts in turn. */
#include "runtime/probe/run.h"
#include "tests/mpi.h"

enum { MOST_RANKS = 16, TURNS = 5, BETWEEN = 5 };

static int sizes, readings, has_memory; /* of this rank: sizes in a turn, readings so far */
static double measured_s, memory_s;

hs__kernel *__real_hs__kernel_create_sized(hs_probe_kernel kernel, double bytes, double seconds);
hs__kernel *__wrap_hs__kernel_create_sized(hs_probe_kernel kernel, double bytes, double seconds);
void __wrap_hs__kernel_time(hs__kernel *kernel, hs__kernel_history history, double seconds, hs__line *share);
double __wrap_hs__kernel_mean_speed(const hs__kernel *kernel);

/* However slow the machine is. */
hs__kernel *__wrap_hs__kernel_create_sized(hs_probe_kernel kernel, double bytes, double seconds)
{
    memory_s = seconds;
    return has_memory ? __real_hs__kernel_create_sized(kernel, bytes, PATIENCE) : NULL;
}

void __wrap_hs__kernel_time(hs__kernel *kernel, hs__kernel_history history, double seconds, hs__line *share)
{
    (void)kernel, (void)share;
    REQUIRE(history == HS__KERNEL_ANEW);
    measured_s += seconds;
}

static double speed_of(int rank, int size)
{
    return 100.0 * (rank + 1) - 10 * size;
}

/* Five readings, of which the third part is the least, and the median has three parts of it. */
double __wrap_hs__kernel_mean_speed(const hs__kernel *kernel)
{
    static const double part[TURNS] = {3, 1, 5, 4, 2};
    int reading = readings++;
    (void)kernel;
    return part[reading / sizes] * speed_of(world_rank(), reading % sizes);
}

/* Bytes of a kernel of one rank of a host. */
static double bytes_of(const hs__kernel *own, const hs__room *room, int size)
{
    const double most = fmin(4 * room->last, room->unused / 2),
                 wanted[] = {0, most, room->last / 2, 2 * room->last, room->last, 2 * room->second};
    if (size == 0)
        return hs__kernel_bytes(own);
    hs__kernel *large = __real_hs__kernel_create_sized(HS_PROBE_STENCIL, most, PATIENCE);
    REQUIRE(large && (size == 1 || hs__kernel_resize(large, fmin(wanted[size], room->unused / 2))));
    double bytes = hs__kernel_bytes(large);
    REQUIRE(bytes > 0.7 * fmin(wanted[size], room->unused / 2));
    hs__kernel_free(large);
    return bytes;
}

static void check_host(const hs__probe *probe, int host, int known)
{
    for (int size = 0; size < HS__PROBE_SIZES; size++) {
        const hs__sized_speed *sized = &probe->sized[host * HS__PROBE_SIZES + size];
        double speed = 0;
        int there = 0;
        for (int r = host; r < world_size(); r += probe->hosts, there++)
            speed += speed_of(r, size);
        if (size >= known) {
            REQUIRE(sized->size == 0 && sized->speed == 0);
            continue;
        }
        REQUIRE(fabs(sized->size - there * bytes_of(probe->kernels[HS_PROBE_STENCIL], &probe->room[host], size)) < 0.5);
        REQUIRE(fabs(sized->low - speed / there) < 1e-9 * speed);
        REQUIRE(fabs(sized->speed - 3 * speed / there) < 1e-9 * speed);
        REQUIRE(fabs(sized->high - 5 * speed / there) < 1e-9 * speed);
    }
}

/* A budget for so many sizes. Where one rank gets no memory, nothing but the kernel's own size is known of its host. On
 * the second host second-level caches may be the largest: then there is no size between them. */
static void measure(double budget, int expected, int last_has_memory, int one_cache)
{
    hs__room room[] = {{1 << 15, 1 << 18, 0, 1 << 24}, {1 << 14, 1 << 17, 0, 1 << 17}};
    int host_of[MOST_RANKS], first[] = {0, 1}, last = world_size() - 1;
    hs__probe probe = {.rank = world_rank(),
                       .ranks = world_size(),
                       .hosts = last > 0 ? 2 : 1,
                       .host_of = host_of,
                       .first = first,
                       .budget = budget,
                       .kernel = HS_PROBE_STENCIL,
                       .room = room};
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    REQUIRE(hs__peers_open(&probe.peers, comm, PATIENCE, 1) == HS_OK);
    for (int r = 0; r <= last; r++)
        host_of[r] = r % probe.hosts;
    probe.kernels[HS_PROBE_STENCIL] = hs__kernel_create(HS_PROBE_STENCIL);
    probe.sized = calloc(2 * (size_t)HS__PROBE_SIZES, sizeof *probe.sized);
    probe.report = calloc((size_t)world_size() + 1, sizeof *probe.report);
    REQUIRE(probe.kernels[HS_PROBE_STENCIL] && probe.sized && probe.report);
    has_memory = last_has_memory || world_rank() < last;
    room[1].second = one_cache ? room[1].last : room[1].second;
    int on_last = one_cache && expected > BETWEEN ? BETWEEN : expected;
    sizes = !has_memory ? 1 : host_of[world_rank()] == 1 ? on_last : expected;
    readings = 0;
    measured_s = memory_s = 0;
    REQUIRE(hs__probe_sizes(&probe) == HS_OK);
    REQUIRE(readings == (expected > 0 ? TURNS * sizes : 0));
    if (expected > 0) {
        double half = fmin(0.05 * budget, 1) / 2;
        REQUIRE(fabs(memory_s - half) < 1e-9 && fabs(measured_s - half * sizes / expected) < 1e-9);
    }
    for (int i = 0; i < probe.hosts; i++)
        check_host(&probe, i, !last_has_memory && i == host_of[last] ? 1 : i == 1 ? on_last : expected);
    hs__kernel_free(probe.kernels[HS_PROBE_STENCIL]);
    free(probe.sized);
    free(probe.report);
    hs__peers_close(&probe.peers);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    REQUIRE(world_size() <= MOST_RANKS);
    measure(0.7, 0, 1, 0); /* 15 ms a size, of which all sizes get as much as the memory does */
    measure(1.3, 2, 1, 0);
    measure(3.5, 5, 1, 0);
    measure(10, HS__PROBE_SIZES, 1, 0);
    measure(1000, HS__PROBE_SIZES, 1, 0);
    measure(10, HS__PROBE_SIZES, 0, 0);
    measure(10, HS__PROBE_SIZES, 1, 1);
    MPI_Finalize();
    return 0;
}
