/* SPDX-License-Identifier: BSD-3-Clause */
/* What keeping the order of the hosts costs once a link has become slower: the best membership in the order kept against the
 * best one in the order of a ring that is planned anew, each with its best slices. Rings are open. ratio: of computing to
 * messages in a step of all hosts before the change, whose cost kept_over_before tells. Usage: ring_changed FILE... */
#include "bench/ring/ring_bench.h"
#include "plan/placement/rank_order.h"
#include "tests/duplex.h"

enum { MOST_HOSTS = 64, UNITS = 100000, HALO = 1000000, RATIOS = 7, FACTORS = 3 };

static const double ratios[RATIOS] = {0.25, 0.5, 1, 2, 4, 8, 16}, factors[FACTORS] = {0.5, 0.25, 0.125};

/* A platform with a rank on each host, and the order that its ring had at first. */
typedef struct cluster {
    const char *file;
    hs_platform *platform;
    int hosts, host[MOST_HOSTS];
    hs__rank_order first;
    double speed, message_s; /* of all hosts; mean of their messages */
} cluster;

/* old: NULL for an order of its own */
static hs__rank_order order_of(const cluster *c, const hs__rank_order *old)
{
    hs__rank_order order;
    hs_error error;
    if (hs__rank_order_create(c->hosts, &order) != HS_OK)
        bench_fail(c->file, "out of memory");
    if (hs__rank_order_plan(&order, c->platform, c->host, HS__MAX_MEMBERSHIPS, old, &error) != HS_OK)
        bench_fail(c->file, error.text);
    return order;
}

static void open_cluster(cluster *c, const char *file)
{
    hs_error error;
    *c = (cluster){.file = file};
    if (hs_platform_read(file, &c->platform, &error) != HS_OK)
        bench_fail(file, error.text);
    c->hosts = hs_platform_hosts(c->platform);
    if (c->hosts > MOST_HOSTS)
        bench_fail(file, "too many hosts");
    for (int h = 0; h < c->hosts; h++) {
        c->host[h] = h;
        c->speed += hs_platform_host_speed(c->platform, h);
    }
    c->first = order_of(c, NULL);
    for (int r = 0; r < c->hosts; r++)
        c->message_s += isfinite(c->first.byte_s[r]) ? HALO * c->first.byte_s[r] / c->first.ring_hosts : 0;
}

/* The best step of any membership of an order. */
static double best_step(const cluster *c, const hs__rank_order *order, hs_step_model model, double ratio)
{
    double cycle[MOST_HOSTS], comm[HS__MAX_MEMBERSHIPS * MOST_HOSTS], best = INFINITY, step;
    int64_t count[MOST_HOSTS];
    hs__rank_order_messages(order, HS__RING_OPEN, HALO, comm);
    for (int r = 0; r < c->hosts; r++)
        cycle[r] = order->speed[r] > 0 ? c->speed * c->message_s * ratio / UNITS / order->speed[r] : INFINITY;
    for (int m = 0; m < order->memberships; m++)
        if (hs_slices_compute(cycle, comm + m * c->hosts, c->hosts, UNITS, 1, model, count, &step) == HS_OK)
            best = fmin(best, step);
    return best;
}

static void one_change(const cluster *c, int link, double factor)
{
    double bandwidth = hs_platform_link_bandwidth(c->platform, link);
    set_duplex(c->platform, link, factor * bandwidth);
    hs__rank_order kept = order_of(c, &c->first), anew = order_of(c, NULL);
    set_duplex(c->platform, link, bandwidth);
    for (hs_step_model model = HS_STEP_SERIAL; model <= HS_STEP_OVERLAP; model++)
        for (int i = 0; i < RATIOS; i++) {
            double step = best_step(c, &kept, model, ratios[i]);
            printf("%s,%s,%g,%s,%g,%.4f,%.4f\n", c->file, hs_platform_link_id(c->platform, link), factor,
                   model == HS_STEP_SERIAL ? "serial" : "overlap", ratios[i],
                   step / best_step(c, &anew, model, ratios[i]), step / best_step(c, &c->first, model, ratios[i]));
        }
    hs__rank_order_free(&kept);
    hs__rank_order_free(&anew);
}

int main(int argc, char **argv)
{
    static cluster c;
    puts("file,link,factor,model,ratio,kept_over_anew,kept_over_before");
    for (int a = 1; a < argc; a++) {
        open_cluster(&c, argv[a]);
        for (int l = 0; l < hs_platform_links(c.platform); l++)
            for (int f = 0; f < FACTORS && hs_platform_link_twin(c.platform, l) < l; f++)
                one_change(&c, l, factors[f]);
        hs__rank_order_free(&c.first);
        hs_platform_free(c.platform);
    }
    return 0;
}
