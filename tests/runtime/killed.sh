# SPDX-License-Identifier: BSD-3-Clause
# A rank that is killed or stopped while hs_init() makes communicators, measures links or looks whether they are as they were, or before, during or after a
# move: the job ends, the others' data are right to the last, one line says that a rank is missing, and which one where the
# library has a communicator of its own, and the log of decisions can be read to its end.
[ -n "${MPIEXEC:-}" ] || { echo "skipped: no mpiexec was found"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# The log of decisions is there and right to its last line.
replays() {
    for log in "$own"/log*; do
        "$HS_TEST_BUILDDIR/hs" replay "$log" >"$own/replayed" 2>&1 || return
    done
}

# complaint MOMENT RANK
complaint() {
    case $1 in
    copying) echo "hs_init: not all ranks arrived within 4 s" ;;
    *) echo "rank .*$2.* did not arrive within 4 s" ;;
    esac
}

# fall SIGNAL VICTIM MOMENT: in a folder of its own; what is wrong is then in problem.VICTIM
fall() {
    own=$work/$2
    rm -rf "$own"
    mkdir "$own"
    TMPDIR=$own HS_CACHE=on HS_TIMEOUT=4s HS_PROBE_BUDGET=4s HS_LOG_DECISIONS=$own/log "$LAUNCH" -t 120 -n 4 \
        "$HS_TEST_BUILDDIR/tests/runtime/killed" "$@" >"$own/out" 2>&1
    status=$?
    problem=
    [ "$status" != 0 ] && [ "$status" != 124 ] || problem="exit $status"
    grep -q 'not so' "$own/out" && problem="data are wrong"
    rank=$(sed -n 's/^rank \(.*\) falls$/\1/p' "$own/out")
    [ "$rank" ] || problem="nobody fell"
    [ "$1" = KILL ] || grep -q "heteroslice: rank .: error: .*$(complaint "$3" "$rank")" "$own/out" ||
        problem="nobody says that rank $rank is missing"
    case $3 in
    before | during | after) replays || problem="the log of decisions: $(cat "$own/replayed")" ;;
    esac
    [ -z "$problem" ] || { echo "FAILED: $*: $problem"; cat "$own/out"; } >"$work/problem.$2"
}

# Two at a time: those that are left of a job mostly wait.
for signal in KILL STOP; do
    for moment in copying probing checking placed lending before during after; do
        fall "$signal" 0 "$moment" &
        fall "$signal" 2 "$moment"
        wait
        for victim in 0 2; do
            [ ! -e "$work/problem.$victim" ] || { cat "$work/problem.$victim"; rm "$work/problem.$victim"; failed=1; }
        done
    done
done
exit $failed
