# SPDX-License-Identifier: BSD-3-Clause
# Jobs in which only some ranks have the library, or have other variables: all end, with the right data.
. "$HS_TEST_SRCDIR/tests/interpose/sites.sh"
n=4
export HS_PROBE_BUDGET=100ms

# Runs a command with variables on some ranks only: as RANKS VARIABLE=VALUE... -- COMMAND...
cat >"$work/as" <<'END'
ranks=$1
shift
case ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} in
$ranks) there=1 ;;
*) there= ;;
esac
while [ "$1" != -- ]; do
    [ "$there" ] && export "$1"
    shift
done
shift
exec "$@"
END

# right WHAT RANKS: each rank of the job found all in order
right() {
    status=$(cat "$work/out.status")
    [ "$status" = 0 ] && [ "$(grep -c right "$work/out")" = "$2" ] ||
        { cat "$work/out" "$work/out.err"; fail "$1: exit $status"; }
}

some() {
    what=$1 ranks=$2
    shift 2
    # $play is several words.
    # shellcheck disable=SC2086
    run $n "$work/out" $play sh "$work/as" "$ranks" "$@" -- "$program"
    right "$what" $n
}

for program in "$HERE/partly" "$HERE/partly_linked"; do
    name=$(basename "$program")
    some "$name: preloaded on rank 0" 0 "LD_PRELOAD=$PRELOAD"
    some "$name: preloaded on all but rank 0" '[123]' "LD_PRELOAD=$PRELOAD" "HS_PLATFORM=$work/sites.xml"
    for one in 0 2; do
        export LD_PRELOAD="$PRELOAD"
        some "$name: off on rank $one" $one HS_DISABLE=1
        some "$name: HS_REPORT on rank $one" $one "HS_REPORT=$work/report.json"
        [ -e "$work/report.json" ] && [ $one = 2 ] && fail "$name: a report that rank 0 did not ask for"
        [ -e "$work/report.json" ] || [ $one = 2 ] || fail "$name: rank 0 asked for a report"
        rm -f "$work/report.json"
        some "$name: HS_PLATFORM on rank $one" $one "HS_PLATFORM=$work/sites.xml"
        some "$name: HS_REORDER on rank $one" $one HS_REORDER=world "HS_PLATFORM=$work/sites.xml"
        HS_PARTITION=on HS_TIMEOUT=5s some "$name: HS_PARTITION, HS_PLATFORM on rank $one" $one "HS_PLATFORM=$work/sites.xml"
        grep "arrive" "$work/out.err" && fail "$name: ranks with and without HS_PLATFORM wait for each other"
        some "$name: HS_BIND and HS_WAIT on rank $one" $one HS_BIND=on HS_WAIT=sleep
        unset LD_PRELOAD
        some "$name: bare, HS_REPORT on rank $one" $one "HS_REPORT=$work/report.json"
        rm -f "$work/report.json"
        some "$name: bare, HS_PLATFORM on rank $one" $one "HS_PLATFORM=$work/sites.xml"
        some "$name: bare, HS_REORDER on rank $one" $one HS_REORDER=off
        some "$name: bare, off on rank $one" $one HS_DISABLE=1
        some "$name: bare, HS_WAIT on rank $one" $one HS_WAIT=sleep
    done
done

# hs run says that all have it, and a script starts one rank without. Slurm does not tell how many ranks are on a host.
if [ "$launcher" != srun ]; then
    program=$HERE/partly
    export HS_RANKS=$n
    some "HS_RANKS: preloaded on all but rank 0" '[123]' "LD_PRELOAD=$PRELOAD"
    LD_PRELOAD=$PRELOAD some "HS_RANKS: off on rank 2" 2 HS_DISABLE=1
    LD_PRELOAD=$PRELOAD some "HS_RANKS: preloaded on all" none HS_DISABLE=1
    grep -q "^heteroslice: $n ranks" "$work/out.err" || fail "HS_RANKS: no report of all ranks"
    unset HS_RANKS
fi

# Several programs: with the library preloaded, linked, and without it.
run 1 "$work/out" "$HERE/partly" : -n 2 "$HERE/partly_linked" : -n 1 env LD_PRELOAD="$PRELOAD" "$HERE/partly"
right "three programs" 4
grep -q "only 3 of 4 ranks are known to have the library: no report" "$work/out.err" || fail "three programs: no warning"
run 2 "$work/out" env HS_PLATFORM="$work/sites.xml" "$HERE/partly_linked" : -n 2 "$HERE/partly"
right "two programs" 4
grep -q heteroslice "$work/out.err" && fail "two programs: says something nobody asked for"

run 2 "$work/out" env LD_PRELOAD="$PRELOAD" "$HERE/partly" : -n 2 "$HERE/partly_linked"
right "preloaded and linked" 4
grep -q "no report" "$work/out.err" && fail "preloaded and linked: no report is announced"
grep -q "^heteroslice: 4 ranks" "$work/out.err" || fail "preloaded and linked: no report"

# A plain child. The children of Open MPI inherit what was exported: the parents are linked.
for platform in "" "$work/sites.xml"; do
    HS_PLATFORM=$platform run 3 "$work/out" $play "$HERE/partly_linked" spawn "$HERE/partly"
    right "a plain child, HS_PLATFORM=$platform" 3
done
exit $failed
