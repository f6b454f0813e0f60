# SPDX-License-Identifier: BSD-3-Clause
"""Boxes with halos, whose cells are numbered, before and after they move; and what ranks without cells have."""
import ctypes
import math
import pathlib

import heteroslice
import numpy
from mpi4py import MPI

HALO = 2


def number(extent, cell):
    return float(numpy.ravel_multi_index([c % n for c, n in zip(cell, extent)], extent))


def cells(box, halo):
    """Indices in the view, and in the domain."""
    for index in numpy.ndindex(*(n + 2 * halo for n in box.count)):
        yield index, [first + i - halo for first, i in zip(box.first, index)]


def own(box, cell):
    return all(first <= c < first + n for first, c, n in zip(box.first, cell, box.count))


def check(layout, array, extent):
    """All halo cells have the numbers that their owners gave them."""
    box = layout.mine()
    view = numpy.asarray(array.view())
    layout.exchange_start(array)
    layout.exchange_wait(array)
    for index, cell in cells(box, HALO) if math.prod(box.count) else ():
        assert view[index] == number(extent, cell), (index, cell, view[index])
    assert sum(math.prod(other.count) for other in layout.all()) == math.prod(extent)


def run(context, extent, method):
    layout = context.boxes(extent, halo=HALO, periodic=[True] * len(extent), corners=True, method=method)
    array, box = layout.add_array("d"), layout.mine()
    view = numpy.asarray(array.view())
    for index, cell in cells(box, HALO) if math.prod(box.count) else ():
        view[index] = number(extent, cell) if own(box, cell) else -1
    check(layout, array, extent)
    ranks = context.comm.Get_size()
    moved = layout.rebalance([1 + 2 * (rank == 0) for rank in range(ranks)])
    assert moved == (ranks > 1)
    check(layout, array, extent)
    for _ in range(3):
        layout.balance()
    check(layout, array, extent)


def refused(words, make, *arguments, **named):
    try:
        make(*arguments, **named)
    except (heteroslice.Error, ctypes.ArgumentError) as error:
        assert words in str(error), error
    else:
        raise AssertionError("not refused: " + words)


def fill(array, shape):
    """A rank that has nothing of an array may do with it what the others do."""
    view = numpy.asarray(array.view())
    view[..., 1:] = 1
    assert view.shape == shape, (view.shape, shape)


refused("work is -1", heteroslice.Context, MPI.COMM_WORLD, work=-1)
refused("mode is 'dynamic', expected one of default, off, static, on", heteroslice.Context, MPI.COMM_WORLD, mode="dynamic")
refused("no\ufffd.xml", heteroslice.Context, MPI.COMM_WORLD, platform=pathlib.Path("no\udce9.xml"))  # not UTF-8
with heteroslice.Context(MPI.COMM_WORLD, mode="on") as context:
    for extent in ([40], [24, 18], [12, 10, 5]):
        for method in ("best", "rows", "grid", "columns") if len(extent) > 1 else ("best", "rows"):
            run(context, extent, method)
    layout, boxes = context.layout(1), context.boxes([1, 1], halo=numpy.int64(1))
    fill(layout.add_array("d", numpy.array([3])), (layout.slice().count, 3))
    fill(boxes.add_array("d"), (3, 3) if boxes.mine().count[0] else (0, 2))
    refused("extent", context.boxes, [0, 4])
    refused(f"{2**64 + 4} is too large for 64 bits", context.boxes, [2**64 + 4, 4])
    refused("too large for 64 bits", context.layout, 2**63)
    refused("too large for 32 bits", context.layout, 4, periodic=2**32)
    refused("too large for 64 bits", context.boxes, [4], steps=-2**63 - 1)
    refused("too large for 64 bits", heteroslice.counts, context.comm, 2**64)
    refused("method is 'rects', expected one of best, rows, grid, ", context.boxes, [4, 4], method="rects")
    refused("dims is 4, expected 1 to 3", context.boxes, [2, 2, 2, 2], periodic=[True] * 4)
    for periodic in ([True], [False] * 3):
        refused("periodic[0] is -1, expected 0 or 1", context.boxes, [2, 2], periodic=periodic)
    for wrong in (-1, 1):
        refused("speed[0] is nan", boxes.rebalance, [1] * (context.comm.Get_size() + wrong))
