/* SPDX-License-Identifier: BSD-3-Clause */
/* Forests of p4est and p8est, cut evenly, by weights and for coarsening; prints the ranks' sizes on rank 0. Compiled by p4est.sh,
 * with -DCUBES for p8est. With an argument the last cut is by weights. */
#ifdef CUBES
#include <p4est_to_p8est.h>
#include <p8est_extended.h>
#define P4EST_NEW_UNIT p8est_connectivity_new_unitcube
#else
#include <p4est_extended.h>
#define P4EST_NEW_UNIT p4est_connectivity_new_unitsquare
#endif

static int rank, size, asked;

static void print_sizes(const char *what, int own)
{
    int all[64];
    MPI_Gather(&own, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank > 0)
        return;
    printf("%s:", what);
    for (int r = 0; r < size; r++)
        printf(" %d", all[r]);
    printf("\n");
    fflush(stdout);
}

/* Quadrants of the half with the smaller x cost three times as much. */
static int weigh(p4est_t *forest, p4est_topidx_t tree, p4est_quadrant_t *quadrant)
{
    asked++;
    return quadrant->x < P4EST_ROOT_LEN / 2 ? 3 : 1;
}

static int sum_of_weights(p4est_t *forest)
{
    int sum = 0;
    for (p4est_topidx_t t = forest->first_local_tree; t <= forest->last_local_tree; t++) {
        p4est_tree_t *tree = p4est_tree_array_index(forest->trees, t);
        for (size_t q = 0; q < tree->quadrants.elem_count; q++)
            sum += weigh(forest, t, p4est_quadrant_array_index(&tree->quadrants, q));
    }
    return sum;
}

static int refine_some(p4est_t *forest, p4est_topidx_t tree, p4est_quadrant_t *quadrant)
{
    return quadrant->y < P4EST_ROOT_LEN / 4;
}

static int coarsen_all(p4est_t *forest, p4est_topidx_t tree, p4est_quadrant_t **quadrants)
{
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    sc_init(MPI_COMM_WORLD, 0, 0, NULL, SC_LP_ERROR);
    p4est_init(NULL, SC_LP_ERROR);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    p4est_connectivity_t *square = P4EST_NEW_UNIT();
    p4est_t *forest = p4est_new_ext(MPI_COMM_WORLD, square, 0, P4EST_DIM == 2 ? 6 : 4, 1, 0, NULL, NULL);
    p4est_partition(forest, 0, NULL);
    print_sizes("even", forest->local_num_quadrants);
    p4est_refine(forest, 0, refine_some, NULL);
    long revision = forest->revision;
    p4est_gloidx_t shipped = p4est_partition_ext(forest, 0, NULL);
    print_sizes("refined", forest->local_num_quadrants);
    if ((shipped > 0) != (forest->revision > revision))
        printf("refined: %lld shipped, revision %ld after %ld\n", (long long)shipped, forest->revision, revision);
    int quadrants = forest->local_num_quadrants;
    p4est_partition(forest, 0, weigh);
    if (asked != quadrants)
        printf("weighted: asked %d times for %d quadrants\n", asked, quadrants);
    print_sizes("weighted", sum_of_weights(forest));
    p4est_locidx_t given[64] = {0};
    given[0] = forest->global_num_quadrants;
    p4est_partition_given(forest, given);
    print_sizes("given", forest->local_num_quadrants);
    p4est_partition(forest, 1, NULL);
    print_sizes("coarsening", forest->local_num_quadrants);
    p4est_gloidx_t before = forest->global_num_quadrants;
    p4est_coarsen(forest, 0, coarsen_all, NULL);
    if (rank == 0)
        printf("coarsened %s\n", before == P4EST_CHILDREN * forest->global_num_quadrants ? "all" : "some");
    if (argc > 1)
        p4est_partition(forest, 0, weigh);
    if (!p4est_is_valid(forest))
        printf("rank %d: the forest is damaged\n", rank);
    p4est_destroy(forest);
    p4est_connectivity_destroy(square);
    MPI_Finalize();
    return 0;
}
