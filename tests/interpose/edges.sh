# SPDX-License-Identifier: BSD-3-Clause
# Programs at the edges of MPI, and programs without MPI: preloading changes nothing.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"

edge() {
    run 2 "$work/bare" "$HERE/edges" "$@"
    LD_PRELOAD=$PRELOAD HS_LOG=error run 2 "$work/on" "$HERE/edges" "$@"
    compare "edges $*" "$work/bare" "$work/on"
    grep heteroslice "$work/on.err" && fail "edges $*: says something nobody asked for"
}
edge outside
for level in 0 1 2 3; do
    edge level $level
done
edge threads
edge fork
edge spawn
edge abort 3
edge kill
edge exit 4
edge fatal
edge leave 0

# Without MPI nothing is read, printed or started.
untouched() {
    "$@" >"$work/bare" 2>&1
    expected=$?
    HS_FORWARD=nonsense HS_LOG=debug LD_PRELOAD=$PRELOAD "$@" >"$work/on" 2>&1
    [ $? -eq $expected ] || fail "$*: another exit status"
    cmp "$work/bare" "$work/on" || fail "$*: says something else"
}
untouched sh -c 'echo hello; test -d /proc/$$/task && ls /proc/$$/task | wc -l; exit 3'
untouched env LD_BIND_NOW=1 sh -c 'echo hello | cat; exit 4'
exit $failed
