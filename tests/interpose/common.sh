# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of preloading. Programs are started bare and preloaded; output and exit status must be equal.
set -u
HERE=${HS_TEST_PROGRAMS:-$HS_TEST_BUILDDIR/tests/interpose}
PRELOAD=${HS_TEST_PRELOAD:-$HS_TEST_BUILDDIR/.libs/libheteroslice-preload.so}
export OMPI_MCA_topo=basic # the other component, treematch of Open MPI 4.1, now and then hangs in MPI_Dist_graph_create
. "$HS_TEST_SRCDIR/tests/work.sh"
trap 'exit 1' HUP INT TERM

skip() {
    echo "skipped: $*"
    exit 77
}

[ -n "${MPIEXEC:-}" ] || skip "no mpiexec was found"
[ -e "$PRELOAD" ] || skip "$PRELOAD is not there"
PRELOAD="$PRELOAD${HS_TEST_SANITIZER:+ $HS_TEST_SANITIZER}"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:leak_check_at_exit=0" # tests/mpi.h looks before
launcher=$("$LAUNCH" --which) || exit 1 # orte, prrte, hydra, srun
# Every run checks a report: by the interpreter itself, since a wrapper of python3 may take longer than the check.
interpreter=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -n "$interpreter" ]; then
    python3() { "$interpreter" "$@"; }
fi

# run RANKS OUT COMMAND...: standard output to OUT, errors to OUT.err, the exit status to OUT.status. What is preloaded writes
# a report, and every report is checked. Commands that are no part of the program do without LD_PRELOAD: to load Debian 13's MPI
# libraries takes a sixth of a second.
run() {
    ranks=$1 out=$2 report=${HS_REPORT:-$work/every.json} preload=${LD_PRELOAD:-}
    shift 2
    LD_PRELOAD='' rm -f "$report"
    case $preload:$1:${2:-} in
    :*) "$LAUNCH" -n "$ranks" "$@" ;;
    *:sh:*/play_host.sh) LD_PRELOAD='' PLAY_PRELOAD=$preload HS_REPORT=$report "$LAUNCH" -n "$ranks" "$@" ;;
    *) LD_PRELOAD='' HS_REPORT=$report "$LAUNCH" --preload "$preload" -n "$ranks" "$@" ;;
    esac >"$out" 2>"$out.err" </dev/null
    echo $? >"$out.status"
    [ ! -e "$report" ] || [ -z "$interpreter" ] ||
        LD_PRELOAD='' "$interpreter" -S "$HS_TEST_SRCDIR/tests/interpose/check_report.py" "$report" || fail "the report of $*"
}

# runs_bare WHAT
runs_bare() {
    status=$(cat "$work/bare.status")
    [ "$status" = 0 ] && return
    cat "$work/bare.err"
    tally "$1" failed
    fail "$1: does not run bare: exit $status"
    return 1
}

# What was said, whoever of the ranks was first; the numbers of calls differ from run to run in loops of tests, and so
# do the process numbers that a launcher tells. Open MPI 5's launcher adds a byte 0 now and then when a rank aborts.
said() {
    tr -d '\000' <"$1" | grep -v -e ' calls$' -e ' PID ' | sort
}

# Where HS_TEST_TALLY names a file, every comparison is noted there, for tests/distro/matrix: LAUNCHER|WHAT|OUTCOME[|REASON]
tally() {
    [ -z "${HS_TEST_TALLY:-}" ] || echo "$launcher|$1|$2${3:+|$3}" >>"$HS_TEST_TALLY"
}

# same_end WHAT BARE OTHER. Exit status 2: neither runs. MPICH's launcher kills the ranks that are left when one ends without
# MPI_Finalize, and tells of whichever end it sees first, after an exit or a kill even of none (0 in MPICH 4.2, bare, too: after one
# kill of sixty): there it counts that all ends, and that other failures stay failures.
same_end() {
    status=$(cat "$3.status")
    case $launcher:$1 in
    hydra:*" fatal"*) [ "$status" != 0 ] && [ "$status" != 124 ] && return ;;
    hydra:*" spawn"*) # fails bare in Debian's MPICH 4.2
        grep -q children "$2" || { [ "$status" != 124 ] && return 2; }
        ;;
    hydra:*" kill"* | hydra:*" exit "* | hydra:*" leave "*) [ "$status" != 124 ] && return ;;
    esac
    [ "$(cat "$2.status")" = "$status" ] || { echo "$1: exit $status, bare $(cat "$2.status")"; return 1; }
    said "$2" >"$work/left"
    said "$3" >"$work/right"
    diff "$work/left" "$work/right" || { echo "$1: says something else than bare"; return 1; }
}

# compare WHAT BARE OTHER
compare() {
    same_end "$@"
    case $? in
    0) tally "$1" passed ;;
    2) tally "$1" skipped "fails bare, too" ;;
    *)
        tally "$1" failed
        fail "$1"
        ;;
    esac
}

# The numbers of calls a program says it made (lines "rank R ...: N calls") are those the library saw.
count_hits() {
    sed -n 's/.* \([0-9]*\) calls$/\1/p' "$2" | sort >"$work/made"
    sed -n 's/^heteroslice: rank [0-9]*: debug: \([0-9]*\) MPI calls.*/\1/p' "$2.err" | sort >"$work/seen"
    [ -s "$work/made" ] || fail "$1: the program did not say how many calls it made"
    diff "$work/made" "$work/seen" || fail "$1: calls made (left) are not the calls seen (right)"
}

# same RANKS COMMAND...: bare, preloaded, forwarding to the next tool, switched off. HS_TEST_MODES may name fewer.
same() {
    n=$1
    shift
    name=$(basename "$1")
    run "$n" "$work/bare" "$@"
    runs_bare "$name" || return
    for mode in ${HS_TEST_MODES:-pmpi next off}; do
        case $mode in
        off) LD_PRELOAD=$PRELOAD HS_DISABLE=1 HS_LOG=debug run "$n" "$work/$mode" "$@" ;;
        *) LD_PRELOAD=$PRELOAD HS_FORWARD=$mode HS_LOG=debug run "$n" "$work/$mode" "$@" ;;
        esac
        compare "$name, $mode" "$work/bare" "$work/$mode"
        case $mode in
        off) grep heteroslice "$work/$mode.err" && fail "$name: says something when it is switched off" ;;
        *) count_hits "$name, $mode" "$work/$mode" ;;
        esac
    done
}
