# SPDX-License-Identifier: BSD-3-Clause
# The life of a lab: up, status, exec, run, speed, down; two labs at once; nothing remains.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
# Links of the machine with names as in a lab: others may come and go.
links() {
    ip -o link | awk '$2 ~ /^([bc][0-9]+|hub)[@:]/ { print $2 }'
}
links_before=$(links)
hosts_before=$(cksum </etc/hosts)

hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || fail "up"
expect_error 1 "is up already" hs lab up --name "$LAB" "$HERE/two.xml"
hs lab status --name "$LAB" | grep -q '^b1 ' || fail "status names no host b1"
for text in '"host":"a1"' '"quota":' '"factor":1.0' "\"namespace\":\"hs.$LAB.h0\"" '"link":"trunk"' '"ready":true'; do
    hs lab status --name "$LAB" --json | grep -qF "$text" || fail "status --json has no $text"
done
[ "$(hs lab status --name "$LAB" --json | wc -l)" = 1 ] || fail "status --json is not one line"

[ "$(hs lab exec --name "$LAB" b1 -- hostname)" = b1 ] || fail "exec: host name"
[ "$(hs lab exec --name "$LAB" b1 -- sh -c 'echo $HS_LAB $HS_LAB_HOST')" = "$LAB b1" ] || fail "exec: HS_LAB, HS_LAB_HOST"
[ "$(hostname)" != b1 ] || fail "the machine took the name"
hs lab exec --name "$LAB" a1 -- sh -c 'exit 7'
[ $? = 7 ] || fail "exec: exit status"
hs lab exec --name "$LAB" a1 -- getent hosts b2 | grep -q '^10\.77\.0\.4 ' || fail "exec: names of other hosts"
hs lab exec --name "$LAB" a1 -- getent hosts localhost | grep -q '^127\.0\.0\.1 ' || fail "exec: localhost"

# The second lab has the same addresses and does not see the first.
SECOND=${LAB}b LABS="$LAB ${LAB}b"
hs lab up --name "$SECOND" "$HERE/two.xml" >/dev/null || fail "a second lab"
hs lab speed --name "$SECOND" b1 0.5 || fail "speed"
hs lab status --name "$SECOND" --json | grep -q '"factor":0.5' || fail "speed is not in the status"
hs lab status --name "$LAB" --json | grep -q '"factor":0.5' && fail "speed changed the other lab"
hs lab down --name "$SECOND" || fail "down of the second"
expect_nothing "$SECOND" "down of the second"
[ "$(hs lab exec --name "$LAB" a2 -- hostname)" = a2 ] || fail "down of the second took the first"

# A lab goes down with what runs in it.
hs lab exec --name "$LAB" a1 -- sh -c 'echo; exec sleep 1000' >"$LAB.got" &
until_true test -s "$LAB.got" || fail "nothing runs on a1"
rm -f "$LAB.got"
hs lab down --name "$LAB" || fail "down"
wait
expect_nothing "$LAB" "down"
expect_error 1 "no lab '$LAB' is up" hs lab down --name "$LAB"

# Root's shell may not search /usr/sbin, and /tmp be no place for files.
PATH=$HS_TEST_BUILDDIR:/usr/bin:/bin hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || fail "up without /usr/sbin in PATH"
hs lab down --name "$LAB" || fail "down of a lab made without /usr/sbin in PATH"
case $HS_TEST_BUILDDIR$HS_TEST_SRCDIR in
/tmp/*) ;;
*) unshare -m sh -c "mount -t tmpfs -o ro none /tmp && hs lab up --name $LAB '$HERE/two.xml' >/dev/null && hs lab link --name $LAB trunk 0.5 &&
    hs lab down --name $LAB" || fail "up and down where nobody can write to /tmp" ;;
esac
expect_nothing "$LAB" "down where nobody can write to /tmp"

# What a throttler stopped, no other process continues.
hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || fail "up"
if [ -s "/run/heteroslice/$LAB/throttler" ]; then
    throttler=$(cut -d' ' -f1 "/run/heteroslice/$LAB/throttler")
    [ "$(cut -d' ' -f6 "/proc/$throttler/stat")" = "$throttler" ] || fail "signals to who made the lab reach the throttler"
    kill -KILL "$throttler"
    until_true flock -n "/run/heteroslice/$LAB/throttler" true || fail "the throttler does not end"
    expect_error 1 "the lab's throttler has ended; make the lab again" hs lab exec --name "$LAB" a1 -- true
    expect_error 1 "the lab's throttler has ended; make the lab again" hs lab run --name "$LAB" -- true
fi
hs lab down --name "$LAB" || fail "down without the throttler"
expect_nothing "$LAB" "down without the throttler"
[ "$(links)" = "$links_before" ] || fail "links of the machine changed"
[ "$(cksum </etc/hosts)" = "$hosts_before" ] || fail "/etc/hosts changed"
exit $failed
