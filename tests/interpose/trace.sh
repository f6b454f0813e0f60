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
for n in 2 7; do
    trace $n "$HERE/watched" 20 marks
    check $n 20 "$within"
done

# Google's own reader finds whole messages to the end, and each name once a rank.
if command -v protoc >/dev/null; then
    protoc --decode_raw <"$trace" >"$work/raw" || fail "protoc cannot read the timeline"
    for name in MPI_Irecv MPI_Send MPI_Wait MPI_Allreduce 'phase 16' 'phase 17'; do
        [ "$(grep -c "^      2: \"$name\"\$" "$work/raw")" = $n ] || fail "'$name' is not there once a rank"
        [ "$(grep -c "\"$name\"" "$work/raw")" = $n ] || fail "'$name' is written again"
    done
else
    echo "no protoc: the timeline is read by this test alone"
fi

# Of more than ten ranks the tracks are in order, too.
trace 11 "$HERE/watched" 2
check 11 names

# A rank keeps so many events: of more the shortest are left out, and that is told.
trace 1 "$HERE/watched" 90000
grep -a -q 'rank 0 on .* ([0-9]* short events left out)' "$trace" || fail "the track does not tell what is left out"
grep -q '^heteroslice: warn: HS_TRACE: [0-9]* short events are left out' "$work/out.err" || fail "left out: $(cat "$work/out.err")"

# Layouts that are balanced: rank 0 has their decisions.
trace 3 ./hs-stencil --rows 90 --cols 2000 --iterations 1000
check 3 decisions

# Spawned worlds have timelines of their own.
if [ "$launcher" = orte ]; then
    LD_PRELOAD=$PRELOAD HS_TRACE=$work/worlds run 2 "$work/out" "$HERE/edges" spawn
    [ "$(ls "$work/worlds" | grep -c '^edges-.*-[0-9]*\.pftrace$')" = 2 ] || fail "a program that spawns: $(ls "$work/worlds")"
    for trace in "$work"/worlds/*; do
        check 2 names
    done
fi

# Who is killed, or forks, leaves no part of a timeline.
LD_PRELOAD=$PRELOAD HS_TRACE=$work/killed run 2 "$work/out" "$HERE/edges" kill
[ -z "$(ls "$work/killed")" ] || fail "a rank was killed, and there is $(ls "$work/killed")"
LD_PRELOAD=$PRELOAD HS_TRACE=$work/forked run 2 "$work/out" "$HERE/edges" fork
[ "$(ls "$work/forked" | wc -l)" = 1 ] || fail "after a fork there is $(ls "$work/forked")"

# bad FOLDER WHY: that there can be no file is told in MPI_Init, once, and changes nothing else.
bad() {
    LD_PRELOAD=$PRELOAD HS_TRACE=$1 run 2 "$work/out" "$HERE/watched" 3
    [ "$(cat "$work/out.status")" = 0 ] || fail "a bad HS_TRACE changes the exit status"
    [ "$(grep -c HS_TRACE "$work/out.err")" = 1 ] && grep -q "^heteroslice: error: HS_TRACE: $2: no trace\$" "$work/out.err" ||
        fail "a bad HS_TRACE is not told once: $(cat "$work/out.err")"
}
: >"$work/file"
bad "$work/none/deep" "cannot make $work/none/deep: No such file or directory"
bad "$work/file" "cannot write $work/file/watched-.*\.pftrace: Not a directory"
bad - "takes a folder, not standard output"
[ ! -e - ] || fail "a folder is named -"
[ ! -s "$work/file" ] || fail "a file was taken for a folder"
exit $failed
