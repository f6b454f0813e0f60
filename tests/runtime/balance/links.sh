# SPDX-License-Identifier: BSD-3-Clause
# A link that becomes slow is measured again and named, once, in the log, for the report and in the log of decisions, which comes to
# the same decisions when it is replayed; what no link explains is not named; without memory, or without a rank, nobody hangs.
[ -n "${MPIEXEC:-}" ] || { echo "skipped: no mpiexec was found"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    cat "$work/out"
    failed=1
}

# HOW STATUS [COMMAND...]: by a command that starts what follows it
run() {
    how=$1 expected=$2
    shift 2
    find "$work" -type f -delete
    HS_LOG=info HS_TIMEOUT=${timeout:-120s} HS_LOG_DECISIONS=$work/log "$LAUNCH" -n 6 "$@" \
        "$HS_TEST_BUILDDIR/tests/runtime/balance/links" "$how" >"$work/out" 2>&1
    status=$?
    [ "$expected" = any ] || [ $status = "$expected" ] || fail "$how: exit $status"
}

# PATTERN N: so many lines of the output.
lines() {
    [ "$(grep -c "$1" "$work/out")" = "$2" ] || fail "not $2 lines '$1'"
}

# Whichever rank of MPI_COMM_WORLD is the first of the ring writes the log.
replays() {
    "$HS_TEST_BUILDDIR/hs" replay "$work"/log* >"$work/replayed" 2>&1 || fail "replay: $(cat "$work/replayed")"
}

run slow 0
lines 'messages take .* s of a step since iteration 4[0-9], .* before, and no host is slower' 1
lines 'link trunk, both ways, carries 93[0-9.]* kBps since iteration 4[0-9], 7.5 MBps before' 1
replays
log=$(echo "$work"/log*)
[ "$(grep -c '"event":"memberships"' "$log")" = 1 ] || fail "the log of decisions has not the memberships"

run host 0
lines 'link la1, both ways, of host a1 carries 3.1[0-9.]* MBps since iteration 4[0-9], 25 MBps before' 1
replays

run vain 0
lines 'messages take .* and no host is slower' 1
lines 'no link explains' 1
lines 'carries' 0
replays

# A log that cannot be written, by the name that this rank gives it.
ln -sf /dev/full "$log"
run vain 0
lines "HS_LOG_DECISIONS: $log: No space left on device" 1
if command -v python3 >/dev/null; then # a pipe that nobody reads
    ln -sf /dev/fd/9 "$log"
    run vain 0 python3 -c 'import os, signal, sys
reader, writer = os.pipe()
os.dup2(writer, 9)
os.close(reader)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])'
    lines "HS_LOG_DECISIONS: $log: Broken pipe" 1
fi
rm -f "$log"

run memory 0

timeout=3s run fail any
lines 'not so' 0
lines 'gives up: hs_balance (measuring): .*MPI' 1
for way in kill stop; do
    timeout=3s run $way any
    [ $status != 0 ] && [ $status != 124 ] || fail "$way: exit $status"
    lines 'not so' 0
done
lines 'error: .*rank 1 did not arrive within 3 s' 1
exit $failed
