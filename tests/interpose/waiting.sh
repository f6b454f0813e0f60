# SPDX-License-Identifier: BSD-3-Clause
# However ranks wait, programs say and return the same, and every call is seen once; what is said of a bad value.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
CALLS_FILE=$work/file
export CALLS_FILE

# waits RANKS COMMAND...
waits() {
    n=$1
    shift
    name=$(basename "$1")
    run "$n" "$work/bare" "$@"
    for how in poll yield sleep; do
        LD_PRELOAD=$PRELOAD HS_WAIT=$how HS_LOG=debug run "$n" "$work/$how" "$@"
        compare "$name, HS_WAIT=$how" "$work/bare" "$work/$how"
        count_hits "$name, HS_WAIT=$how" "$work/$how"
    done
}
waits 3 "$HERE/calls" files
[ -x "$HERE/fortran_include" ] && waits 3 "$HERE/fortran_include"
[ -x "$HERE/fortran_2008" ] && waits 3 "$HERE/fortran_2008"

# Threads, errors that end the program, and ranks of another world.
for edge in "level 3" threads spawn fatal "abort 3"; do
    # shellcheck disable=SC2086
    run 2 "$work/bare" "$HERE/edges" $edge
    # shellcheck disable=SC2086
    LD_PRELOAD=$PRELOAD HS_WAIT=sleep HS_LOG=error run 2 "$work/on" "$HERE/edges" $edge
    compare "edges $edge, HS_WAIT=sleep" "$work/bare" "$work/on"
done

# A wait that ends with an error.
run 2 "$work/bare" "$HERE/truncated"
runs_bare truncated
for how in yield sleep; do
    LD_PRELOAD=$PRELOAD HS_WAIT=$how HS_LOG=error run 2 "$work/on" "$HERE/truncated"
    compare "truncated, HS_WAIT=$how" "$work/bare" "$work/on"
    LD_PRELOAD=$HS_TEST_BUILDDIR/.libs/libheteroslice.so HS_WAIT=$how HS_LOG=error run 2 "$work/on" "$HERE/truncated"
    compare "truncated, as if linked, HS_WAIT=$how" "$work/bare" "$work/on"
done

LD_PRELOAD=$PRELOAD HS_WAIT=patiently run 2 "$work/bad" "$HERE/barriers"
[ "$(grep -c "HS_WAIT='patiently' is not auto|poll|yield|sleep; using auto" "$work/bad.err")" = 1 ] ||
    fail "HS_WAIT=patiently: $(cat "$work/bad.err")"
exit $failed
