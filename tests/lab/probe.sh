# SPDX-License-Identifier: BSD-3-Clause
# On the demo platform, hs probe measures every host and every pair by its name; the file it writes agrees with its JSON, and
# with the flows that it measured.
# bench/lab/probe.sh tells how near the figures are.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
need_mpirun
hs help probe >/dev/null 2>&1 || skip "built without MPI"

hs lab up --name "$LAB" "$HS_TEST_SRCDIR/examples/two-switches.xml" >/dev/null || fail "up"
hs lab run --name "$LAB" -- hs probe --budget 1s -o "$LAB.xml" --readings "$LAB.csv" --json >"$LAB.json" || fail "probe: exit $?"
for host in a1 a2 a3 b1 b2 b3; do
    speed=$(tr '{' '\n' <"$LAB.json" | sed -n "s/^\"host\":\"$host\",\"speed\":\([^,]*\),.*/\1/p")
    awk "BEGIN { exit !(${speed:-0} > 0) }" || fail "$host has no speed"
done
for pair in a1:a2 a1:a3 a2:a3 b1:b2 b1:b3 b2:b3 a1:b1 a1:b2 a1:b3 a2:b1 a2:b2 a2:b3 a3:b1 a3:b2 a3:b3; do
    from=${pair%:*} to=${pair#*:}
    told=$(tr '{' '\n' <"$LAB.json" | sed -n "s/^\"from\":\"$from\",\"to\":\"$to\",\"bandwidth\":\([^,]*\),.*/\1/p")
    # The slower way: directions may differ.
    written=$({ hs show "$LAB.xml" --route "$from" "$to" --json; hs show "$LAB.xml" --route "$to" "$from" --json; } |
        sed 's/.*"bandwidth":\([^,}]*\).*/\1/' | sort -g | head -1)
    close_to "$written" "${told:-0}" 1e-9 || fail "$from to $to is told as ${told:-nothing} and written as $written"
done
hs lab down --name "$LAB" || fail "down"

# Every host sends and receives once in the first round of flows, and the comment counts them all.
for end in 2 3; do
    [ "$(grep ^0, "$LAB.csv" | cut -d, -f$end | sort | tr '\n' ' ')" = "a1 a2 a3 b1 b2 b3 " ] ||
        fail "the first round is $(grep ^0, "$LAB.csv")"
done
if grep -q '"links_found":0' "$LAB.json"; then
    grep -q 'a link for each pair of hosts' "$LAB.xml" || fail "the clique does not say so"
else
    grep -q "links from .* flows in" "$LAB.xml" && grep -q 'host_a1: ' "$LAB.xml" || fail "no intervals: $(head -9 "$LAB.xml")"
    [ "$(hs show "$LAB.xml" --json | grep -c '"switch_0"')" = 1 ] || fail "no router in $(cat "$LAB.xml")"
fi
rm -f "$LAB.xml" "$LAB.json" "$LAB.csv"
exit $failed
