# SPDX-License-Identifier: BSD-3-Clause
# A program that traps exceptions of floating-point arithmetic ends as it does bare, whatever the library computes meanwhile.
. "$HS_TEST_SRCDIR/tests/interpose/sites.sh"
n=${HS_TEST_RANKS:-4}

# trapped NAME VARIABLE...
trapped() {
    name=$1
    shift
    (export "$@" HS_REPORT="$work/report.json"; LD_PRELOAD=$PRELOAD run "$n" "$work/on" sh "$HS_TEST_SRCDIR/tests/interpose/play_host.sh" 4 \
        "$HERE/traps")
    compare "traps, $name" "$work/bare" "$work/on"
    [ -s "$work/report.json" ] || fail "traps, $name: no report: $(cat "$work/on.err")"
}
run "$n" "$work/bare" "$HERE/traps"
runs_bare traps || exit 1
trapped "a report" HS_SITES=1
trapped "measured hosts" HS_REORDER=world HS_PROBE_BUDGET=200ms
trapped "ranks ordered in a call" HS_REORDER=topology HS_PROBE_BUDGET=200ms
trapped "known hosts" HS_REORDER=topology HS_BIND=on HS_PLATFORM="$work/sites.xml" HS_METRICS="$work/run.prom" HS_TRACE="$work/trace"
exit $failed
