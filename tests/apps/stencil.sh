# SPDX-License-Identifier: BSD-3-Clause
# hs-stencil: the same bits for every rank count and mode, also while slices move; clear messages for bad input; and its
# source stays a short tutorial.
set -u
[ -n "${MPIEXEC:-}" ] || { echo "no mpiexec was found"; exit 77; }
export HS_PROBE_BUDGET=0.3s
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 # with --enable-sanitize: MPI libraries leak
failed=0
fail() { echo "FAILED: $*"; failed=1; }
run() { # RANKS PROGRAM ARGUMENT...
    ranks=$1
    shift
    "$LAUNCH" -n "$ranks" "$@" 2>&1
}

expected=
for ranks in 1 2 3 4 7; do
    for mode in plain off static on; do
        case $mode in
        plain) out=$(run $ranks ./hs-stencil-plain --rows 60 --cols 50 --iterations 80 --json) ;;
        *) out=$(run $ranks ./hs-stencil --rows 60 --cols 50 --iterations 80 --json --balance $mode) ;;
        esac
        case $out in *'"verified":true'*) ;; *) fail "$ranks ranks, $mode: $out" ;; esac
        sum=$(printf '%s' "$out" | sed -n 's/.*"checksum":"\([0-9a-f]*\)".*/\1/p')
        : "${expected:=$sum}"
        [ -n "$sum" ] && [ "$sum" = "$expected" ] || fail "$ranks ranks, $mode: checksum '$sum', not '$expected'"
    done
done

# Nor do boxes instead of slices, equal ones, planned ones, and with ranks that get none.
for ranks in 1 2 3 4 7; do
    for layout in grid columns; do
        for mode in off on; do
            out=$(run $ranks ./hs-stencil --rows 60 --cols 50 --iterations 80 --json --layout $layout --balance $mode)
            case $out in
            *'"verified":true'*"\"checksum\":\"$expected\""*"\"layout\":\"$layout\""*) ;;
            *) fail "$ranks ranks, $layout, $mode: $out" ;;
            esac
        done
    done
done
out=$(run 4 ./hs-stencil --rows 1 --cols 2 --iterations 3 --json --layout columns --balance off)
case $out in *'"verified":true'*) ;; *) fail "2 points on 4 ranks: $out" ;; esac

# More work a point changes no bit; more ranks than rows leave some idle.
out=$(run 3 ./hs-stencil --rows 60 --cols 50 --iterations 80 --intensity 9 --json --balance static)
case $out in *"\"checksum\":\"$expected\""*) ;; *) fail "intensity 9: $out" ;; esac
out=$(run 4 ./hs-stencil --rows 2 --cols 5 --iterations 3 --json --balance off)
case $out in *'"verified":true'*'"rows":[1,1,0,0]'*) ;; *) fail "2 rows on 4 ranks: $out" ;; esac
out=$(run 2 ./hs-stencil --rows 9 --cols 5 --iterations 0 --json)
case $out in *'"verified":true'*) ;; *) fail "no iterations: $out" ;; esac

# A command given with --at is run once.
mark=$(mktemp -u)
out=$(run 2 ./hs-stencil --rows 20 --cols 20 --iterations 30 --json --balance off --at "10:echo ran >>$mark")
for try in $(seq 600); do [ -s "$mark" ] && break; sleep 0.1; done
[ "$(cat "$mark" 2>/dev/null)" = ran ] || fail "--at did not run its command once"
rm -f "$mark"

usage() { # TEXT ARGUMENT...
    text=$1
    shift
    out=$(./hs-stencil "$@" 2>&1)
    status=$?
    [ $status -eq 2 ] || fail "$*: exit $status, expected 2"
    case $out in *"$text"*) ;; *) fail "$*: '$text' is not in '$out'" ;; esac
}
usage "usage:"
usage "--rows, --cols and --iterations are needed" --rows 5 --cols 5
usage "unexpected argument '5'" --rows 5 --cols 5 --iterations 5 5
usage "--rows takes an integer from 1 to 1000000000, not '99999999999'" --rows 99999999999 --cols 5 --iterations 1
usage "--rows takes an integer from 1 to 1000000000, not '0'" --rows 0 --cols 5 --iterations 1
usage "--cols takes an integer from 1 to 1000000000, not 'wide'" --rows 5 --cols wide --iterations 1
usage "--iterations takes an integer from 0 to 1000000000, not '-1'" --rows 5 --cols 5 --iterations -1
usage "--balance takes off, static or on, not 'maybe'" --rows 5 --cols 5 --iterations 1 --balance maybe
usage "--layout takes rows, grid or columns, not 'rings'" --rows 5 --cols 5 --iterations 1 --layout rings
usage "--at takes STEP:WHAT" --rows 5 --cols 5 --iterations 1 --at now
usage "unrecognized option" --rows 5 --cols 5 --iterations 1 --frobnicate

# More than the machine's memory: one line tells it, of the library's own.
out=$(run 2 ./hs-stencil --rows 1000000000 --cols 1000000000 --iterations 1)
case $out in *"rank 0: error: hs_layout_add_array: no memory for 500000000 units of 8000000016 bytes"*) ;; *) fail "no memory: $out" ;; esac

# The balanced program differs from the plain one by at most a dozen lines of code, besides the call of boxes.c.
lines=$(diff "$HS_TEST_SRCDIR/apps/stencil/plain.c" "$HS_TEST_SRCDIR/apps/stencil/stencil.c" | grep '^>' |
    grep -vc '/\*\|jacobi_solve_boxes')
[ "$lines" -le 12 ] || fail "stencil.c has $lines lines that plain.c has not"
exit $failed
