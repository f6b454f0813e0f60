/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a path of vertices by the functions of METIS or ParMETIS and prints the sizes of the parts. Compiled by metis.sh with
 * integers INDEX and reals REAL for each library, with -DPARALLEL for ParMETIS, and with -Dmain=part as a library.
 *
 *     metis WAY...: kway, fortran, recursive, dual, nodal, unequal, halves, two, second, wrong, threads
 *     with -DPARALLEL: partkway, geom, mesh, adaptive, refine, sub */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 2700 };
static int rank, ranks;

static void print_sizes(const char *what, const INDEX *part, INDEX n, int parts, MPI_Comm comm)
{
    int *size = calloc((size_t)parts, sizeof *size), me = rank;
    for (INDEX i = 0; i < n; i++)
        size[part[i]]++;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &me);
        MPI_Allreduce(MPI_IN_PLACE, size, parts, MPI_INT, MPI_SUM, comm);
    }
    if (me == 0) {
        flockfile(stdout); /* lines of threads stay whole */
        printf("%s:", what);
        for (int p = 0; p < parts; p++)
            printf(" %d", size[p]);
        printf("\n");
        funlockfile(stdout);
    }
    free(size);
}

static void check(int result, const char *what)
{
    if (result == 1)
        return;
    printf("rank %d: %s: %d\n", rank, what, result);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

typedef struct path {
    INDEX n, start[VERTICES + 1], to[2 * VERTICES], element[2 * VERTICES + 2], node[2 * VERTICES], part[VERTICES + 1],
        other[VERTICES + 1], dist[65];
} path;

/* A slice of the path; as a mesh, element e has the nodes e and e + 1. */
static path *make_path(int slice, int slices)
{
    path *p = calloc(1, sizeof *p);
    INDEX edges = 0;
    for (int s = 0; s <= slices; s++)
        p->dist[s] = (INDEX)VERTICES * s / slices;
    p->n = p->dist[slice + 1] - p->dist[slice];
    for (INDEX i = 0; i < p->n; i++) {
        INDEX v = p->dist[slice] + i;
        p->start[i] = edges;
        if (v > 0)
            p->to[edges++] = v - 1;
        if (v < VERTICES - 1)
            p->to[edges++] = v + 1;
        p->element[i] = 2 * i;
        p->node[2 * i] = v;
        p->node[2 * i + 1] = v + 1;
    }
    p->start[p->n] = edges;
    p->element[p->n] = 2 * p->n;
    return p;
}

#ifndef PARALLEL
typedef int graph_function(INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, REAL *, REAL *,
                           INDEX *, INDEX *, INDEX *);
graph_function METIS_PartGraphKway, METIS_PartGraphRecursive;
#ifndef GRAPHS_ONLY
int METIS_PartMeshDual(INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, REAL *, INDEX *, INDEX *,
                       INDEX *, INDEX *);
int METIS_PartMeshNodal(INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, REAL *, INDEX *, INDEX *,
                        INDEX *, INDEX *);

static void cut_mesh(const char *what, int nodal)
{
    path *p = make_path(0, 1);
    INDEX parts = ranks, nodes = VERTICES + 1, common = 1, cut;
    if (nodal) {
        check(METIS_PartMeshNodal(&p->n, &nodes, p->element, p->node, NULL, NULL, &parts, NULL, NULL, &cut, p->other,
                                  p->part),
              what);
        print_sizes(what, p->part, nodes, ranks, MPI_COMM_NULL);
    } else {
        check(METIS_PartMeshDual(&p->n, &nodes, p->element, p->node, NULL, NULL, &common, &parts, NULL, NULL, &cut,
                                 p->part, p->other),
              what);
        print_sizes(what, p->part, p->n, ranks, MPI_COMM_NULL);
    }
    free(p);
}
#else
static void cut_mesh(const char *what, int nodal)
{
    (void)what;
    (void)nodal;
}
#endif

/* constraints: of the vertices' weights; targets: NULL or [parts * constraints], which must stay as they are */
static void cut_graph(const char *what, graph_function *cut, INDEX parts, INDEX constraints, REAL *targets)
{
    path *p = make_path(0, 1);
    INDEX edges, *weight = calloc(2 * VERTICES, sizeof *weight);
    REAL before[2 * 64] = {0}, tolerance[2] = {(REAL)1.03, (REAL)1.03};
    size_t size = (size_t)(parts * constraints) * sizeof *targets;
    for (int i = 0; i < 2 * VERTICES; i++)
        weight[i] = i % 2 + 1;
    if (targets)
        memcpy(before, targets, size);
    check(cut(&p->n, &constraints, p->start, p->to, constraints > 1 ? weight : NULL, NULL, NULL, &parts, targets,
              tolerance, NULL, &edges, p->part),
          what);
    if (targets && memcmp(before, targets, size) != 0)
        printf("%s: the caller's targets changed\n", what);
    print_sizes(what, p->part, VERTICES, (int)parts, MPI_COMM_NULL);
    free(weight);
    free(p);
}

/* Numbers from 1. path_metis.c needs no option for it, which METIS's versions have at different numbers. */
static void cut_from_one(const char *what)
{
    path *p = make_path(0, 1);
    INDEX parts = ranks, one = 1, edges;
    for (int i = 0; i <= VERTICES; i++)
        p->start[i]++;
    for (int i = 0; i < 2 * VERTICES - 2; i++)
        p->to[i]++;
    check(
        METIS_PartGraphKway(&p->n, &one, p->start, p->to, NULL, NULL, NULL, &parts, NULL, NULL, NULL, &edges, p->part),
        what);
    for (int i = 0; i < VERTICES; i++)
        p->part[i]--;
    print_sizes(what, p->part, VERTICES, ranks, MPI_COMM_NULL);
    free(p);
}

/* What comes back for what METIS refuses. */
static void wrong(void)
{
    path *p = make_path(0, 1);
    INDEX parts = ranks, one = 1, none = 0, less = -4, edges;
    REAL half[64], nothing[64] = {1};
    for (int i = 0; i < 64; i++)
        half[i] = (REAL)0.01;
    int zero =
        METIS_PartGraphKway(&p->n, &one, p->start, p->to, NULL, NULL, NULL, &none, NULL, NULL, NULL, &edges, p->part);
    int minus =
        METIS_PartGraphKway(&p->n, &one, p->start, p->to, NULL, NULL, NULL, &less, NULL, NULL, NULL, &edges, p->part);
    int light =
        METIS_PartGraphKway(&p->n, &one, p->start, p->to, NULL, NULL, NULL, &parts, half, NULL, NULL, &edges, p->part);
    int free_of =
        METIS_PartGraphKway(&p->n, &none, p->start, p->to, NULL, NULL, NULL, &parts, NULL, NULL, NULL, &edges, p->part);
    int empty = METIS_PartGraphKway(&p->n, &one, p->start, p->to, NULL, NULL, NULL, &parts, nothing, NULL, NULL, &edges,
                                    p->part);
    if (rank == 0)
        printf("wrong: %d %d %d %d %d\n", zero, minus, light, free_of, empty);
    free(p);
}

static void *cut_often(void *unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++)
        cut_graph("threads", METIS_PartGraphKway, ranks, 1, NULL);
    return NULL;
}

