# SPDX-License-Identifier: BSD-3-Clause
# Sourced by scripts that explore a model with the checker spin: $model is its file.
set -u
command -v spin >/dev/null || { echo "skipped: no spin"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
failed=0
# check ERRORS SPIN OPTIONS: explores every order of events, with this number of errors
check() {
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
