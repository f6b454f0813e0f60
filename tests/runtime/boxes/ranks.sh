#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Boxes on the rank counts up to 8 that run-ranks leaves out: 2 x 2 x 2 boxes among them.
HS_TEST_RANKS="5 6 8" exec "$HS_TEST_SRCDIR/tests/run-ranks" "$HS_TEST_BUILDDIR/tests/runtime/boxes/layers.mpi"
