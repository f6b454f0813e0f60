# SPDX-License-Identifier: BSD-3-Clause
# Ranks in another order, on two sites of two hosts each: programs say and return what they do bare.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
n=${HS_TEST_RANKS:-8} # an even number
play="sh $HS_TEST_SRCDIR/tests/interpose/play_host.sh 4"
cat >"$work/sites.xml" <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Floyd">
    <host id="h0" speed="1Gf"/> <host id="h2" speed="1Gf"/>
    <host id="h1" speed="1Gf"/> <host id="h3" speed="1Gf"/>
    <router id="left"/> <router id="right"/>
    <link id="l0" bandwidth="100MBps" latency="0"/> <link id="l1" bandwidth="100MBps" latency="0"/>
    <link id="l2" bandwidth="100MBps" latency="0"/> <link id="l3" bandwidth="100MBps" latency="0"/>
    <link id="wide" bandwidth="5MBps" latency="0"/>
    <route src="h0" dst="left"><link_ctn id="l0"/></route>
    <route src="h2" dst="left"><link_ctn id="l2"/></route>
    <route src="h1" dst="right"><link_ctn id="l1"/></route>
    <route src="h3" dst="right"><link_ctn id="l3"/></route>
    <route src="left" dst="right"><link_ctn id="wide"/></route>
  </zone>
</platform>
XML

# again NAME VALUES COMMAND...: bare, then preloaded with each of the VALUES of HS_REORDER; `orders` is then how often
# ranks got another order with the last one
again() {
    name=$1 values=$2
    shift 2
    # $play and $values are several words.
    # shellcheck disable=SC2086
    run "$n" "$work/bare" $play "$@"
    case $name in
    edges*) ;;
    *) runs_bare "$name" || return ;;
    esac
    for value in $values; do
        LD_PRELOAD=$PRELOAD HS_PLATFORM=$work/sites.xml HS_REORDER=$value HS_LOG=debug \
            run "$n" "$work/$value" $play "$@"
        compare "$name, HS_REORDER=$value" "$work/bare" "$work/$value"
        grep 'heteroslice: warn' "$work/$value.err" && fail "$name: warns with HS_REORDER=$value"
    done
    orders=$(grep -c 'in another order' "$work/$value.err")
}

# at_least WHAT WANTED
at_least() {
    [ "$orders" -ge "$2" ] || { cat "$work/$value.err"; fail "$1: $orders other orders with HS_REORDER=$value"; }
}

again ordered "off world topology" "$HERE/ordered"
at_least ordered 5
again ordered "topology off" "$HERE/ordered"
[ "$orders" = 0 ] || fail "ordered: another order with HS_REORDER=off"
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
again calls "off topology world" "$HERE/calls" files
at_least calls 1
count_hits "calls, world" "$work/world"
for kind in include module 2008; do
    [ -x "$HERE/fortran_$kind" ] || continue
    again "fortran_$kind" "off topology world" "$HERE/fortran_$kind"
    at_least "fortran_$kind" 1
    count_hits "fortran_$kind, world" "$work/world"
done
for mode in outside "level 3" threads fork spawn "abort 3" fatal; do
    # shellcheck disable=SC2086
    again "edges $mode" "off world" "$HERE/edges" $mode
    at_least "edges $mode" 1
done
for mode in kill "exit 4" "leave 0"; do
    # shellcheck disable=SC2086
    again "edges $mode" "off world" "$HERE/edges" $mode
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
unset HS_TRAFFIC

# A value that there is not: one line, and the default.
# shellcheck disable=SC2086
LD_PRELOAD=$PRELOAD HS_REORDER=wrold HS_LOG=warn run 3 "$work/typo" $play "$HERE/ordered"
[ "$(grep -c "HS_REORDER='wrold' is not off|topology|world; using topology" "$work/typo.err")" = 1 ] ||
    { cat "$work/typo.err"; fail "a value that there is not"; }
exit $failed
