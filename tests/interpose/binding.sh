# SPDX-License-Identifier: BSD-3-Clause
# HS_BIND: who is bound where, on machines of two cores made up from two processors of this one; that it ends as it began;
# that nothing else changes.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
CALLS_FILE=$work/file
export CALLS_FILE
command -v taskset >/dev/null || skip "no taskset"

# Two processors, a and b.
processors=$(taskset -pc $$ | sed 's/.*: //' | tr ',' '\n' | sed 's/^\([0-9]*\)$/\1-\1/; s/-/ /' | xargs -L1 seq | head -2 | tr '\n' ' ')
a=${processors%% *} b=${processors#* } b=${b% }
[ -n "$b" ] && [ "$b" -lt 31 ] || skip "needs two processors"

# machine FILE SPEED_OF_A SPEED_OF_B: two cores of two kinds, as hwloc describes them
machine() {
    both=$(printf '0x%08x' $((1 << a | 1 << b)))
    {
        echo '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE topology SYSTEM "hwloc2.dtd"><topology version="2.0">'
        sets="complete_nodeset='0x1' nodeset='0x1'"
        echo "<object type='Machine' os_index='0' cpuset='$both' complete_cpuset='$both' allowed_cpuset='$both' allowed_nodeset='0x1' $sets gp_index='1'>"
        echo "<object type='NUMANode' os_index='0' cpuset='$both' complete_cpuset='$both' $sets gp_index='2' local_memory='1000000000'/>"
        for cpu in $a $b; do
            mask=$(printf '0x%08x' $((1 << cpu)))
            echo "<object type='Core' os_index='$cpu' cpuset='$mask' complete_cpuset='$mask' $sets gp_index='1$cpu'>"
            echo "<object type='PU' os_index='$cpu' cpuset='$mask' complete_cpuset='$mask' $sets gp_index='2$cpu'/></object>"
        done
        echo '</object>'
        for kind in "$a $2" "$b $3"; do
            echo "<cpukind cpuset='$(printf '0x%08x' $((1 << ${kind% *})))'><info name='LinuxCapacity' value='${kind#* }'/></cpukind>"
        done
        echo '</topology>'
    } >"$1"
}
machine "$work/alike.xml" 1024 1024
machine "$work/first.xml" 1024 512
machine "$work/second.xml" 512 1024

# bound MACHINE RANKS OUT ARGUMENTS...: the program, preloaded, may use the two processors. The MPI library sees the
# machine as it is. A plugin of hwloc reads the file.
bound() {
    machine=$1 ranks=$2 out=$3
    shift 3
    run "$ranks" "$out" taskset -c "$a,$b" env -u HWLOC_PLUGINS_PATH "LD_PRELOAD=$PRELOAD" "HWLOC_XMLFILE=$work/$machine.xml" HWLOC_THISSYSTEM=1 "$HERE/bound" "$@"
    [ "$(cat "$out.status")" = 0 ] || { cat "$out.err"; fail "bound $*: exit $(cat "$out.status")"; }
}

# ends OUT PROCESSORS_OF_RANK_0 ...: whether the ranks ended there
ends() {
    out=$1 rank=0
    shift
    for processors in "$@"; do
        echo "rank $rank: $processors"
        rank=$((rank + 1))
    done >"$work/expected"
    grep '^rank' "$out" | diff "$work/expected" -
}

# expect WHAT OUT PROCESSORS_OF_RANK_0 ...
expect() {
    what=$1
    shift
    ends "$@" || { cat "$1.err"; fail "$what"; }
}

# settles WHAT COMMAND...: the loads are measured, and other load on the machine may bend that: five times in a row it does
# not
settles() {
    what=$1
    shift
    for try in 1 2 3 4 5; do
        "$@" && return
        cat "$work/out" "$work/out.err"
    done
    fail "$what"
}

# The heavy rank alone, the light ones together. Which core is whose is free where they are alike: the heaviest comes first.
one_two_one() {
    HS_BIND=on HS_LOG=info HS_REPORT=$work/report.json bound alike 3 "$work/out" -1000 10 20 10
    ends "$work/out" "$b" "$a" "$b" &&
        grep -q "^heteroslice: info: HS_BIND: .*: rank:processors 0:$b 1:$a 2:$b; a step should take [0-9]* % less" "$work/out.err" &&
        [ "$(grep -c '"changes": 1' "$work/report.json") $(grep -c "\"cpus\": \"$b\"" "$work/report.json")" = "3 2" ]
}
settles "loads 1 2 1 on two cores" one_two_one

# The heaviest rank on the faster core, wherever that is.
faster() { # MACHINE PROCESSORS...
    HS_BIND=on bound "$1" 2 "$work/out" -1000 10 30
    shift
    ends "$work/out" "$@"
}
settles "the first core is faster" faster first "$b" "$a"
settles "the second core is faster" faster second "$a" "$b"

# Ranks that the launcher has bound exchange their cores, and no others.
cat >"$work/launch" <<END
#!/bin/sh
case \${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-}} in 0) exec taskset -c $a "\$@" ;; *) exec taskset -c $b "\$@" ;; esac
END
chmod +x "$work/launch"
launched() {
    HS_BIND=on run 2 "$work/out" "$work/launch" env -u HWLOC_PLUGINS_PATH "LD_PRELOAD=$PRELOAD" "HWLOC_XMLFILE=$work/second.xml" HWLOC_THISSYSTEM=1 "$HERE/bound" -1000 30 10
    ends "$work/out" "$b" "$a"
}
settles "bound by the launcher" launched
[ "$(cat "$work/out.status")" = 0 ] || fail "bound by the launcher: exit $(cat "$work/out.status")"

