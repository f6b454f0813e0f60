#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The protocol of a move keeps its promises in every order of events, by the model checker spin.
model=$HS_TEST_SRCDIR/tests/runtime/slices/transaction.pml
. "$HS_TEST_SRCDIR/tests/runtime/model.sh"
check 0
check 0 -DLATE
check 1 -DUNCONFIRMED
exit $failed
