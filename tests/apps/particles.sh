# SPDX-License-Identifier: BSD-3-Clause
# hs-particles: the same bits for every rank count, mode and weights, also while cells move; clear messages for bad input.
set -u
[ -n "${MPIEXEC:-}" ] || { echo "no mpiexec was found"; exit 77; }
export HS_PROBE_BUDGET=0.3s
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 # with --enable-sanitize: MPI libraries leak
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
run() { # RANKS ARGUMENT...
    ranks=$1
    shift
    "$LAUNCH" -n "$ranks" ./hs-particles --json "$@" 2>&1
}
same() { # EXPECTED-NAME RANKS ARGUMENT...: verified, and the checksum of all calls with that name
    name=$1
    shift
    out=$(run "$@")
    case $out in *'"verified":true'*) ;; *) fail "$*: $out" ;; esac
    sum=$(printf '%s' "$out" | sed -n 's/.*"checksum":"\([0-9a-f]*\)".*/\1/p')
    [ -s "$work/$name" ] || printf '%s' "$sum" >"$work/$name"
    [ -n "$sum" ] && [ "$sum" = "$(cat "$work/$name")" ] || fail "$*: checksum '$sum', not '$(cat "$work/$name")'"
}

for ranks in 1 2 3 4 7 9; do
    for mode in off static on; do
        same line $ranks --cells 70 --particles 3000 --iterations 60 --balance $mode
    done
    same line $ranks --cells 70 --particles 3000 --iterations 60 --weights off --declare 1 --intensity 7
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
words="./hs-particles --json --cells 200 --particles 20000 --intensity 30 --iterations 150"
# shellcheck disable=SC2086
out=$(HS_PLATFORM=$work/platform.xml "$LAUNCH" -n 1 env HS_LAB_HOST=fast $words : -n 1 env HS_LAB_HOST=slow $words 2>&1)
case $out in
*'"verified":true'*'"rebalances":0'*) echo "nothing moved on this machine: $out" ;;
*'"verified":true'*'"moved_bytes":0'*) fail "cells without bytes: $out" ;;
*'"verified":true'*) ;;
*) fail "cells that move: $out" ;;
esac

usage() { # TEXT ARGUMENT...
    text=$1
    shift
    out=$(./hs-particles "$@" 2>&1)
    status=$?
    [ $status -eq 2 ] || fail "$*: exit $status, expected 2"
    case $out in *"$text"*) ;; *) fail "$*: '$text' is not in '$out'" ;; esac
}
usage "--cells, --particles and --iterations are needed" --cells 5
usage "unexpected argument '5'" --cells 5 --particles 5 --iterations 5 5
usage "--cells takes an integer from 3 to 1000000000, not '2'" --cells 2
usage "--particles takes an integer from 0 to 50000000, not '-1'" --particles -1
usage "--declare takes an integer from 1 to 1000000000, not '0'" --declare 0
usage "--weights takes off or on, not 'some'" --weights some
exit $failed
