# SPDX-License-Identifier: BSD-3-Clause
"""Weights of units, declared and learned, on two ranks of one speed."""
import time

import heteroslice
from mpi4py import MPI

HEAVY = [7, 1, 1, 1, 1, 1, 1, 1]
PATIENCE = 60  # seconds


def refused(call, *arguments):
    try:
        call(*arguments)
    except heteroslice.Error:
        return True
    return False


def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def declare(context):
    layout = context.layout(len(HEAVY))
    assert layout.weights() is None
    assert refused(layout.set_weights, [1])
    own = layout.slice()
    layout.set_weights(HEAVY[own.first:own.first + own.count])
    assert layout.counts() == [1, 7], layout.counts()
    own = layout.slice()
    assert layout.weights() == HEAVY[own.first:own.first + own.count]
    assert refused(layout.set_weights, [-1] * own.count)


def learn(context):
    """Whether weights were learned, which a busy machine may put off."""
    layout = context.layout(8)
    layout.add_array("d")
    assert refused(layout.unit_end) and refused(layout.unit_begin, 8)
    begun = time.monotonic()
    while not context.comm.allreduce(layout.weights() is not None or time.monotonic() > begun + PATIENCE, MPI.LOR):
        own = layout.slice()
        for unit in range(own.first, own.first + own.count):
            layout.unit_begin(unit)
            work(0.008 if unit % 4 == 0 else 0.001)
            layout.unit_end()
        layout.balance()
    own = layout.slice()
    weights = layout.weights()
    assert weights is None or len(weights) == own.count and min(weights, default=1) > 0
    return weights is not None


with heteroslice.Context(MPI.COMM_WORLD, mode="on") as context:
    declare(context)
    print("weights learned" if learn(context) else "nothing learned on this machine")
