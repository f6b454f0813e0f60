/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_CALLS_H
#define HS_INTERPOSE_PARTITION_CALLS_H

/* The functions of METIS and ParMETIS that cut: name, number of arguments, and what they are, in order. All are pointers, to
 * integers and reals whose widths the library was built with. The words that metis.c knows, of integers: ncon (constraints),
 * nparts, vwgt (weights), n (vertices of a graph, elements or nodes of a mesh, whichever are cut), dist (n by rank), xadj and eptr
 * (offsets), part (the answer), wgtflag, and options of METIS; of reals: tpwgts (targets); comm. */
#define HS_METIS_CALLS(X)                                                                                           \
    X(METIS_PartGraphKway, 13, "n ncon xadj adjncy vwgt vsize adjwgt nparts tpwgts ubvec options objval part")      \
    X(METIS_PartGraphRecursive, 13, "n ncon xadj adjncy vwgt vsize adjwgt nparts tpwgts ubvec options objval part") \
    X(METIS_PartMeshDual, 13, "n nn eptr eind vwgt vsize ncommon nparts tpwgts options objval part npart")          \
    X(METIS_PartMeshNodal, 12, "ne n eptr eind vwgt vsize nparts tpwgts options objval epart part")                 \
    X(ParMETIS_V3_PartKway, 15,                                                                                     \
      "dist xadj adjncy vwgt adjwgt wgtflag numflag ncon nparts tpwgts ubvec options2 edgecut part comm")           \
    X(ParMETIS_V3_PartGeomKway, 17,                                                                                 \
      "dist xadj adjncy vwgt adjwgt wgtflag numflag ndims xyz ncon nparts tpwgts ubvec options2 edgecut part "      \
      "comm")                                                                                                       \
    X(ParMETIS_V3_PartMeshKway, 15,                                                                                 \
      "dist eptr eind vwgt wgtflag numflag ncon ncommon nparts tpwgts ubvec options2 edgecut part comm")            \
    X(ParMETIS_V3_AdaptiveRepart, 17,                                                                               \
      "dist xadj adjncy vwgt vsize adjwgt wgtflag numflag ncon nparts tpwgts ubvec ipc2redist options2 edgecut "    \
      "part comm")                                                                                                  \
    X(ParMETIS_V3_RefineKway, 15,                                                                                   \
      "dist xadj adjncy vwgt adjwgt wgtflag numflag ncon nparts tpwgts ubvec options2 edgecut part comm")

#endif
