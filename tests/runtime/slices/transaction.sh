#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The protocol of a move keeps its promises in every order of events, by the model checker spin.
set -u
command -v spin >/dev/null || { echo "no spin"; exit 77; }
model=$HS_TEST_SRCDIR/tests/runtime/slices/transaction.pml
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
failed=0
check() { # ERRORS SPIN OPTIONS: explores every order of events, with this number of errors
    wanted=$1
    shift
    spin "$@" -a "$model" >spin.out 2>&1 || { cat spin.out; exit 1; }
    ${CC:-cc} -O1 -w -DSAFETY -o pan pan.c || exit 1
    ./pan -m100000 >out 2>&1
    grep -q "errors: $wanted\$" out && ! grep -q "max search depth too small" out && return
    cat out
    echo "FAILED: spin $*: not $wanted errors"
    failed=1
}
check 0
check 0 -DLATE
check 1 -DUNCONFIRMED
exit $failed
