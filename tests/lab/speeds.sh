# SPDX-License-Identifier: BSD-3-Clause
# Work per second of wall time on each host is in the ratios of the file, within 10 %, alone and all at once, also after
# a change of speed.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root

# HOST SECONDS
work() {
    hs lab exec --name "$LAB" "$1" -- "$TOOLS/spin" "$2"
}

# HOST RATIO: to the speed of a1, one at a time.
alone() {
    reference=$(work a1 0.7)
    got=$(work "$1" 0.7)
    close_to "$got" "$(awk "BEGIN { print $reference * $2 }")" 0.1 || echo "$1 alone does $got, a1 $reference"
    close_to "$got" "$(awk "BEGIN { print $reference * $2 }")" 0.1
}

together() {
    for host in a1 a2 b1 b2; do
        work $host 1 >"$LAB.$host" &
    done
    wait
    good=0 reference=$(cat "$LAB.a1")
    for expected in a2:0.5 b1:0.75 b2:0.25; do
        got=$(cat "$LAB.${expected%:*}")
        if ! close_to "$got" "$(awk "BEGIN { print $reference * ${expected#*:} }")" 0.1; then
            echo "${expected%:*} together does $got, a1 $reference"
            good=1
        fi
    done
    rm -f "$LAB".[ab][12]
    return $good
}

# The host's speed is quartered while it works.
drifting() {
    hs lab speed --name "$LAB" b1 1
    before=$(work b1 0.7)
    hs lab speed --name "$LAB" b1 0.25
    after=$(work b1 0.7)
    hs lab speed --name "$LAB" b1 1
    close_to "$after" "$(awk "BEGIN { print $before / 4 }")" 0.1 || echo "b1 does $before, at a quarter $after"
    close_to "$after" "$(awk "BEGIN { print $before / 4 }")" 0.1
}

hs lab up --name "$LAB" --cpus 0.8 "$HERE/two.xml" >/dev/null || fail "up"
persistently alone a2 0.5
persistently alone b2 0.25
persistently together
persistently drifting
hs lab down --name "$LAB" || fail "down"
exit $failed
