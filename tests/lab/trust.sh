# SPDX-License-Identifier: BSD-3-Clause
# A lab without network trusts neither what others plant in /tmp nor numbers of processes that have ended.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
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

# Numbers of the throttler and of groups, once they have ended, go to others' processes, which 'down' leaves alone.
$AS hs lab up --no-network --name "$LAB" --cpus 0.8 "$HERE/two.xml" >/dev/null || fail "up"
directory=/tmp/heteroslice-$($AS id -u)/$LAB
kill -KILL "$(cut -d' ' -f1 "$directory/throttler")"
$AS setsid sleep 1000 &
stranger=$!
sleep 0.3
echo "$stranger 1" >"$directory/throttler"
touch "$directory/ranks/0.$stranger.1"
$AS flock "$directory/throttler" sleep 5 & # as if the throttler lived
sleep 0.3
$AS hs lab down --name "$LAB" || fail "down without its throttler"
kill -0 $stranger 2>/dev/null || fail "down ends a process that is not the lab's"
kill $stranger 2>/dev/null
wait 2>/dev/null

# What others plant is refused: a directory of theirs, and a link.
if [ -n "$AS" ]; then
    VICTIM="setpriv --reuid=65533 --regid=65533 --clear-groups env HOME=/tmp"
    planted=/tmp/heteroslice-65533
    [ ! -e "$planted" ] || skip "$planted is there"
    mkdir "$planted" "$planted/$LAB"
    echo '{}' >"$planted/$LAB/state.json"
    for kind in directory link; do
        for command in "status --name $LAB" "run --name $LAB -- true" "exec --name $LAB a1 -- true"; do
            # shellcheck disable=SC2086
            expect_error 1 "is not a directory of this user alone" $VICTIM hs lab $command
        done
        [ $kind = link ] || { mv "$planted" "$planted.$LAB" && ln -s "$planted.$LAB" "$planted"; }
    done
    rm -r "$planted" "$planted.$LAB"
fi
exit $failed
