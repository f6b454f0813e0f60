#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Block matrices on 13 ranks, a prime with room for columns of several heights.
HS_TEST_RANKS=13 exec "$HS_TEST_SRCDIR/tests/run-ranks" "$HS_TEST_BUILDDIR/tests/runtime/blocks.mpi"
