# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of hs lab: labs of this test's own names, removed however the test ends.
set -u
LAB=t$$
LABS=$LAB
HERE=$HS_TEST_SRCDIR/tests/lab
TOOLS=$HS_TEST_BUILDDIR/tests/lab
LAB_TEST_MARK=$LAB
export LAB_TEST_MARK
failed=0

skip() {
    echo "skipped: $*"
    exit 77
}

fail() {
    echo "FAILED: $*"
    failed=1
}

remove_labs() {
    for lab in $LABS; do
        hs lab down --name "$lab" >/dev/null 2>&1
    done
}
trap remove_labs EXIT
trap 'exit 1' HUP INT TERM

[ "${HS_TEST_LAB:-yes}" = yes ] || skip "HS_TEST_LAB=$HS_TEST_LAB"

need_root() {
    [ "$(id -u)" = 0 ] || skip "needs root"
    for tool in ip tc; do
        command -v $tool >/dev/null || skip "no $tool (package iproute2)"
    done
    if ! hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null 2>"$LAB.why"; then
        why=$(cat "$LAB.why")
        rm -f "$LAB.why"
        skip "no lab can be made here: $why"
    fi
    rm -f "$LAB.why"
    hs lab down --name "$LAB"
}

need_mpirun() {
    nm -D "$HS_TEST_BUILDDIR/src/lab/.libs/hs-lab-preload.so" 2>/dev/null | grep -q __asan_init &&
        skip "the address sanitizer cannot be preloaded"
    "$LAUNCH" --which >/dev/null || skip "no mpirun"
}

# Print what exists of a lab; nothing when it is down. Processes are found by the mark they inherit. A lab that is up has
# a throttler, which EXPECTED_PROCESS names.
remains_of() {
    ip netns list 2>/dev/null | grep "^hs\.$1\."
    find /sys/fs/cgroup -path "*/heteroslice/$1*" 2>/dev/null
    ls -d "/run/heteroslice/$1" "/tmp/heteroslice-$(id -u)/$1" 2>/dev/null
}

processes_of() {
    for directory in /proc/[0-9]*; do
        process=${directory#/proc/}
        [ "$process" = $$ ] && continue
        { tr '\0' '\n' <"$directory/environ"; } 2>/dev/null | grep -q "^LAB_TEST_MARK=$1\$" || continue
        [ "$(cat "$directory/comm" 2>/dev/null)" = "${EXPECTED_PROCESS:-}" ] && continue
        command=$({ tr '\0' ' ' <"$directory/cmdline"; } 2>/dev/null)
        case $command in
        *mpirun* | *orted* | *"hs lab"* | *sleep* | *spin*) echo "$process $command" ;;
        esac
    done
}

expect_nothing() {
    left=$(remains_of "$1"; processes_of "$1")
    [ -z "$left" ] || fail "$2 leaves $left"
}

# STATUS TEXT COMMAND...: the exit status, and one line on stderr with the text.
expect_error() {
    status=$1 text=$2
    shift 2
    said=$("$@" 2>&1 >/dev/null </dev/null)
    got=$?
    [ $got = "$status" ] || fail "$*: exit $got, expected $status"
    case $said in *"$text"*) ;; *) fail "$*: '$text' is not in '$said'" ;; esac
    [ "$status" != 1 ] || [ "$(echo "$said" | wc -l)" = 1 ] || fail "$*: more than one line: $said"
}

# COMMAND...: wait until the command succeeds, for two minutes at most.
until_true() {
    for try in $(seq 6000); do
        "$@" && return
        sleep 0.02
    done
    false
}

# PROCESS NANOSECONDS: whether it has run for longer than that.
ran_more() {
    [ "$(cut -d' ' -f1 "/proc/$1/schedstat")" -gt "$2" ]
}

# VALUE EXPECTED TOLERANCE: whether the value is within that fraction of the expected one.
close_to() {
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a >= b * (1 - t) && a <= b * (1 + t)) }'
}
