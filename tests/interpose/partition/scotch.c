/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a path of vertices, whose best cut is known, by every way that Scotch and PT-Scotch offer, and prints the sizes of the
 * parts on rank 0. Compiled by scotch.sh for each width of SCOTCH_Num.
 *
 *     scotch WAY...: serial, distributed, arch, weighted, halves, sub, more, same, wrong, threads, reused, fixed, grid, heavy, cube
 *
 * grid cuts a square grid of vertices, and prints how many edges lead from parts of even ranks to parts of odd ones; so does heavy,
 * with edges as heavy as SCOTCH_Num bears. cube cuts a distributed cube, and prints how many edges lead from part to part. */
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptscotch.h>

enum { VERTICES = 2700 };
static int rank, ranks;

/* Instead of Scotch's own, which writes "ERROR: " by itself: Open MPI 5's launcher may put half a line of standard error before
 * the next line of standard output. */
void SCOTCH_errorPrint(const char *text, ...)
{
    char line[256];
    va_list list;
    va_start(list, text);
    vsnprintf(line, sizeof line, text, list);
    va_end(list);
    fprintf(stderr, "ERROR: %s\n", line);
}

static void check(int failed, const char *what)
{
    if (!failed)
        return;
    printf("rank %d: %s failed\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void print_sizes(const char *what, const SCOTCH_Num *part, SCOTCH_Num n, int parts, MPI_Comm comm)
{
    int *size = calloc((size_t)parts, sizeof *size), me = 0;
    for (SCOTCH_Num i = 0; i < n; i++)
        size[part[i]]++;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &me);
        MPI_Allreduce(MPI_IN_PLACE, size, parts, MPI_INT, MPI_SUM, comm);
    }
    if (me == 0 && rank == 0) {
        flockfile(stdout); /* lines of threads stay whole */
        printf("%s:", what);
        for (int p = 0; p < parts; p++)
            printf(" %d", size[p]);
        printf("\n");
        funlockfile(stdout);
    }
    free(size);
}

/* ---- The path, whole or in equal slices ---- */

typedef struct path {
    SCOTCH_Num first, n, edges, start[VERTICES + 1], to[2 * VERTICES];
} path;

static void make_path(path *p, int slice, int slices)
{
    p->first = (SCOTCH_Num)VERTICES * slice / slices;
    p->n = (SCOTCH_Num)VERTICES * (slice + 1) / slices - p->first;
    p->edges = 0;
    for (SCOTCH_Num i = 0; i < p->n; i++) {
        SCOTCH_Num v = p->first + i;
        p->start[i] = p->edges;
        if (v > 0)
            p->to[p->edges++] = v - 1;
        if (v < VERTICES - 1)
            p->to[p->edges++] = v + 1;
    }
    p->start[p->n] = p->edges;
}

static void build(SCOTCH_Graph *graph, path *p)
{
    make_path(p, 0, 1);
    check(SCOTCH_graphInit(graph) ||
              SCOTCH_graphBuild(graph, 0, p->n, p->start, NULL, NULL, NULL, p->edges, p->to, NULL),
          "graphBuild");
}

static void build_distributed(SCOTCH_Dgraph *graph, path *p, MPI_Comm comm)
{
    int me, size;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &size);
    make_path(p, me, size);
    check(SCOTCH_dgraphInit(graph, comm) || SCOTCH_dgraphBuild(graph, 0, p->n, p->n, p->start, p->start + 1, NULL, NULL,
                                                               p->edges, p->edges, p->to, NULL, NULL),
          "dgraphBuild");
}

/* ---- Ways ---- */

static void serial(int parts, const char *what)
{
    static __thread path p;
    SCOTCH_Graph graph;
    SCOTCH_Strat strategy;
    SCOTCH_Num *part = calloc(VERTICES, sizeof *part);
    build(&graph, &p);
    SCOTCH_stratInit(&strategy);
    check(SCOTCH_graphPart(&graph, parts, &strategy, part), "graphPart");
    print_sizes(what, part, VERTICES, parts, MPI_COMM_NULL);
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&graph);
    free(part);
}

