#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ranks that wait for each other all end, in every order of events, by the model checker spin.
model=$HS_TEST_SRCDIR/tests/runtime/base/waiting.pml
. "$HS_TEST_SRCDIR/tests/runtime/model.sh"
check 0
check 0 -DLATE
check 1 -DDEAF
check 1 -DUNPARKED
check 1 -DHASTY
exit $failed
