# SPDX-License-Identifier: BSD-3-Clause
# hs-matmul: the same bits for every rank count, layout and mode, also while blocks move and for speeds 100:1; and clear
# messages for bad input.
program="./hs-matmul --json"
. "$HS_TEST_SRCDIR/tests/apps/common.sh"
export HS_PROBE_BUDGET=0.2s OPENBLAS_NUM_THREADS=1

for ranks in 1 2 3 4 5 6 7 13; do
    same all $ranks --blocks 14 --block-size 32 --layout equal --balance off
    same all $ranks --blocks 14 --block-size 32
    [ $ranks -gt 1 ] || continue
    same all $ranks --blocks 14 --block-size 32 --balance static --cut 1:100,1,7,3 --cut 4:1,2,3,4,5,6,7,6,5,4,3,2,1 \
        --cut 4:1,100,1 --cut 9:1
    case $out in *'"rebalances":0'* | *'"moved_blocks":0'*) fail "$ranks ranks: nothing moved: $out" ;; esac
done

# Other sizes of blocks are another order of addition: a sum of their own. Fewer blocks than ranks; one block.
for size in 1 5 64 100; do
    same "of$size" 1 --blocks 5 --block-size $size
    same "of$size" 3 --blocks 5 --block-size $size --cut 2:3,2,1
    same "of$size" 7 --blocks 5 --block-size $size --cut 2:0.01,1,1,1,1,1,1
done
same one 1 --blocks 1 --block-size 40
same one 4 --blocks 1 --block-size 40 --threads 2

# Rows that blocks do not divide: the same bits on all ranks; the rest of the last blocks is 0.
for ranks in 1 3 13; do
    same padded $ranks --rows 100 --block-size 32 --cut 1:5,1,1,3
done
same less 2 --rows 7 --block-size 40

# A command given with --at is run once.
out=$(run 2 --blocks 8 --block-size 8 --at "3:echo ran >>$work/mark")
for try in $(seq 600); do [ -s "$work/mark" ] && break; sleep 0.1; done
[ "$(cat "$work/mark" 2>/dev/null)" = ran ] || fail "--at did not run its command once: $out"

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
usage "unrecognized option" --iterations 3
usage "unrecognized option" --frobnicate

# More than the machine's memory: one line tells it, of the library's own.
out=$(run 2 --blocks 16384 --block-size 1024 --balance off)
case $out in *"no memory"*) ;; *) fail "no memory: $out" ;; esac
full --blocks 2 --block-size 8
exit $failed