static void in_threads(void)
{
    pthread_t thread[4];
    for (int t = 0; t < 4; t++)
        pthread_create(&thread[t], NULL, cut_often, NULL);
    for (int t = 0; t < 4; t++)
        pthread_join(thread[t], NULL);
}

static void try(const char *way)
{
    REAL unequal[64], equal[2 * 64], second[2 * 64];
    for (int r = 0; r < ranks; r++)
        unequal[r] = (REAL)(r % 2 + 1) * 2 / (REAL)(3 * ranks);
    for (int r = 0; r < 2 * ranks; r++)
        equal[r] = second[r] = 1 / (REAL)ranks;
    for (int r = 0; r < ranks; r++)
        second[2 * r + 1] = unequal[r];
    if (strcmp(way, "kway") == 0)
        cut_graph(way, METIS_PartGraphKway, ranks, 1, NULL);
    else if (strcmp(way, "fortran") == 0)
        cut_from_one(way);
    else if (strcmp(way, "recursive") == 0)
        cut_graph(way, METIS_PartGraphRecursive, ranks, 1, NULL);
    else if (strcmp(way, "unequal") == 0)
        cut_graph(way, METIS_PartGraphRecursive, ranks, 1, unequal);
    else if (strcmp(way, "two") == 0)
        cut_graph(way, METIS_PartGraphRecursive, ranks, 2, equal);
    else if (strcmp(way, "second") == 0)
        cut_graph(way, METIS_PartGraphRecursive, ranks, 2, second);
    else if (strcmp(way, "halves") == 0)
        cut_graph(way, METIS_PartGraphRecursive, 2, 1, NULL);
    else if (strcmp(way, "dual") == 0 || strcmp(way, "nodal") == 0)
        cut_mesh(way, way[0] == 'n');
    else if (strcmp(way, "wrong") == 0)
        wrong();
    else
        in_threads();
}
#else
typedef int kway_function(INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, REAL *,
                          REAL *, INDEX *, INDEX *, INDEX *, MPI_Comm *);