static void by_architecture(const SCOTCH_Num *weights, const char *what)
{
    static path p;
    SCOTCH_Graph graph;
    SCOTCH_Mapping mapping;
    SCOTCH_Arch arch;
    SCOTCH_Strat strategy;
    static SCOTCH_Num part[VERTICES];
    build(&graph, &p);
    SCOTCH_stratInit(&strategy);
    SCOTCH_archInit(&arch);
    check(weights ? SCOTCH_archCmpltw(&arch, ranks, weights) : SCOTCH_archCmplt(&arch, ranks), "archCmplt(w)");
    check(SCOTCH_graphMap(&graph, &arch, &strategy, part), "graphMap");
    print_sizes(what, part, VERTICES, ranks, MPI_COMM_NULL);
    memset(part, 0, sizeof part);
    check(SCOTCH_graphMapInit(&graph, &mapping, &arch, part) || SCOTCH_graphMapCompute(&graph, &mapping, &strategy),
          "graphMapCompute");
    print_sizes(what, part, VERTICES, ranks, MPI_COMM_NULL);
    SCOTCH_graphMapExit(&graph, &mapping);
    SCOTCH_archExit(&arch);
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&graph);
}

/* An architecture of another kind in the memory of one that was never given back. */
static void reuse(const char *what)
{
    static path p;
    const SCOTCH_Num sizes[2] = {2, 3}, costs[2] = {1, 1};
    SCOTCH_Graph graph;
    SCOTCH_Arch arch;
    SCOTCH_Strat strategy;
    static SCOTCH_Num part[VERTICES];
    build(&graph, &p);
    SCOTCH_stratInit(&strategy);
    SCOTCH_archInit(&arch);
    check(SCOTCH_archCmplt(&arch, ranks) || SCOTCH_graphMap(&graph, &arch, &strategy, part), "graphMap");
    SCOTCH_archInit(&arch);
    check(SCOTCH_archTleaf(&arch, 2, sizes, costs) || SCOTCH_graphMap(&graph, &arch, &strategy, part), "graphMap");
    print_sizes(what, part, VERTICES, 6, MPI_COMM_NULL);
    SCOTCH_archExit(&arch);
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&graph);
}

/* A function that makes the architecture, and of which nothing but that is seen. */
static void cut_fixed(const char *what)
{
    static path p;
    SCOTCH_Graph graph;
    SCOTCH_Strat strategy;
    static SCOTCH_Num part[VERTICES];
    build(&graph, &p);
    SCOTCH_stratInit(&strategy);
    memset(part, -1, sizeof part);
    check(SCOTCH_graphPartFixed(&graph, ranks, &strategy, part), "graphPartFixed");
    print_sizes(what, part, VERTICES, ranks, MPI_COMM_NULL);
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&graph);
}

/* A distributed graph, and what cuts it. */
typedef struct cutting {
    path path;
    SCOTCH_Dgraph graph;
    SCOTCH_Arch arch;
    SCOTCH_Strat strategy;
    SCOTCH_Num part[VERTICES];
} cutting;

/* In so many parts, by dgraphPart and by dgraphMap. */
static void cutting_begin(cutting *c, int parts, MPI_Comm comm, const char *what)
{
    build_distributed(&c->graph, &c->path, comm);
    SCOTCH_stratInit(&c->strategy);
    check(SCOTCH_dgraphPart(&c->graph, parts, &c->strategy, c->part), "dgraphPart");
    print_sizes(what, c->part, c->path.n, parts, comm);
    SCOTCH_archInit(&c->arch);
    check(SCOTCH_archCmplt(&c->arch, parts), "archCmplt");
    check(SCOTCH_dgraphMap(&c->graph, &c->arch, &c->strategy, c->part), "dgraphMap");
    print_sizes(what, c->part, c->path.n, parts, comm);
}

static void cutting_end(cutting *c)
{
    SCOTCH_archExit(&c->arch);
    SCOTCH_stratExit(&c->strategy);
    SCOTCH_dgraphExit(&c->graph);
}

static void distributed(MPI_Comm comm, const char *what)
{
    static cutting c;
    int size;
    SCOTCH_Dmapping mapping;
    MPI_Comm_size(comm, &size);
    cutting_begin(&c, size, comm, what);
    check(SCOTCH_dgraphMapInit(&c.graph, &mapping, &c.arch, c.part) ||
              SCOTCH_dgraphMapCompute(&c.graph, &mapping, &c.strategy),
          "dgraphMapCompute");
    print_sizes(what, c.part, c.path.n, size, comm);
    SCOTCH_dgraphMapExit(&c.graph, &mapping);
    cutting_end(&c);
}

