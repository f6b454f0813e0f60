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
leads_itself() {
    [ "$(awk '{ print $6 }' "/proc/$stranger/stat")" = $stranger ]
}
until_true leads_itself || fail "setsid"
echo "$stranger 1" >"$directory/throttler"
touch "$directory/ranks/0.$stranger.1"
$AS sh -c 'exec 9<>"$0" && flock 9 && exec sleep 60' "$directory/throttler" & # as if the throttler lived
holder=$!
is_locked() {
    ! flock -n "$directory/throttler" true
}
until_true is_locked || fail "flock"
$AS hs lab down --name "$LAB" || fail "down without its throttler"
kill -0 $stranger 2>/dev/null || fail "down ends a process that is not the lab's"
kill $stranger $holder 2>/dev/null
wait

# What others plant is refused: a directory of theirs, and a link.
if [ -n "$AS" ]; then
    user=$((100000 + $$)) # nobody's, and no other test's
    VICTIM="setpriv --reuid=$user --regid=$user --clear-groups env HOME=/tmp"
    planted=/tmp/heteroslice-$user
    rm -rf "$planted"
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
