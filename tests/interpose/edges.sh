# SPDX-License-Identifier: BSD-3-Clause
# Programs that use MPI in unusual ways, in C, C++ and Fortran by its three interfaces, and programs without MPI: preloading
# changes nothing. The C program is tried with each HS_REORDER and in every way; the others, which reach the same code by
# wrappers of their own, without those that differ only in the runtime.
. "$HS_TEST_SRCDIR/tests/interpose/sites.sh"
n=${HS_TEST_RANKS:-4}

# edge PROGRAM MODE...
edge() {
    again "$*" "$orders_tried" "$HERE/$1" "$2" "${3:-}"
    case $2 in
    kill | exit | leave) ;; # nobody may be left to tell of it
    *) at_least "$*" 1 ;;
    esac
}
for program in edges edges_cxx edges_include edges_module edges_2008; do
    [ -x "$HERE/$program" ] || continue
    case $program in
    edges) levels="0 1 2 3" orders_tried="off topology world" ;;
    *) levels=3 orders_tried="off world" ;;
    esac
    for level in $levels; do
        edge $program level $level
    done
    case $program in
    edges) edge $program outside; edge $program threads; edge $program farewell; edge $program kill; edge $program exit 4; edge $program leave 0 ;;
    edges_cxx) edge $program outside; edge $program threads; edge $program farewell ;;
    esac
    edge $program fork
    edge $program spawn
    edge $program abort 3
    edge $program fatal
done
LD_PRELOAD=$PRELOAD HS_LOG=error run 2 "$work/on" "$HERE/edges" outside
grep heteroslice "$work/on.err" && fail "edges: says something nobody asked for"

# By another thread than the one that has initialised MPI, whose stack was small: smaller ones are too small for other libraries.
[ "$launcher" = orte ] && stacks="64 256" || stacks=256
for stack in $stacks; do
    run "$n" "$work/bare" "$HERE/edges" small "$stack"
    runs_bare "edges small $stack" || continue
    LD_PRELOAD=$PRELOAD HS_LOG=warn run "$n" "$work/on" "$HERE/edges" small "$stack"
    compare "edges small $stack" "$work/bare" "$work/on"
    grep -q 'another thread than MPI_Init: no report' "$work/on.err" || fail "edges small $stack: $(cat "$work/on.err")"
done

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