/* As many parts as the program has ranks, and not the communicator; then as many as that has, of a graph that is not
 * distributed. */
static void other_numbers(MPI_Comm comm, const char *what)
{
    static cutting c;
    int size;
    MPI_Comm_size(comm, &size);
    cutting_begin(&c, ranks, comm, what);
    serial(size, "fewer");
    cutting_end(&c);
}

/* The last three ranks, in the opposite order. */
static void on_some_ranks(void (*cut_on)(MPI_Comm, const char *), const char *what)
{
    MPI_Comm some;
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks - 3 ? MPI_UNDEFINED : 0, -rank, &some);
    if (some != MPI_COMM_NULL) {
        int saved = rank;
        MPI_Comm_rank(some, &rank); /* who prints */
        cut_on(some, what);
        rank = saved;
        MPI_Comm_free(&some);
    }
}

/* What comes back for calls that no partitioner takes. */
static void wrong(void)
{
    SCOTCH_Arch arch;
    SCOTCH_Num weights[8] = {0};
    SCOTCH_archInit(&arch);
    int none = SCOTCH_archCmplt(&arch, 0), less = SCOTCH_archCmplt(&arch, -3);
    int empty = SCOTCH_archCmpltw(&arch, 0, weights), missing = SCOTCH_archCmpltw(&arch, 0, NULL);
    if (rank == 0)
        printf("wrong: %d %d %d %d\n", none, less, empty, missing);
    SCOTCH_archExit(&arch);
}

/* ---- A grid ---- */

enum { SIDE = 60 };

typedef struct grid {
    SCOTCH_Num start[SIDE * SIDE + 1], to[4 * SIDE * SIDE], weight[4 * SIDE * SIDE], edges;
} grid;

static void add_edge(grid *g, int row, int column)
{
    if (row >= 0 && row < SIDE && column >= 0 && column < SIDE)
        g->to[g->edges++] = (SCOTCH_Num)row * SIDE + column;
}

static void build_grid(SCOTCH_Graph *graph, grid *g, SCOTCH_Num weight)
{
    g->edges = 0;
    for (int v = 0; v < SIDE * SIDE; v++) {
        g->start[v] = g->edges;
        add_edge(g, v / SIDE - 1, v % SIDE);
        add_edge(g, v / SIDE, v % SIDE - 1);
        add_edge(g, v / SIDE, v % SIDE + 1);
        add_edge(g, v / SIDE + 1, v % SIDE);
    }
    g->start[SIDE * SIDE] = g->edges;
    for (SCOTCH_Num e = 0; e < g->edges; e++)
        g->weight[e] = weight;
    check(SCOTCH_graphInit(graph) || SCOTCH_graphBuild(graph, 0, SIDE * SIDE, g->start, NULL, NULL, NULL, g->edges,
                                                       g->to, weight == 1 ? NULL : g->weight),
          "graphBuild");
}

static void print_grid(const char *what, const grid *g, const SCOTCH_Num *part)
{
    int between = 0;
    print_sizes(what, part, SIDE * SIDE, ranks, MPI_COMM_NULL);
    for (int v = 0; v < SIDE * SIDE; v++)
        for (SCOTCH_Num e = g->start[v]; e < g->start[v + 1]; e++)
            between += v < g->to[e] && part[v] % 2 != part[g->to[e]] % 2;
    if (rank == 0)
        printf("%s-between: %d\n", what, between);
}

/* By each function, as if it were the first. */
static void cut_grid(const char *what, SCOTCH_Num weight)
{
    static grid g;
    SCOTCH_Graph graph;
    SCOTCH_Arch arch;
    SCOTCH_Strat strategy;
    static SCOTCH_Num part[SIDE * SIDE];
    build_grid(&graph, &g, weight);
    SCOTCH_randomReset();
    SCOTCH_stratInit(&strategy);
    check(SCOTCH_graphPart(&graph, ranks, &strategy, part), "graphPart");
    print_grid(what, &g, part);
    SCOTCH_stratExit(&strategy);
    SCOTCH_randomReset();
    SCOTCH_stratInit(&strategy);
    SCOTCH_archInit(&arch);
    check(SCOTCH_archCmplt(&arch, ranks) || SCOTCH_graphMap(&graph, &arch, &strategy, part), "graphMap");
    print_grid(what, &g, part);
    SCOTCH_archExit(&arch);
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&graph);
}

/* ---- A cube of vertices, in slices of as many layers on each rank ---- */

