# SPDX-License-Identifier: BSD-3-Clause
# hs-matmul: the same bits for every rank count, layout and mode, also while blocks move and for speeds 100:1; and clear
# messages for bad input.
set -u
[ -n "${MPIEXEC:-}" ] || { echo "no mpiexec was found"; exit 77; }
[ -x ./hs-matmul ] || { echo "hs-matmul is not built: no BLAS"; exit 77; }
export HS_PROBE_BUDGET=0.2s OPENBLAS_NUM_THREADS=1
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 # with --enable-sanitize: MPI libraries leak
failed=0
fail() { echo "FAILED: $*"; failed=1; }
run() { # RANKS ARGUMENT...
    ranks=$1
    shift
    "$LAUNCH" -n "$ranks" ./hs-matmul "$@" --json 2>&1
}
same() { # WHAT OUTPUT: verified, and the checksum of all
    case $2 in *'"verified":true'*) ;; *) fail "$1: $2" ;; esac
    sum=$(printf '%s' "$2" | sed -n 's/.*"checksum":"\([0-9a-f]*\)".*/\1/p')
    : "${expected:=$sum}"
    [ -n "$sum" ] && [ "$sum" = "$expected" ] || fail "$1: checksum '$sum', not '$expected'"
}

expected=
for ranks in 1 2 3 4 5 6 7 13; do
    same "$ranks ranks, equal" "$(run $ranks --blocks 14 --block-size 32 --layout equal --balance off)"
    same "$ranks ranks" "$(run $ranks --blocks 14 --block-size 32)"
    [ $ranks -gt 1 ] || continue
    out=$(run $ranks --blocks 14 --block-size 32 --balance static --cut 1:100,1,7,3 --cut 4:1,2,3,4,5,6,7,6,5,4,3,2,1 \
        --cut 4:1,100,1 --cut 9:1)
    same "$ranks ranks, moving" "$out"
    case $out in *'"rebalances":0'* | *'"moved_blocks":0'*) fail "$ranks ranks: nothing moved: $out" ;; esac
done

# Other sizes of blocks are another order of addition: a sum of their own. Fewer blocks than ranks; one block.
for size in 1 5 64 100; do
    expected=
    same "blocks of $size, 1 rank" "$(run 1 --blocks 5 --block-size $size)"
    same "blocks of $size, 3 ranks" "$(run 3 --blocks 5 --block-size $size --cut 2:3,2,1)"
    same "blocks of $size, 7 ranks" "$(run 7 --blocks 5 --block-size $size --cut 2:0.01,1,1,1,1,1,1)"
done
expected=
same "1 block, 1 rank" "$(run 1 --blocks 1 --block-size 40)"
same "1 block, 4 ranks, 2 threads" "$(run 4 --blocks 1 --block-size 40 --threads 2)"

# Rows that blocks do not divide: the same bits on all ranks; the rest of the last blocks is 0.
expected=
for ranks in 1 3 13; do
    same "100 rows in blocks of 32, $ranks ranks" "$(run $ranks --rows 100 --block-size 32 --cut 1:5,1,1,3)"
done
expected=
same "7 rows in blocks of 40, 2 ranks" "$(run 2 --rows 7 --block-size 40)"

# A command given with --at is run once.
mark=$(mktemp -u)
out=$(run 2 --blocks 8 --block-size 8 --at "3:echo ran >>$mark")
for try in $(seq 600); do [ -s "$mark" ] && break; sleep 0.1; done
[ "$(cat "$mark" 2>/dev/null)" = ran ] || fail "--at did not run its command once: $out"
rm -f "$mark"

usage() { # TEXT ARGUMENT...
    text=$1
    shift
    out=$(./hs-matmul "$@" 2>&1)
    status=$?
    [ $status -eq 2 ] || fail "$*: exit $status, expected 2"
    case $out in *"$text"*) ;; *) fail "$*: '$text' is not in '$out'" ;; esac
}
usage "usage:"
usage "--blocks and --block-size are needed" --blocks 5
usage "unexpected argument '5'" --blocks 5 --block-size 5 5
usage "--blocks takes an integer from 1 to 16777216, not '0'" --blocks 0
usage "--blocks takes an integer from 1 to 16777216, not 'many'" --blocks many
usage "--block-size takes an integer from 1 to 1024, not '-3'" --block-size -3
usage "blocks times block size is more than 16777216" --blocks 16777216 --block-size 2
usage "--rows does not fit --blocks and --block-size" --rows 65 --blocks 2 --block-size 32
usage "--rows takes an integer from 1 to 16777216, not '0'" --rows 0
usage "--layout takes columns or equal, not 'square'" --layout square
usage "--balance takes off, static or on, not 'maybe'" --balance maybe
usage "--threads takes an integer from 1 to 1024, not '0'" --threads 0
usage "--at takes STEP:WHAT" --at now
usage "--cut takes positive speeds, separated by commas, not '1,nan'" --cut 3:1,nan
usage "--cut takes positive speeds, separated by commas, not '0'" --cut 3:0
usage "unrecognized option" --frobnicate

# More than the machine's memory: one line tells it, of the library's own.
out=$(run 2 --blocks 16384 --block-size 1024 --balance off)
case $out in *"no memory"*) ;; *) fail "no memory: $out" ;; esac
exit $failed
