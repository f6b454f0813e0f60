# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of other languages. They build and run as the documentation says, against the build tree.
set -u
. "$HS_TEST_SRCDIR/tests/work.sh"
skip() { echo "skipped: $*"; exit 77; }
launcher=$("$LAUNCH" --which) || exit 1
# As tests/interpose/common.sh does.
tally() { [ -z "${HS_TEST_TALLY:-}" ] || echo "$launcher|$1|$2" >>"$HS_TEST_TALLY"; }
libraries=$HS_TEST_BUILDDIR/.libs
nm -D "$libraries/libheteroslice.so" | grep -q __asan_init && skip "sanitized library"
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" HS_PROBE_BUDGET=0.1s

# sees WHAT COMMAND...: on each of two ranks the library counts MPI calls
sees() {
    what=$1
    shift
    before=$failed failed=0
    HS_LOG=debug "$LAUNCH" -n 2 "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; fail "$what does not run"; }
    for rank in 0 1; do
        grep -q "rank $rank: debug: [1-9][0-9]* MPI calls" "$work/err" || { cat "$work/err"; fail "$what: the calls of rank $rank are not seen"; }
    done
    grep "no MPI call" "$work/err" && fail "$what: a warning that is wrong"
    tally "$what" "$([ $failed = 0 ] && echo passed || echo failed)"
    failed=$((before | failed))
}

# same_checksum COMMAND...: with arguments ROWS COLUMNS ITERATIONS MODE, whatever the ranks and the mode
same_checksum() {
    expected=
    for run in "1 off" "2 static" "3 on" "7 on"; do
        out=$("$LAUNCH" -n "${run% *}" "$@" 30 40 200 "${run#* }" 2>&1)
        sum=$(printf '%s\n' "$out" | sed -n 's/^verified T.*, checksum \([0-9A-F]*\),.*/\1/p')
        : "${expected:=$sum}"
        [ -n "$sum" ] && [ "$sum" = "$expected" ] || fail "$run: not the checksum '$expected': $out"
    done
}

# weighs COMMAND...: a program of two ranks on hosts of one speed, which says of itself what is wrong
weighs() {
    printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="one" speed="1Gf"/><host id="two" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="0s"/><route src="one" dst="two"><link_ctn id="l"/></route></zone></platform>\n' >"$work/equal.xml"
    out=$(HS_PLATFORM=$work/equal.xml "$LAUNCH" -n 1 env HS_LAB_HOST=one "$@" : -n 1 env HS_LAB_HOST=two "$@" 2>&1) || fail "weights: $out"
    printf '%s\n' "$out"
}

# moves COMMAND...: a file that says that one of two hosts is eight times faster starts with slices that are wrong, and
# the library corrects them, sooner or later, unless the machine is busy; the answer is right all the same
moves() {
    printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="fast" speed="8Gf"/><host id="slow" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="0s"/><route src="fast" dst="slow"><link_ctn id="l"/></route></zone></platform>\n' >"$work/platform.xml"
    for iterations in 1000 4000 16000 64000; do
        out=$(HS_PLATFORM=$work/platform.xml "$LAUNCH" -n 1 env HS_LAB_HOST=fast "$@" 64 500 $iterations on : \
            -n 1 env HS_LAB_HOST=slow "$@" 64 500 $iterations on 2>&1)
        case $out in
        *"verified T"*" 0 rebalances"*) ;;
        *"verified T"*rebalances*) return ;;
        *) fail "slices that move: $out" ;;
        esac
    done
    echo "nothing moved on this machine: $out"
}
