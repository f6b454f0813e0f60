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

# What a lab asks of the machine, asked without hs, which may be wrong: namespaces, cables, rates, rules, host names and mounts.
try_network() {
    ip netns add "$LAB.part" && ip -n "$LAB.part" -batch - <<END && tc -n "$LAB.part" -batch - <<END && unshare -m -u true
link add c0 type veth peer name c1
link add b0 type ifb
link set c0 arp off up gso_max_size 60000
addr add 10.77.0.1/16 dev c0 noprefixroute
route replace default dev c0 table 1000
rule add from 10.77.0.1/32 to 10.77.0.2/32 lookup 1000
END
qdisc add dev b0 root handle 1: htb default 0
class add dev b0 parent 1: classid 1:1 htb rate 8000bit quantum 1514
filter add dev b0 parent 1: bpf bytecode '1,6 0 0 0'
qdisc add dev c0 clsact
filter add dev c0 ingress protocol ip u32 match u32 0 0 action mirred egress redirect dev b0
END
}

# The same of control groups with quotas, of version 1 or 2.
try_quota() {
    while read -r _ directory kind options _; do
        group=$directory/$LAB.part
        case "$kind ,$options, $(cat "$directory/cgroup.controllers" 2>/dev/null) " in
        "cgroup "*,cpu,*) mkdir "$group" && echo 10000 >"$group/cpu.cfs_quota_us" ;;
        "cgroup2 "*" cpu "*)
            grep -qw cpu "$directory/cgroup.subtree_control" || echo +cpu >"$directory/cgroup.subtree_control"
            mkdir "$group" && echo "10000 10000" >"$group/cpu.max"
            ;;
        *) continue ;;
        esac
        able=$?
        rmdir "$group"
        return $able
    done </proc/mounts
    echo "no control group hierarchy with a cpu controller is mounted" >&2
    return 1
}

need_root() {
    [ "$(id -u)" = 0 ] || skip "needs root"
    for tool in ip tc; do
        command -v $tool >/dev/null || skip "no $tool (package iproute2)"
    done
    why=$({ try_network && try_quota; } 2>&1)
    able=$?
    ip netns del "$LAB.part" 2>/dev/null
    [ $able = 0 ] || skip "no lab can be made here: $why"
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
