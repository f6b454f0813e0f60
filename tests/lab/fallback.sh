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
remove_labs() {
    $AS hs lab down --name "$LAB" >/dev/null 2>&1
}
cd /tmp || skip "no /tmp"

expect_error 1 "needs root" $AS hs lab up --name "$LAB" --cpus 0.8 "$HERE/two.xml"
$AS hs lab up --no-network --name "$LAB" --cpus 0.8 "$HERE/two.xml" >/dev/null || fail "up --no-network"
expect_error 1 "is up already" $AS hs lab up --no-network --name "$LAB" "$HERE/two.xml"
$AS hs lab status --name "$LAB" --json | grep -q '"network":false' || fail "status"
said=$($AS hs lab run --name "$LAB" -- sh -c 'echo $OMPI_COMM_WORLD_RANK $HS_LAB_HOST' | sort | tr '\n' ' ')
[ "$said" = "0 a1 1 a2 2 b1 3 b2 " ] || fail "ranks are on $said"
$AS hs lab exec --name "$LAB" b1 -- sh -c 'exit 7'
[ $? = 7 ] || fail "exec: exit status"

# HOST FACTOR: whether the host has that factor of a1's speed. The tolerance is wide, since without root the lab has no
# precedence over other load on the machine.
speed() {
    reference=$($AS hs lab exec --name "$LAB" a1 -- "$TOOLS/spin" 1)
    got=$($AS hs lab exec --name "$LAB" "$1" -- "$TOOLS/spin" 1)
    close_to "$got" "$(awk "BEGIN { print $reference * $2 }")" 0.2 || echo "$1 does $got, a1 $reference"
    close_to "$got" "$(awk "BEGIN { print $reference * $2 }")" 0.2
}
persistently speed a2 0.5
persistently speed b2 0.25
$AS hs lab speed --name "$LAB" a2 2 || fail "speed"
persistently speed a2 1

$AS hs lab exec --name "$LAB" a1 -- sleep 1000 &
sleep 0.3
$AS hs lab down --name "$LAB" || fail "down"
wait 2>/dev/null
left=$(ls -d "/tmp/heteroslice-65534/$LAB" 2>/dev/null; processes_of "$LAB")
[ -z "$left" ] || fail "down leaves $left"
exit $failed