# Nothing is bound unless it is asked for, nor where threads have places of their own, nor where there is nothing to gain.
bound first 2 "$work/out" 40 10 30
expect "by default" "$work/out" "$a $b" "$a $b"
HS_BIND=off HS_REPORT=$work/report.json bound first 2 "$work/out" 40 10 30
expect "HS_BIND=off" "$work/out" "$a $b" "$a $b"
grep binding "$work/report.json" && fail "the report tells of binding with HS_BIND=off"
HS_BIND=on bound alike 1 "$work/out" 40 10
expect "one rank" "$work/out" "$a $b"
HS_BIND=on HS_TEST_THREAD=1 bound first 2 "$work/out" 3 1 1
expect "threads with places of their own" "$work/out" "$a $b" "$a $b"
grep -q 'HS_BIND: .* stays as it is bound: threads of a rank are bound in different ways' "$work/out.err" ||
    fail "threads with places of their own: nothing is said"

# Where hwloc does not know this machine, one line.
HS_BIND=on run 2 "$work/out" env -u HWLOC_PLUGINS_PATH "LD_PRELOAD=$PRELOAD" HWLOC_XMLFILE="$work/alike.xml" HWLOC_THISSYSTEM=0 "$HERE/bound" 3 1 1
[ "$(grep -c 'heteroslice: warn' "$work/out.err")" = 1 ] && grep -q 'HS_BIND: .*: hwloc cannot bind here' "$work/out.err" ||
    fail "another machine: $(cat "$work/out.err")"
HS_BIND=yes run 2 "$work/out" env "LD_PRELOAD=$PRELOAD" "$HERE/barriers"
[ "$(grep -c "HS_BIND='yes' is not off|on; using off" "$work/out.err")" = 1 ] || fail "HS_BIND=yes: $(cat "$work/out.err")"

# Programs say and return the same.
run 3 "$work/bare" "$HERE/calls" files
LD_PRELOAD=$PRELOAD HS_BIND=on HS_LOG=debug run 3 "$work/on" "$HERE/calls" files
compare "calls, HS_BIND=on" "$work/bare" "$work/on"
count_hits "calls, HS_BIND=on" "$work/on"
for edge in "level 3" threads fork spawn fatal "abort 3" kill "exit 4" "leave 0"; do
    # shellcheck disable=SC2086
    run 2 "$work/bare" "$HERE/edges" $edge
    # shellcheck disable=SC2086
    LD_PRELOAD=$PRELOAD HS_BIND=on HS_LOG=error run 2 "$work/on" "$HERE/edges" $edge
    compare "edges $edge, HS_BIND=on" "$work/bare" "$work/on"
done
exit $failed
