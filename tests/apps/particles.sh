# SPDX-License-Identifier: BSD-3-Clause
# hs-particles: the same bits for every rank count, mode and weights, also while cells move; clear messages for bad input.
program="./hs-particles --json"
. "$HS_TEST_SRCDIR/tests/apps/common.sh"

for ranks in 1 2 3 4 7 9; do
    for mode in off static on; do
        same line $ranks --cells 70 --particles 3000 --iterations 60 --balance $mode
    done
    same line $ranks --cells 70 --particles 3000 --iterations 60 --weights off --declare 1 --intensity 7
    same line $ranks --cells 70 --particles 3000 --iterations 60 --weights learned --intensity 20
done

# Without a library's help slices have equal cells, or equal particles at the start.
out=$(run 3 --cells 90 --particles 900 --iterations 1 --balance off --weights off)
case $out in *'"cells":[30,30,30]'*) ;; *) fail "equal cells: $out" ;; esac

# More ranks than cells, no particle, no iteration, all around the line and back.
same few 5 --cells 3 --particles 50 --iterations 20
same few 1 --cells 3 --particles 50 --iterations 20
same none 4 --cells 9 --particles 0 --iterations 5
same still 3 --cells 40 --particles 500 --iterations 0
same still 2 --cells 40 --particles 500 --iterations 0

# A file that says that one of two hosts is eight times faster starts with slices that are wrong, and the library corrects
# them, unless the machine is busy; the answer is right all the same.
printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="fast" speed="8Gf"/><host id="slow" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="0s"/><route src="fast" dst="slow"><link_ctn id="l"/></route></zone></platform>\n' >"$work/platform.xml"
for weights in on learned; do
words="./hs-particles --json --cells 200 --particles 20000 --intensity 30 --iterations 150 --weights $weights"
# shellcheck disable=SC2086
out=$(HS_PLATFORM=$work/platform.xml "$LAUNCH" -n 1 env HS_LAB_HOST=fast $words : -n 1 env HS_LAB_HOST=slow $words 2>&1)
case $out in
*'"verified":true'*'"rebalances":0'*) echo "nothing moved on this machine: $out" ;;
*'"verified":true'*'"moved_bytes":0'*) fail "cells without bytes: $out" ;;
*'"verified":true'*) ;;
*) fail "cells that move: $out" ;;
esac
done

usage "--cells, --particles and --iterations are needed" --cells 5
usage "unexpected argument '5'" --cells 5 --particles 5 --iterations 5 5
usage "--cells takes an integer from 3 to 1000000000, not '2'" --cells 2
usage "--particles takes an integer from 0 to 50000000, not '-1'" --particles -1
usage "--declare takes an integer from 1 to 1000000000, not '0'" --declare 0
usage "--weights takes off, on or learned, not 'some'" --weights some
full --cells 8 --particles 80 --iterations 2
exit $failed
