# SPDX-License-Identifier: BSD-3-Clause
# Each host's processes are in a group of its own with the host's part of a core, also after a change of speed; they are
# stopped and continued. bench/lab/speeds.sh measures what that comes to.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root

# INDEX FILE...: the file of the host's group, in whichever hierarchy of control groups it is.
group_file() {
    find /sys/fs/cgroup -path "*/heteroslice/$LAB/h$1/$2" 2>/dev/null
}

# INDEX EXPECTED: the quota of a host, as a multiple of the first one's at its own speed.
quota() {
    all=$(group_file "$1" cpu.max)
    if [ -n "$all" ]; then set -- "$1" "$2" $(cat "$all"); else set -- "$1" "$2" $(cat "$(group_file "$1" cpu.cfs_quota_us)" "$(group_file "$1" cpu.cfs_period_us)"); fi
    got=$(awk "BEGIN { print $3 / $4 }")
    : "${first:=$got}"
    close_to "$got" "$(awk "BEGIN { print $first * $2 }")" 0.001 || fail "host $1 may use $got of a core, the first $first"
}

# HOST INDEX
in_its_group() {
    hs lab exec --name "$LAB" "$1" -- cat /proc/self/cgroup | grep -q "/heteroslice/$LAB/h$2\$" || fail "$1 is in no group"
}

# INDEX: whether the group is stopped.
is_frozen() {
    grep -q '^frozen 1$' "$(group_file "$1" cgroup.events)"
}

# INDEX: where there is no freezer, the quota stops it.
is_throttled() {
    [ "$(sed -n 's/^nr_throttled //p' "$(group_file "$1" cpu.stat)")" != 0 ]
}

# HOST INDEX: the host's processes are stopped, and continued. With so small a quota that they are on the busiest machine, too.
stops() {
    hs lab speed --name "$LAB" "$1" 0.01 || fail "speed"
    hs lab exec --name "$LAB" "$1" -- sh -c 'echo $$; exec "$0" 300' "$TOOLS/spin" >"$LAB.got" &
    until_true test -s "$LAB.got" || fail "nothing runs on $1"
    if [ -n "$(group_file "$2" cgroup.freeze)" ]; then
        until_true is_frozen "$2" || fail "$1 is not stopped"
    else
        until_true is_throttled "$2" || fail "$1 is not throttled"
    fi
    process=$(cat "$LAB.got")
    until_true ran_more "$process" "$(cut -d' ' -f1 "/proc/$process/schedstat")" || fail "$1 is not continued"
    rm -f "$LAB.got"
    kill -KILL "$process"
    wait
}

hs lab up --name "$LAB" --cpus 0.8 "$HERE/two.xml" >/dev/null || fail "up"
first=
quota 0 1
quota 1 0.5
quota 2 0.75
quota 3 0.25
in_its_group a1 0
in_its_group b2 3
hs lab speed --name "$LAB" b1 0.5
quota 2 0.375
hs lab speed --name "$LAB" b1 1
quota 2 0.75
stops a1 0
stops b2 3
hs lab down --name "$LAB" || fail "down"
exit $failed
