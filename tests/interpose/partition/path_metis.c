/* SPDX-License-Identifier: BSD-3-Clause */
/* A METIS and ParMETIS of any width for metis.c, which cuts a path: the first vertices for the first part, and so on. It has
 * METIS's arguments and answers, and none of its search. It refuses what it needs and is NULL, and says which by the
 * answer. Compiled by metis.sh and nulls.sh with INDEX and REAL. */
#include <mpi.h>
#include <stdint.h>
#include <stddef.h>

enum { OPTIONS = 40 };

int METIS_SetDefaultOptions(INDEX *options)
{
    for (int i = 0; i < OPTIONS; i++)
        options[i] = -1;
    return 1;
}

/* @return 0; -1000 less bit k for each needed argument k that is NULL */
static int missing(int n, void *const *needed)
{
    int mask = 0;
    for (int k = 0; k < n; k++)
        mask |= needed[k] ? 0 : 1 << k;
    return mask ? -1000 - mask : 0;
}
#define MISSING(...) missing(sizeof(void *[]){__VA_ARGS__} / sizeof(void *), (void *[]){__VA_ARGS__})

static INDEX part_of(INDEX vertex, INDEX all, INDEX parts, INDEX stride, const REAL *targets)
{
    double border = 0;
    INDEX p = 0;
    for (; p < parts - 1; p++) {
        border += (targets ? (double)targets[p * stride] : 1.0 / (double)parts) * (double)all;
        if ((double)vertex + 0.5 < border)
            break;
    }
    return p;
}

static int cut(INDEX first, INDEX n, INDEX all, const INDEX *constraints, const INDEX *parts, const REAL *targets, INDEX *edges,
               INDEX *part)
{
    INDEX stride = constraints ? *constraints : 1;
    double sum = 0;
    if (*parts < 1 || stride < 1)
        return -2;
    for (INDEX p = 0; targets && p < *parts; p++) {
        sum += (double)targets[p * stride];
        if (!(targets[p * stride] > 0))
            return -2;
    }
    if (targets && (sum < 0.99 || sum > 1.01))
        return -2;
    for (INDEX i = 0; i < n; i++)
        part[i] = part_of(first + i, all, *parts, stride, targets);
    *edges = 0;
    for (INDEX i = 1; i < all; i++)
        *edges += part_of(i, all, *parts, stride, targets) != part_of(i - 1, all, *parts, stride, targets);
    return 1;
}

int METIS_PartGraphRecursive(INDEX *n, INDEX *ncon, INDEX *xadj, INDEX *adjncy, INDEX *vwgt, INDEX *vsize, INDEX *adjwgt,
                             INDEX *nparts, REAL *tpwgts, REAL *ubvec, INDEX *options, INDEX *objval, INDEX *part)
{
    int lacks = MISSING(n, ncon, xadj, adjncy, nparts, objval, part);
    return lacks ? lacks : cut(0, *n, *n, ncon, nparts, tpwgts, objval, part);
}

int METIS_PartGraphKway(INDEX *n, INDEX *ncon, INDEX *xadj, INDEX *adjncy, INDEX *vwgt, INDEX *vsize, INDEX *adjwgt,
                        INDEX *nparts, REAL *tpwgts, REAL *ubvec, INDEX *options, INDEX *objval, INDEX *part)
{
    int lacks = MISSING(n, ncon, xadj, adjncy, nparts, objval, part);
    int result = lacks ? lacks : cut(0, *n, *n, ncon, nparts, tpwgts, objval, part);
    for (INDEX i = 0; result == 1 && i < *n; i++)
        part[i] += xadj[0]; /* 1 for Fortran */
    return result;
}

/* As METIS does it: by a call of its own function for graphs. */
int METIS_PartMeshDual(INDEX *ne, INDEX *nn, INDEX *eptr, INDEX *eind, INDEX *vwgt, INDEX *vsize, INDEX *ncommon,
                       INDEX *nparts, REAL *tpwgts, INDEX *options, INDEX *objval, INDEX *epart, INDEX *npart)
{
    INDEX one = 1;
    int lacks = MISSING(ne, nn, eptr, eind, ncommon, nparts, objval, epart, npart);
    if (lacks)
        return lacks;
    return METIS_PartGraphKway(ne, &one, eptr, eind, vwgt, vsize, NULL, nparts, tpwgts, NULL, options, objval, epart);
}