kway_function ParMETIS_V3_PartKway;
int ParMETIS_V3_PartGeomKway(INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, REAL *, INDEX *,
                             INDEX *, REAL *, REAL *, INDEX *, INDEX *, INDEX *, MPI_Comm *);
#ifndef GRAPHS_ONLY
kway_function ParMETIS_V3_RefineKway;
int ParMETIS_V3_PartMeshKway(INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, REAL *,
                             REAL *, INDEX *, INDEX *, INDEX *, MPI_Comm *);
int ParMETIS_V3_AdaptiveRepart(INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *, INDEX *,
                               REAL *, REAL *, REAL *, INDEX *, INDEX *, INDEX *, MPI_Comm *);
#endif

static void cut_slices(const char *way, const char *what, MPI_Comm comm)
{
    int me, size;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &size);
    path *p = make_path(me, size);
    INDEX zero = 0, one = 1, parts = size, options[4] = {0}, edges, result = 0;
    REAL *targets = calloc((size_t)size, sizeof *targets), tolerance = (REAL)1.05, move = 1000;
    REAL *x = calloc(VERTICES, sizeof *x);
    for (int r = 0; r < size; r++)
        targets[r] = 1 / (REAL)size;
    for (INDEX i = 0; i < p->n; i++)
        x[i] = (REAL)(p->dist[me] + i);
    if (strcmp(way, "geom") == 0)
        result = ParMETIS_V3_PartGeomKway(p->dist, p->start, p->to, NULL, NULL, &zero, &zero, &one, x, &one, &parts,
                                          targets, &tolerance, options, &edges, p->part, &comm);
#ifndef GRAPHS_ONLY
    else if (strcmp(way, "mesh") == 0)
        result = ParMETIS_V3_PartMeshKway(p->dist, p->element, p->node, NULL, &zero, &zero, &one, &one, &parts, targets,
                                          &tolerance, options, &edges, p->part, &comm);
    else if (strcmp(way, "adaptive") == 0)
        result = ParMETIS_V3_AdaptiveRepart(p->dist, p->start, p->to, NULL, NULL, NULL, &zero, &zero, &one, &parts,
                                            targets, &tolerance, &move, options, &edges, p->part, &comm);
    else if (strcmp(way, "refine") == 0)
        result = ParMETIS_V3_RefineKway(p->dist, p->start, p->to, NULL, NULL, &zero, &zero, &one, &parts, targets,
                                        &tolerance, options, &edges, p->part, &comm);
#endif
    else
        result = ParMETIS_V3_PartKway(p->dist, p->start, p->to, NULL, NULL, &zero, &zero, &one, &parts, targets,
                                      &tolerance, options, &edges, p->part, &comm);
    check((int)result, way);
    for (int r = 0; r < size; r++)
        if (targets[r] != 1 / (REAL)size)
            printf("%s: the caller's targets changed\n", what);
    (void)move;
    print_sizes(what, p->part, p->n, size, comm);
    free(x);
    free(targets);
    free(p);
}

/* The last three ranks, in the opposite order. */
static void try(const char *way)
{
    MPI_Comm some = MPI_COMM_WORLD;
    if (strcmp(way, "sub") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks - 3 ? MPI_UNDEFINED : 0, -rank, &some);
    if (some != MPI_COMM_NULL)
        cut_slices(way, way, some);
    if (some != MPI_COMM_NULL && some != MPI_COMM_WORLD)
        MPI_Comm_free(&some);
}
#endif

int main(int argc, char **argv);
int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; i++)
        try(argv[i]);
    MPI_Finalize();
    return 0;
}
