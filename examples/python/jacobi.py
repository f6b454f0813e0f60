# SPDX-License-Identifier: BSD-3-Clause
"""The Jacobi solver of apps/stencil/stencil.c in Python.

    mpirun -n 4 python3 jacobi.py ROWS COLUMNS ITERATIONS off|static|on
"""
import sys
import heteroslice  # before mpi4py
from mpi4py import MPI
import numpy as np


def exact(rows, columns, height, i):
    """Row i of an eigenmode of that height, with a boundary of zeros."""
    row = np.zeros(columns + 2)
    if 0 <= i < rows:
        row[1:-1] = height * np.sin(np.pi * (i + 1) / (rows + 1)) * np.sin(
            np.pi * np.arange(1, columns + 1) / (columns + 1))
    return row


def relax(u, v, begin, end):
    if begin < end:
        v[begin:end, 1:-1] = 0.25 * ((u[begin - 1:end - 1, 1:-1] + u[begin + 1:end + 1, 1:-1]) +
                                     (u[begin:end, :-2] + u[begin:end, 2:]))


def solve(context, rows, columns, iterations):
    layout, comm = context.layout(rows, halo=1), context.comm
    old, new = (layout.add_array("d", [columns + 2], halo=1) for _ in range(2))
    slice = layout.slice()
    u, v = np.asarray(old.view()), np.asarray(new.view())  # row 0 is the halo before the first row
    for i in range(len(u)):
        u[i] = exact(rows, columns, 1, slice.first - 1 + i)
    for _ in range(iterations):
        last = slice.count
        requests = [comm.Irecv(v[0], slice.prev, 0), comm.Irecv(v[last + 1], slice.next, 1)]
        relax(u, v, 1, min(2, last + 1))
        relax(u, v, max(2, last), last + 1)
        requests += [comm.Isend(v[1], slice.prev, 1), comm.Isend(v[last], slice.next, 0)]
        relax(u, v, 2, last)
        MPI.Request.Waitall(requests)
        old.swap(new)
        u, v = v, u
        if layout.balance():
            slice = layout.slice()
            u, v = np.asarray(old.view()), np.asarray(new.view())
    return layout, slice, u[1:slice.count + 1]


def checksum(u, first):
    """The exclusive or of all values' bits, rotated by their place."""
    bits = np.ascontiguousarray(u[:, 1:-1]).view(np.uint64).ravel()
    turn = ((np.arange(bits.size) + first * (u.shape[1] - 2)) % 63 + 1).astype(np.uint64)
    return np.bitwise_xor.reduce((bits << turn) | (bits >> (np.uint64(64) - turn)))


def main():
    *numbers, mode = sys.argv[1:] or [""]
    if len(numbers) != 3 or not all(n.isdecimal() for n in numbers) or mode not in ("off", "static", "on"):
        return "usage: jacobi.py ROWS COLUMNS ITERATIONS off|static|on"
    rows, columns, iterations = map(int, numbers)
    with heteroslice.Context(MPI.COMM_WORLD, mode, work=4 * rows * columns, halo=8 * (columns + 2),
                             overlap=True, steps=iterations) as context:
        layout, slice, u = solve(context, rows, columns, iterations)
        comm = context.comm
        height = ((np.cos(np.pi / (rows + 1)) + np.cos(np.pi / (columns + 1))) / 2) ** iterations
        error = max((np.abs(u[i] - exact(rows, columns, height, slice.first + i)).max() for i in range(len(u))),
                    default=0)
        verified = comm.allreduce(error, MPI.MAX) < 1e-12 * (iterations + 1)
        total = comm.allreduce(int(checksum(u, slice.first)), MPI.BXOR)
        if comm.rank == 0:
            print(f"verified {verified}, checksum {total:016X}, {layout.stats().moves} rebalances", flush=True)
    return 0 if verified else 1


sys.exit(main())
