# SPDX-License-Identifier: BSD-3-Clause
"""What is left of a context that was closed: views keep what they show, and every call is refused."""
import ctypes

import heteroslice
import numpy
from mpi4py import MPI

N = 300  # rows, each of as many numbers: memory that free() gives back to the system


def refused(call, *arguments):
    try:
        call(*arguments)
    except ctypes.ArgumentError as error:
        assert "the context is closed" in str(error), error
    else:
        raise AssertionError("not refused: " + str(call))


with heteroslice.Context(MPI.COMM_WORLD, mode="off") as context:
    layout, boxes = context.layout(N * MPI.COMM_WORLD.size, halo=1), context.boxes([N, N], halo=1)
    array, other, field = layout.add_array("d", [N]), layout.add_array("d", [N]), boxes.add_array("d")
    view, cells = numpy.asarray(array.view()), numpy.asarray(field.view())
    view[...], cells[...] = 7, 8
    array.swap(other)
assert not array.pointer and not other.pointer and not field.pointer
assert (view == 7).all() and (cells == 8).all()
for call in (layout.slice, layout.balance, layout.stats, layout.counts, layout.weights, array.view, boxes.mine, boxes.balance, field.view):
    refused(call)
refused(layout.add_array, "d")
refused(boxes.exchange_start, field)
refused(context.layout, N)
assert context.comm == MPI.COMM_NULL
context.close()
