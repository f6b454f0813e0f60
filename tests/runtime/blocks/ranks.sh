#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Block matrices on the rank counts up to 7 that run-ranks leaves out, and on 13: a prime with room for columns of several
# heights.
HS_TEST_RANKS="5 6 13" exec "$HS_TEST_SRCDIR/tests/run-ranks" "$HS_TEST_BUILDDIR/tests/runtime/blocks/blocks.mpi"
