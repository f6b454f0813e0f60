# SPDX-License-Identifier: BSD-3-Clause
# hs lab run: ranks on the right hosts, exit statuses, environment, and nothing left when it is stopped.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
need_mpirun
hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || fail "up"

hosts_of() {
    hs lab run --name "$LAB" "$@" -- sh -c 'echo $OMPI_COMM_WORLD_RANK $(hostname) $HS_LAB_HOST' | sort | tr '\n' ' '
}

[ "$(hosts_of)" = "0 a1 a1 1 a2 a2 2 b1 b1 3 b2 b2 " ] || fail "all hosts: $(hosts_of)"
[ "$(hosts_of --hosts b2,a1)" = "0 b2 b2 1 a1 a1 " ] || fail "some hosts: $(hosts_of --hosts b2,a1)"
[ "$(hosts_of -n 2)" = "0 a1 a1 1 a2 a2 " ] || fail "two ranks: $(hosts_of -n 2)"
[ "$(hosts_of -n 5 | wc -w)" = 15 ] || fail "more ranks than cores"

hs lab run --name "$LAB" -n 2 -- sh -c 'exit 5' >/dev/null 2>&1
[ $? = 5 ] || fail "exit status of a rank"
hs lab run --name "$LAB" -n 1 -- /no/such/program >/dev/null 2>&1
[ $? != 0 ] || fail "a program that is not there"

said=$(HS_LOG=debug LD_PRELOAD= hs lab run --name "$LAB" --hosts b2 -- sh -c 'echo $HS_LOG')
[ "$said" = debug ] || fail "HS_LOG is '$said' in a rank"
hs lab run --name "$LAB" --hosts b2 --mpirun "-x LAB_TEST_X=seven" -- sh -c 'test "$LAB_TEST_X" = seven' ||
    fail "options of mpirun"

# Ended by a signal, and killed outright: the ranks go with it.
for signal in TERM KILL; do
    hs lab run --name "$LAB" -- sleep 1000 >/dev/null 2>&1 &
    job=$!
    sleep 1
    kill -$signal $job
    wait $job 2>/dev/null
    EXPECTED_PROCESS=hs-lab-throttle
    for wait in 1 2 3 4 5 6 7 8; do
        [ -n "$(processes_of "$LAB")" ] || break
        sleep 0.5
    done
    left=$(processes_of "$LAB")
    [ -z "$left" ] || fail "after $signal: $left"
    EXPECTED_PROCESS=
done
hs lab down --name "$LAB" || fail "down"
expect_nothing "$LAB" "down"
exit $failed