int METIS_PartMeshNodal(INDEX *ne, INDEX *nn, INDEX *eptr, INDEX *eind, INDEX *vwgt, INDEX *vsize, INDEX *nparts,
                        REAL *tpwgts, INDEX *options, INDEX *objval, INDEX *epart, INDEX *npart)
{
    INDEX one = 1;
    int lacks = MISSING(ne, nn, eptr, eind, nparts, objval, epart, npart);
    if (lacks)
        return lacks;
    return METIS_PartGraphKway(nn, &one, eptr, eind, vwgt, vsize, NULL, nparts, tpwgts, NULL, options, objval, npart);
}

static int cut_slice(const INDEX *dist, const INDEX *ncon, const INDEX *nparts, const REAL *tpwgts, INDEX *edgecut,
                     INDEX *part, const MPI_Comm *comm)
{
    int rank, size, lacks = MISSING(dist, ncon, nparts, tpwgts, edgecut, part, comm);
    if (lacks)
        return lacks;
    MPI_Comm_rank(*comm, &rank);
    MPI_Comm_size(*comm, &size);
    return cut(dist[rank], dist[rank + 1] - dist[rank], dist[size], ncon, nparts, tpwgts, edgecut, part);
}

int ParMETIS_V3_PartKway(INDEX *dist, INDEX *xadj, INDEX *adjncy, INDEX *vwgt, INDEX *adjwgt, INDEX *wgtflag, INDEX *numflag,
                         INDEX *ncon, INDEX *nparts, REAL *tpwgts, REAL *ubvec, INDEX *options, INDEX *edgecut, INDEX *part,
                         MPI_Comm *comm)
{
    return cut_slice(dist, ncon, nparts, tpwgts, edgecut, part, comm);
}

int ParMETIS_V3_RefineKway(INDEX *dist, INDEX *xadj, INDEX *adjncy, INDEX *vwgt, INDEX *adjwgt, INDEX *wgtflag,
                           INDEX *numflag, INDEX *ncon, INDEX *nparts, REAL *tpwgts, REAL *ubvec, INDEX *options,
                           INDEX *edgecut, INDEX *part, MPI_Comm *comm)
{
    return cut_slice(dist, ncon, nparts, tpwgts, edgecut, part, comm);
}

int ParMETIS_V3_PartGeomKway(INDEX *dist, INDEX *xadj, INDEX *adjncy, INDEX *vwgt, INDEX *adjwgt, INDEX *wgtflag,
                             INDEX *numflag, INDEX *ndims, REAL *xyz, INDEX *ncon, INDEX *nparts, REAL *tpwgts, REAL *ubvec,
                             INDEX *options, INDEX *edgecut, INDEX *part, MPI_Comm *comm)
{
    return cut_slice(dist, ncon, nparts, tpwgts, edgecut, part, comm);
}

int ParMETIS_V3_PartMeshKway(INDEX *dist, INDEX *eptr, INDEX *eind, INDEX *elmwgt, INDEX *wgtflag, INDEX *numflag,
                             INDEX *ncon, INDEX *ncommon, INDEX *nparts, REAL *tpwgts, REAL *ubvec, INDEX *options,
                             INDEX *edgecut, INDEX *part, MPI_Comm *comm)
{
    return cut_slice(dist, ncon, nparts, tpwgts, edgecut, part, comm);
}

int ParMETIS_V3_AdaptiveRepart(INDEX *dist, INDEX *xadj, INDEX *adjncy, INDEX *vwgt, INDEX *vsize, INDEX *adjwgt,
                               INDEX *wgtflag, INDEX *numflag, INDEX *ncon, INDEX *nparts, REAL *tpwgts, REAL *ubvec,
                               REAL *ipc2redist, INDEX *options, INDEX *edgecut, INDEX *part, MPI_Comm *comm)
{
    return cut_slice(dist, ncon, nparts, tpwgts, edgecut, part, comm);
}