enum { LAYER = 30, CUBE = LAYER * LAYER * LAYER };

typedef struct cube {
    SCOTCH_Num first, n, edges, start[CUBE + 1], to[6 * CUBE];
} cube;

static void make_cube(cube *c)
{
    c->first = (SCOTCH_Num)LAYER * rank / ranks * LAYER * LAYER;
    c->n = (SCOTCH_Num)LAYER * (rank + 1) / ranks * LAYER * LAYER - c->first;
    for (SCOTCH_Num i = 0; i < c->n; i++) {
        c->start[i] = c->edges;
        for (SCOTCH_Num v = c->first + i, step = 1; step < CUBE; step *= LAYER) {
            if (v / step % LAYER > 0)
                c->to[c->edges++] = v - step;
            if (v / step % LAYER < LAYER - 1)
                c->to[c->edges++] = v + step;
        }
    }
    c->start[c->n] = c->edges;
}

/* All edges between parts, on rank 0. */
static void print_cut(const char *what, const cube *c, const SCOTCH_Num *part)
{
    static int own[CUBE], all[CUBE];
    int cut = 0, sum = 0;
    for (SCOTCH_Num i = 0; i < c->n; i++)
        own[c->first + i] = (int)part[i];
    MPI_Allreduce(own, all, CUBE, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (SCOTCH_Num i = 0; i < c->n; i++)
        for (SCOTCH_Num e = c->start[i]; e < c->start[i + 1]; e++)
            cut += all[c->to[e]] != (int)part[i];
    MPI_Reduce(&cut, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s-cut: %d\n", what, sum / 2);
}

static void cut_cube(const char *what)
{
    static cube c;
    static SCOTCH_Num part[CUBE];
    SCOTCH_Dgraph graph;
    SCOTCH_Strat strategy;
    make_cube(&c);
    check(SCOTCH_dgraphInit(&graph, MPI_COMM_WORLD) ||
              SCOTCH_dgraphBuild(&graph, 0, c.n, c.n, c.start, c.start + 1, NULL, NULL, c.edges, c.edges, c.to, NULL,
                                 NULL),
          "dgraphBuild");
    SCOTCH_randomReset();
    SCOTCH_stratInit(&strategy);
    check(SCOTCH_dgraphPart(&graph, ranks, &strategy, part), "dgraphPart");
    print_sizes(what, part, c.n, ranks, MPI_COMM_WORLD);
    print_cut(what, &c, part);
    SCOTCH_stratExit(&strategy);
    SCOTCH_dgraphExit(&graph);
}

static void *cut(void *unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++)
        serial(ranks, "threads");
    return NULL;
}

static void in_threads(void)
{
    pthread_t thread[4];
    for (int t = 0; t < 4; t++)
        pthread_create(&thread[t], NULL, cut, NULL);
    for (int t = 0; t < 4; t++)
        pthread_join(thread[t], NULL);
}

static void try(const char *way)
{
    SCOTCH_Num unequal[64], same[64];
    for (int r = 0; r < ranks && r < 64; r++) {
        unequal[r] = r % 2 + 1;
        same[r] = 5;
    }
    if (strcmp(way, "serial") == 0)
        serial(ranks, way);
    else if (strcmp(way, "halves") == 0)
        serial(2, way);
    else if (strcmp(way, "arch") == 0)
        by_architecture(NULL, way);
    else if (strcmp(way, "weighted") == 0)
        by_architecture(unequal, way);
    else if (strcmp(way, "same") == 0)
        by_architecture(same, way);
    else if (strcmp(way, "distributed") == 0)
        distributed(MPI_COMM_WORLD, way);
    else if (strcmp(way, "sub") == 0)
        on_some_ranks(distributed, way);
    else if (strcmp(way, "more") == 0)
        on_some_ranks(other_numbers, way);
    else if (strcmp(way, "reused") == 0)
        reuse(way);
    else if (strcmp(way, "fixed") == 0)
        cut_fixed(way);
    else if (strcmp(way, "grid") == 0)
        cut_grid(way, 1);
    else if (strcmp(way, "heavy") == 0)
        cut_grid(way, SCOTCH_NUMMAX / (4 * SIDE * SIDE));
    else if (strcmp(way, "cube") == 0)
        cut_cube(way);
    else if (strcmp(way, "wrong") == 0)
        wrong();
    else
        in_threads();
}

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
