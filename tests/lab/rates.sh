# SPDX-License-Identifier: BSD-3-Clause
# TCP flows get the bandwidths of the file, alone and together, within 10 %.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
SECONDS_EACH=1.2

# FROM:TO:MBPS ...: all flows at once; prints the first that does not get its rate.
flows() {
    port=7000 jobs=
    for flow; do
        from=${flow%%:*} to=${flow#*:} to=${to%:*} port=$((port + 1))
        hs lab exec --name "$LAB" "$to" -- "$TOOLS/flow" receive $port $SECONDS_EACH >"$LAB.$port" &
        jobs="$jobs $!"
        hs lab exec --name "$LAB" "$from" -- "$TOOLS/flow" send "$to" $port &
        jobs="$jobs $!"
    done
    wait $jobs
    port=7000 good=0
    for flow; do
        port=$((port + 1))
        got=$(awk '{ printf "%.2f", $1 * 8 / 1e6 }' "$LAB.$port")
        rm -f "$LAB.$port"
        if ! close_to "${got:-0}" "${flow##*:}" 0.1; then
            echo "of $*: ${flow%:*} has ${got:-no} Mbps"
            good=1
        fi
    done
    return $good
}

hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || fail "up"
persistently flows a1:a2:80
persistently flows a1:b1:40
persistently flows a1:b1:20 a2:b2:20
persistently flows a1:b1:20 b2:a2:20
persistently flows a1:a2:80 a2:a1:80
hs lab down --name "$LAB" || fail "down"

hs lab up --name "$LAB" --rate-scale 0.5 "$HERE/full.xml" >/dev/null || fail "up of the Full zone"
persistently flows a:c:10 b:c:10
persistently flows a:d:15 b:d:15
hs lab down --name "$LAB" || fail "down"
exit $failed
