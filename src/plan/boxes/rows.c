/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of rows: exact, halos included. */
#include "plan/boxes/boxes.h"

#include "plan/slices/slices.h"
#include <string.h>

/* Halo cells of a slice between two others. */
static int64_t inner_halo(const hs_boxes_domain *domain)
{
    hs_boxes_domain endless = *domain;
    hs_box slice = {.count = {1, domain->extent[1], domain->extent[2]}};
    endless.extent[0] = 2;
    endless.periodic[0] = 1;
    return hs__box_halo_cells(&endless, &slice);
}

/* Slices for known times of halos. */
static hs_status cut(const hs__boxes_task *task, const double *cycle, const double *comm, int64_t *count,
                     int64_t *scratch, hs_box *box)
{
    const hs_boxes_domain *domain = &task->domain;
    int64_t minimum = domain->halo > 0 ? domain->halo : 1, first = 0;
    const hs__slices_task rows = {.cycle_time = cycle,
                                  .comm_time = comm,
                                  .hosts = task->costs->hosts,
                                  .units = domain->extent[0],
                                  .minimum = minimum};
    hs_status status = hs__slices_compute(&rows, task->costs->model, count, NULL, scratch);
    for (int i = 0; status == HS_OK && i < task->costs->hosts; first += count[i++]) {
        box[i] = (hs_box){{0}, {0}};
        if (count[i] > 0)
            box[i] = (hs_box){{first, 0, 0}, {count[i], domain->extent[1], domain->extent[2]}};
    }
    return status;
}

/* In a network the times of halos follow from who has rows: those of the rows before, and the best of a few rounds counts. */
static hs_status refine(const hs__boxes_task *task, const double *cycle, double *comm, int64_t *count, int64_t *scratch,
                        hs_boxes *kept, hs_boxes *plan)
{
    int rounds = task->costs->network ? HS__BOXES_ROUNDS : 1;
    for (int round = 0; round < rounds; round++) {
        hs_status status = cut(task, cycle, comm, count, scratch, plan->box);
        if (status == HS_OK)
            status = hs__boxes_step_keep(task, plan, kept);
        if (status == HS_UNCHANGED)
            break;
        if (status != HS_OK)
            return status;
        if (plan->halo_s)
            memcpy(comm, plan->halo_s, (size_t)task->costs->hosts * sizeof *comm);
    }
    return hs__boxes_take_kept(kept, plan);
}

hs_status hs__boxes_size_rows(const hs__boxes_task *task, hs_boxes *plan)
{
    const hs_boxes_domain *domain = &task->domain;
    hs__pool pool = {0};
    hs_boxes kept;
    size_t hosts = (size_t)task->costs->hosts;
    double *cycle = hs__pool_new(&pool, hosts, sizeof *cycle), *comm = hs__pool_new(&pool, hosts, sizeof *comm);
    int64_t *count = hs__pool_new(&pool, hosts, sizeof *count),
            *scratch = hs__pool_new(&pool, 2 * hosts, sizeof *scratch), halo = inner_halo(domain);
    hs__boxes_kept_new(plan, &pool, &kept);
    hs_status status = hs__pool_status(&pool);
    double row = (double)domain->extent[1] * (double)domain->extent[2];
    for (int i = 0; status == HS_OK && i < task->costs->hosts; i++) {
        cycle[i] = row * task->costs->cycle[i];
        comm[i] = task->costs->halo && !task->costs->network ? (double)halo * task->costs->halo[i] : 0;
    }
    if (status == HS_OK)
        status = refine(task, cycle, comm, count, scratch, &kept, plan);
    hs__pool_free(&pool);
    return status;
}
