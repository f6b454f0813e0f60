# SPDX-License-Identifier: BSD-3-Clause
# Reordered ranks, on two sites of two hosts each: output and exit status are those of the bare program. HS_REORDER=off is left
# out with calls and their Fortran, which same.sh runs so.
. "$HS_TEST_SRCDIR/tests/interpose/sites.sh"
again ordered "off world topology" "$HERE/ordered"
at_least ordered 5
# Of a ring by MPI_Graph_create all edges cross the link between the sites, and two of eight must.
[ "$n" != 8 ] || grep -q '8 ranks in another order: the busiest link carries 0.25 of what it did' "$work/topology.err" ||
    { cat "$work/topology.err"; fail "ordered: a ring's edges still cross the link between the sites"; }
[ "$n" != 8 ] || grep -q 'HS_REORDER: links in use whose bandwidth is only a lower bound: 1 (first: wide)' "$work/topology.err" ||
    { cat "$work/topology.err"; fail "ordered: a bandwidth that is only a lower bound is not told"; }
again ordered "topology off" "$HERE/ordered"
[ "$orders" = 0 ] || fail "ordered: another order with HS_REORDER=off"
# Nothing, with a rank on each host.
told=$(grep -c 'with HS_REORDER=topology the busiest link would carry [1-9][0-9]* % less' "$work/off.err")
[ "$told" = 1 ] || [ "$n" -lt 8 ] || { cat "$work/off.err"; fail "what HS_REORDER=topology would bring is told $told times"; }
for kind in include module 2008; do
    [ -x "$HERE/ordered_$kind" ] || continue
    again "ordered_$kind" "off world topology" "$HERE/ordered_$kind"
    at_least "ordered_$kind" 3
done

# The ranks of MPI_COMM_WORLD are others, and nobody can tell.
CALLS_FILE=$work/file
export CALLS_FILE
again world "off topology world" "$HERE/world" "$work/file"
at_least world 1
again calls "topology world" "$HERE/calls" files
at_least calls 1
count_hits "calls, world" "$work/world"
if [ -x "$HERE/calls_cxx" ]; then
    again calls_cxx "topology world" "$HERE/calls_cxx" files
    at_least calls_cxx 1
    count_hits "calls_cxx, world" "$work/world"
fi
for kind in include module 2008; do
    [ -x "$HERE/fortran_$kind" ] || continue
    again "fortran_$kind" "topology world" "$HERE/fortran_$kind"
    at_least "fortran_$kind" 1
    count_hits "fortran_$kind, world" "$work/world"
done
# Who talks to whom, from an earlier run.
# shellcheck disable=SC2086
LD_PRELOAD=$PRELOAD HS_REPORT=$work/report.json run "$n" "$work/first" $play "$HERE/watched" 5
export HS_TRAFFIC="$work/report.json"
again watched world "$HERE/watched" 5
at_least watched 1
# shellcheck disable=SC2086
LD_PRELOAD=$PRELOAD HS_PLATFORM=$work/sites.xml HS_REORDER=world run 3 "$work/other" $play "$HERE/watched" 5
grep -q "HS_TRAFFIC: .*tells of $n ranks, here are 3" "$work/other.err" || fail "a report of other ranks is not told"
# Files that are not there have no lines.
# shellcheck disable=SC2086
LD_PRELOAD=$PRELOAD HS_PLATFORM=$work/sites.xml HS_REORDER=world HS_TRAFFIC=$work/nowhere run 3 "$work/other" $play "$HERE/ordered"
grep -q "HS_TRAFFIC: unable to open $work/nowhere: No such file or directory; neighbours" "$work/other.err" ||
    { cat "$work/other.err"; fail "a report that is not there"; }
unset HS_TRAFFIC
# shellcheck disable=SC2086
LD_PRELOAD=$PRELOAD HS_PLATFORM=$work/nowhere HS_REORDER=world run 3 "$work/other" $play "$HERE/ordered"
[ "$(grep -c "warn: HS_PLATFORM: $work/nowhere: .*No such file or directory; doing without" "$work/other.err")" = 1 ] ||
    { cat "$work/other.err"; fail "a platform that is not there is not told once"; }

echo '<platform version="4.1"><zone' >"$work/broken.xml"
# shellcheck disable=SC2086
LD_PRELOAD=$PRELOAD HS_PLATFORM=$work/broken.xml HS_REORDER=topology run 3 "$work/other" $play "$HERE/ordered"
[ "$(grep -c "warn: HS_PLATFORM: $work/broken.xml:[12]: .*; doing without" "$work/other.err")" = 1 ] ||
    { cat "$work/other.err"; fail "a platform that is broken"; }
LD_PRELOAD=$PRELOAD HS_PLATFORM=$work/broken.xml run 3 "$work/other" "$HERE/ordered"
[ "$(grep -c "warn: HS_PLATFORM: $work/broken.xml:[12]: .*; doing without" "$work/other.err")" = 1 ] ||
    { cat "$work/other.err"; fail "a platform that is broken is not told where nothing reads it"; }

# Calls without a wrapper would reach other ranks: with one of them anywhere the world stays in order.
for start in "-n $n" "-n 1 $play $HERE/barriers : -n $((n - 1))"; do
    # shellcheck disable=SC2086
    LD_PRELOAD=$PRELOAD HS_PLATFORM=$work/sites.xml HS_REORDER=world "$LAUNCH" $start $play "$HERE/direct" >"$work/direct" 2>"$work/direct.err" </dev/null ||
        fail "direct, $start: exit $?"
    case $start in *barriers*) which="a function of MPI on another rank" ;; *) which="PMPI_[A-Z][a-z_]*" ;; esac
    [ "$(grep -c "HS_REORDER=world: the program calls $which, which is not wrapped: HS_REORDER=topology is used" "$work/direct.err")" = 1 ] ||
        { cat "$work/direct.err"; fail "direct, $start: calls without a wrapper are not told"; }
    grep 'in another order' "$work/direct.err" && fail "direct, $start: the world is in another order"
done
# A Fortran function that is nowhere ends the program with its name.
LD_PRELOAD=$PRELOAD run 1 "$work/direct" "$HERE/direct" fortran
[ "$(cat "$work/direct.status")" != 0 ] &&
    [ "$(grep -c "heteroslice: error: the program calls mpi_comm_size, which no loaded MPI library has" "$work/direct.err")" = 1 ] ||
    { cat "$work/direct" "$work/direct.err"; fail "direct fortran: a missing function is not told"; }

# Without a file the hosts are measured, once, and the program says the same.
# shellcheck disable=SC2086
run 4 "$work/bare" $play "$HERE/ordered"
# shellcheck disable=SC2086
LD_PRELOAD=$PRELOAD HS_PLATFORM= HS_REORDER=topology HS_PROBE_BUDGET=0.1 HS_LOG=info run 4 "$work/measured" $play "$HERE/ordered"
compare "ordered, measured" "$work/bare" "$work/measured"
grep -q "4 ranks \(in another order\|stay in their order\): the busiest link carries" "$work/measured.err" ||
    { cat "$work/measured.err"; fail "without a platform file nothing is measured"; }

# A value that there is not: one line, and the default.
# shellcheck disable=SC2086
LD_PRELOAD=$PRELOAD HS_REORDER=wrold HS_LOG=warn run 3 "$work/typo" $play "$HERE/ordered"
[ "$(grep -c "HS_REORDER='wrold' is not off|topology|world; using off" "$work/typo.err")" = 1 ] ||
    { cat "$work/typo.err"; fail "a value that there is not"; }
exit $failed
