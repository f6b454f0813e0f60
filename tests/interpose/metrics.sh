# SPDX-License-Identifier: BSD-3-Clause
# The file of HS_METRICS, read while a program runs.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
[ -n "$interpreter" ] || skip "no python3"

# Run it and read the file all the while: each reading must be whole and conform, and no value falls.
# watch RANKS ITERATIONS READINGS
watch() {
    rm -f "$work/run.prom"
    LD_PRELOAD=$PRELOAD HS_LOG=error HS_METRICS=$work/%h.prom HS_LAB_HOST=run "$interpreter" -S \
        "$HS_TEST_SRCDIR/tests/interpose/read_metrics.py" "$work/run.prom" "$@" "$LAUNCH" -n "$1" "$HERE/watched" "$2" slow ||
        fail "$1 ranks: metrics"
    [ "$(ls "$work" | grep -c prom)" = 0 ] || fail "$1 ranks: left behind: $(ls "$work")"
}
for n in 1 2 4 7; do
    watch $n 3 1
done
watch 3 30 2

# A path that cannot be written is told in MPI_Init, once, however often it is tried again, and changes nothing else.
unwritable() {
    LD_PRELOAD=$PRELOAD HS_METRICS=$1 run 2 "$work/out" "$HERE/watched" 15 slow
    [ "$(cat "$work/out.status")" = 0 ] || fail "HS_METRICS=$1 changes the exit status"
    [ "$(grep -c "^heteroslice: error: HS_METRICS: $2" "$work/out.err")" = 1 ] ||
        fail "HS_METRICS=$1 is not told once: $(cat "$work/out.err")"
}
unwritable "$work/none/run.prom" 'cannot write'
unwritable - 'takes a file'
mkfifo "$work/pipe"
unwritable "$work/pipe" 'takes a file, not a pipe'

# A device is written to and stays.
written() {
    LD_PRELOAD=$PRELOAD HS_LOG=error HS_METRICS=$1 run 2 "$work/out" "$HERE/watched" 3
    [ "$(cat "$work/out.status")" = 0 ] && [ ! -s "$work/out.err" ] || fail "HS_METRICS=$1: $(cat "$work/out.err")"
}
written /dev/null
[ -c /dev/null ] || fail "/dev/null is removed"

# A link is written through and stays; what it leads to is removed.
ln -s run.prom "$work/link.prom"
written "$work/link.prom"
[ -L "$work/link.prom" ] && [ ! -e "$work/run.prom" ] || fail "HS_METRICS is a link: $(ls -l "$work")"

# A spawned world has no metrics, and leaves those of the first.
if [ -x "$HERE/edges" ] && [ "$launcher" = orte ]; then
    unset HS_LAB_HOST
    LD_PRELOAD=$PRELOAD HS_LOG=error HS_METRICS=$work/spawn.prom run 2 "$work/out" "$HERE/edges" spawn
    [ "$(cat "$work/out.status")" = 0 ] && [ ! -e "$work/spawn.prom" ] || fail "a program that spawns: $(cat "$work/out.err")"
fi
# Where /dev/shm is full, neither is there anything that ranks share, nor does one wait for another. MPICH cannot start there.
cat >"$work/full" <<'END'
#!/bin/sh
mount -t tmpfs -o size=4k none /dev/shm && echo full >/dev/shm/full && exec "$@"
END
chmod +x "$work/full"
if [ "$launcher" != hydra ] && unshare -m "$work/full" true 2>/dev/null; then
    printf '#!/bin/sh\nexec unshare -m "%s" "%s" "$@"\n' "$work/full" "$LAUNCH" >"$work/launch"
    chmod +x "$work/launch"
    LAUNCH=$work/launch LD_PRELOAD=$PRELOAD HS_METRICS=$work/run.prom HS_BIND=on run 3 "$work/out" "$HERE/watched" 3
    [ "$(cat "$work/out.status")" = 0 ] || fail "a full /dev/shm: exit $(cat "$work/out.status"): $(cat "$work/out.err")"
    [ "$(grep -c '^heteroslice: error: HS_METRICS: .* no common memory' "$work/out.err")" = 1 ] ||
        fail "a full /dev/shm is not told once: $(cat "$work/out.err")"
fi
exit $failed
