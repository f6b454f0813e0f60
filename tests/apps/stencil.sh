# SPDX-License-Identifier: BSD-3-Clause
# hs-stencil: the same bits for every rank count and mode, also while slices move; clear messages for bad input; and its
# source stays a short tutorial.
program="./hs-stencil --json"
. "$HS_TEST_SRCDIR/tests/apps/common.sh"
grid="--rows 60 --cols 50 --iterations 80"

for ranks in 1 2 3 4 7; do
    good grid "$ranks ranks, plain" "$("$LAUNCH" -n $ranks ./hs-stencil-plain $grid --json 2>&1)"
    for mode in off static on; do
        same grid $ranks $grid --balance $mode
    done
done

# Nor do boxes instead of slices, equal ones, planned ones, and with ranks that get none.
for ranks in 1 2 3 4 7; do
    for layout in grid columns; do
        for mode in off on; do
            same grid $ranks $grid --layout $layout --balance $mode
            case $out in *"\"layout\":\"$layout\""*) ;; *) fail "$ranks ranks, $layout, $mode: $out" ;; esac
        done
    done
done
same few 4 --rows 1 --cols 2 --iterations 3 --layout columns --balance off
same few 1 --rows 1 --cols 2 --iterations 3

# Without the library there are rows, and each rank has some.
for refused in "1 row, --layout rows" "9 rows, --layout grid"; do
    out=$("$LAUNCH" -n 2 ./hs-stencil-plain --rows ${refused%% *} --cols 5 ${refused#*, } --iterations 1 2>&1) &&
        fail "plain, $refused: exit 0"
    [ "$(echo "$out" | grep -c "^hs-stencil-plain: takes --layout rows and a row for each of 2 ranks, not $refused\$")" = 1 ] ||
        fail "plain, $refused: $out"
done

# More work a point changes no bit; more ranks than rows leave some idle.
same grid 3 $grid --intensity 9 --balance static
same idle 4 --rows 2 --cols 5 --iterations 3 --balance off
case $out in *'"rows":[1,1,0,0]'*) ;; *) fail "2 rows on 4 ranks: $out" ;; esac
same none 2 --rows 9 --cols 5 --iterations 0
out=$("$LAUNCH" -n 2 ./hs-stencil --rows 9 --cols 5 --iterations 1 --balance off)
case $out in *" s, 1 iteration, verified true, "*" 0 rebalances, "*) ;; *) fail "one iteration: $out" ;; esac

# A command given with --at is run once.
out=$(run 2 --rows 20 --cols 20 --iterations 30 --balance off --at "10:echo ran >>$work/mark")
for try in $(seq 600); do [ -s "$work/mark" ] && break; sleep 0.1; done
[ "$(cat "$work/mark" 2>/dev/null)" = ran ] || fail "--at did not run its command once"

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
out=$(run 2 --rows 1000000000 --cols 1000000000 --iterations 1)
case $out in *"rank 0: error: hs_layout_add_array: no memory for 500000000 units of 8000000016 bytes"*) ;; *) fail "no memory: $out" ;; esac
out=$("$LAUNCH" -n 2 ./hs-stencil-plain --rows 1000000000 --cols 1000000000 --iterations 1 2>&1)
case $out in *"hs-stencil-plain: no memory for 500000002 x 8000000016 bytes"*) ;; *) fail "no memory, plain: $out" ;; esac

# The balanced program differs from the plain one by at most a dozen lines of code, besides the call of boxes.c.
lines=$(diff "$HS_TEST_SRCDIR/apps/stencil/plain.c" "$HS_TEST_SRCDIR/apps/stencil/stencil.c" | grep '^>' |
    grep -vc '/\*\|jacobi_solve_boxes')
[ "$lines" -le 12 ] || fail "stencil.c has $lines lines that plain.c has not"
full --rows 8 --cols 8 --iterations 2
exit $failed
