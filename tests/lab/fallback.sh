# SPDX-License-Identifier: BSD-3-Clause
# Without root, processes are stopped and continued by signals. As another user when this one is root.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_mpirun
AS=
if [ "$(id -u)" = 0 ]; then
    command -v setpriv >/dev/null || skip "no setpriv (package util-linux)"
    AS="setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp"
    $AS hs --version >/dev/null 2>&1 || skip "this build cannot be run by another user"
fi
printed=$(mktemp) || exit 99
remove_labs() {
    rm -f "$printed"
    $AS hs lab down --name "$LAB" >/dev/null 2>&1
    $AS hs lab down --name "$LAB-in" >/dev/null 2>&1
}
cd /tmp || skip "no /tmp"

expect_error 1 "needs root" $AS hs lab up --name "$LAB" --cpus 0.8 "$HERE/two.xml"
$AS hs lab up --no-network --name "$LAB" --cpus 0.8 "$HERE/two.xml" >/dev/null || fail "up --no-network"
expect_error 1 "is up already" $AS hs lab up --no-network --name "$LAB" "$HERE/two.xml"
$AS hs lab status --name "$LAB" --json | grep -q '"network":false' || fail "status"
ranks=$($AS hs lab run --name "$LAB" -- sh -c 'echo $OMPI_COMM_WORLD_RANK $HS_LAB_HOST on $HS_LAB' | sort | tr '\n' ' ')
[ "$ranks" = "0 a1 on $LAB 1 a2 on $LAB 2 b1 on $LAB 3 b2 on $LAB " ] || fail "ranks are on $ranks"
$AS hs lab exec --name "$LAB" b1 -- sh -c 'exit 7'
[ $? = 7 ] || fail "exec: exit status"
expect_error 1 "no host 'zz'" $AS hs lab exec --name "$LAB" zz -- true
$AS hs lab exec --name "$LAB" a1 -- /no/such/program 2>/dev/null
[ $? = 127 ] || fail "exec: a program that is not there"
expect_error 1 "lab '$LAB' has no network, so ranks cannot be placed on it" $AS hs run --lab "$LAB" -n 2 --dry-run
expect_error 1 "the launcher did not tell this rank its host" $AS env -u OMPI_COMM_WORLD_RANK -u PMI_RANK -u PMIX_RANK \
    -u SLURM_PROCID hs lab rank "$LAB" true
# A platform from standard input or a pipe: the lab has a copy while it is up.
for from in - /dev/stdin; do
    $AS sh -c 'cat "$1" | hs lab up --no-network --name "$2" --cpus 0.8 "$3"' up "$HERE/two.xml" "$LAB-in" $from >/dev/null || fail "up $from"
    kept=$($AS hs lab status --name "$LAB-in" --json | sed 's/.*"platform":"\([^"]*\)".*/\1/')
    [ "$($AS hs show "$kept" --json)" = "$(hs show "$HERE/two.xml" --json)" ] || fail "the lab keeps another platform: $kept"
    $AS hs lab down --name "$LAB-in" || fail "down"
    [ ! -e "$kept" ] || fail "$kept is left"
done
expect_error 1 "-:1: the file is empty" $AS hs lab up --no-network --name "$LAB-in" -

# A lab of many hosts in few lines.
echo '<?xml version="1.0"?><platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="1-60" speed="2Gf" bw="125MBps" lat="0s"/></platform>' |
    $AS hs lab up --no-network --name "$LAB-in" --cpus 0.8 - >/dev/null || fail "up of 60 hosts"
$AS hs lab speed --name "$LAB-in" n50 0.5 || fail "speed of n50"
$AS hs lab status --name "$LAB-in" >"$printed"
[ "$(wc -l <"$printed")" = 13 ] && grep -q '^n50 ' "$printed" && grep -q '^\.\.\. and 50 hosts whose speed has changed no more (--all: every row)$' "$printed" ||
    fail "status of 60 hosts: $(cat "$printed")"
[ "$($AS hs lab status --name "$LAB-in" --all | wc -l)" = 62 ] || fail "status --all"
$AS hs lab down --name "$LAB-in" || fail "down"

# As its start left it when it was killed: only removed.
state=/tmp/heteroslice-$($AS id -u)/$LAB/state.json
$AS sed -i 's/"ready": true/"ready": false/' "$state"
expect_error 1 "lab '$LAB' is incomplete ('hs lab down --name $LAB' removes it)" $AS hs lab exec --name "$LAB" a1 -- true
expect_error 1 "is incomplete" $AS hs lab run --name "$LAB" -- true
$AS hs lab status --name "$LAB" | grep -q "two.xml, incomplete, no network" || fail "status: $($AS hs lab status --name "$LAB")"
$AS sed -i 's/"ready": false/"ready": true/' "$state"

# HOST QUOTA: how much of a core the host gets; what share of the time that stops it is tried in account.c.
quota() {
    got=$($AS hs lab status --name "$LAB" | awk -v host="$1" '$1 == host { print $(NF - 2) }')
    [ "$got" = "$2" ] || fail "$1 gets $got of a core, expected $2"
}

# HOST COMMAND...: start the command on the host, as $process.
start() {
    : >"$printed"
    $AS hs lab exec --name "$LAB" "$1" -- sh -c 'echo $$; exec "$@"' "$@" >"$printed" &
    until_true test -s "$printed" || fail "nothing runs on $1"
    process=$(cat "$printed")
}

is_stopped() {
    case $(sed 's/.*) //' "/proc/$process/stat" 2>/dev/null) in T*) ;; *) false ;; esac
}

# HOST: processes of the host are stopped, and continued. With so small a quota that they are on the busiest machine, too.
stops() {
    $AS hs lab speed --name "$LAB" "$1" 0.01 || fail "speed"
    start "$1" "$TOOLS/spin" 300
    until_true is_stopped || fail "$1 is not stopped"
    until_true ran_more $process "$(cut -d' ' -f1 "/proc/$process/schedstat")" || fail "$1 is not continued"
    kill -KILL $process
    wait
}

quota a1 0.3200
quota b2 0.0800
stops a1
stops b2
# What a host earns in a tick is now more than it can use in minutes.
$AS hs lab speed --name "$LAB" b2 100000 || fail "speed"
quota b2 8000.0000
$AS hs lab exec --name "$LAB" b2 -- "$LAUNCH" -t 300 --plain "$TOOLS/unstopped" 0.5 || fail "b2 is stopped at any speed"
stops b2
quota b2 0.0008

start a1 sleep 1000
$AS hs lab down --name "$LAB" || fail "down"
wait
left=$(ls -d "/tmp/heteroslice-$($AS id -u)/$LAB" 2>/dev/null; processes_of "$LAB")
[ -z "$left" ] || fail "down leaves $left"
exit $failed
