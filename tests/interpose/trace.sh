# SPDX-License-Identifier: BSD-3-Clause
# The timeline of HS_TRACE.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
[ -n "$interpreter" ] || skip "no python3"

# trace RANKS COMMAND...: the file is $trace, the greatest error of the clocks in microseconds $within.
trace() {
    rm -rf "$work/traces"
    n=$1
    shift
    LD_PRELOAD=$PRELOAD HS_LOG=info HS_TRACE=$work/traces run "$n" "$work/out" "$@"
    [ "$(cat "$work/out.status")" = 0 ] || { cat "$work/out.err"; fail "$n ranks: does not run"; }
    trace=$(echo "$work"/traces/*)
    within=$(sed -n 's/^heteroslice: info: HS_TRACE: wrote .*; clocks agree within \([0-9.]*\) us$/\1/p' "$work/out.err")
}
check() {
    "$interpreter" -S "$HS_TEST_SRCDIR/tests/interpose/read_trace.py" "$trace" "$@" || fail "$n ranks: the timeline"
}

trace 1 "$HERE/watched" 1
if grep -q 'HS_TRACE: this library was built without protobuf-c' "$work/out.err"; then
    [ "$(grep -c HS_TRACE "$work/out.err")" = 1 ] && [ ! -e "$work/traces" ] || fail "without protobuf-c: $(cat "$work/out.err")"
    [ $failed = 0 ] && skip "built without protobuf-c, and says so"
    exit 1
fi
for n in 1 2 3 4 7; do
    trace $n "$HERE/watched" 20 marks
    check $n 20 "$within"
done

# A rank keeps so many events: of more the shortest calls are left out, and that is told.
trace 1 "$HERE/watched" 90000
grep -a -q 'rank 0 on .* ([0-9]* short calls left out)' "$trace" || fail "the track does not tell what is left out"
grep -q '^heteroslice: warn: HS_TRACE: [0-9]* short calls are left out' "$work/out.err" || fail "left out: $(cat "$work/out.err")"

# Layouts that are balanced: rank 0 has their decisions.
trace 3 ./hs-stencil --rows 90 --cols 20000 --iterations 300
check 3 decisions

# A folder that cannot be made is told in MPI_Init, once, and changes nothing else.
LD_PRELOAD=$PRELOAD HS_TRACE=$work/none/deep run 2 "$work/out" "$HERE/watched" 3
[ "$(cat "$work/out.status")" = 0 ] || fail "a bad HS_TRACE changes the exit status"
[ "$(grep HS_TRACE "$work/out.err")" = "heteroslice: error: HS_TRACE: cannot make $work/none/deep: No such file or directory: no trace" ] ||
    fail "a bad HS_TRACE is not told once: $(cat "$work/out.err")"
exit $failed
