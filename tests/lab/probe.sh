# SPDX-License-Identifier: BSD-3-Clause
# On the demo platform and within its default budget, hs probe measures ratios of speeds within 5 %, and bandwidths
# within 10 % of the narrowest link of each route; the file it writes agrees with its JSON.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
need_mpirun
hs help probe >/dev/null 2>&1 || skip "built without MPI"
PLATFORM=$HS_TEST_SRCDIR/examples/two-switches.xml
HOSTS="a1:8 a2:6 a3:4 b1:4 b2:3 b3:2"

speed_of() { # HOST: its measured speed, from the JSON
    tr '{' '\n' <"$LAB.json" | sed -n "s/^\"host\":\"$1\",\"speed\":\([^,]*\),.*/\1/p"
}

bandwidth_of() { # FROM TO
    tr '{' '\n' <"$LAB.json" | sed -n "s/^\"from\":\"$1\",\"to\":\"$2\",\"bandwidth\":\([^,]*\),.*/\1/p"
}

route_bandwidth() { # PLATFORM FROM TO
    hs show "$1" --route "$2" "$3" --json | sed 's/.*"bandwidth":\([^,}]*\).*/\1/'
}

check_speeds() {
    good=0
    for one in $HOSTS; do
        for other in $HOSTS; do
            ratio=$(awk "BEGIN { print $(speed_of "${one%:*}") / $(speed_of "${other%:*}") }")
            close_to "$ratio" "$(awk "BEGIN { print ${one#*:} / ${other#*:} }")" 0.05 && continue
            echo "${one%:*} is $ratio times as fast as ${other%:*}."
            good=1
        done
    done
    return $good
}

check_links() {
    good=0
    for pair in a1:a2 a1:a3 a2:a3 b1:b2 b1:b3 b2:b3 a1:b1 a1:b2 a1:b3 a2:b1 a2:b2 a2:b3 a3:b1 a3:b2 a3:b3; do
        from=${pair%:*} to=${pair#*:}
        got=$(bandwidth_of $from $to)
        close_to "$(route_bandwidth "$LAB.xml" $from $to)" "$got" 1e-9 || echo "the file has another one for $pair."
        close_to "$got" "$(route_bandwidth "$PLATFORM" $from $to)" 0.1 && continue
        echo "$from to $to: $got bytes/s."
        good=1
    done
    return $good
}

probe() {
    rm -f "$LAB.xml"
    hs lab run --name "$LAB" -- hs probe -o "$LAB.xml" --json >"$LAB.json" || { echo "exit $?"; return 1; }
    check_speeds && check_links
}

hs lab up --name "$LAB" "$PLATFORM" >/dev/null || fail "up"
persistently probe
hs lab down --name "$LAB" || fail "down"
rm -f "$LAB.xml" "$LAB.json"
exit $failed
