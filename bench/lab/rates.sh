# SPDX-License-Identifier: BSD-3-Clause
# Bandwidths that TCP flows get, alone and together, to what the platform file says.
. "$(dirname "$0")/measure.sh"
work=$(mktemp -d)

# FROM:TO:MBPS ...: all flows at once
flows() {
    port=7000
    for flow; do
        from=${flow%%:*} to=${flow#*:} to=${to%:*} port=$((port + 1))
        hs lab exec --name "$LAB" "$to" -- bench/lab/flow receive $port 1.2 >"$work/$port" &
        hs lab exec --name "$LAB" "$from" -- bench/lab/flow send "$to" $port &
    done
    wait
    port=7000
    for flow; do
        port=$((port + 1))
        echo "$*,${flow%:*},${flow##*:},$(awk '{ print $1 * 8 / 1e6 }' "$work/$port")"
    done
}

echo flows,flow,in_file_mbps,measured_mbps
hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || exit 1
flows a1:a2:80
flows a1:b1:40
flows a1:b1:20 a2:b2:20
flows a1:b1:20 b2:a2:20
flows a1:a2:80 a2:a1:80
hs lab down --name "$LAB"
hs lab up --name "$LAB" --rate-scale 0.5 "$HERE/full.xml" >/dev/null || exit 1
flows a:c:10 b:c:10
flows a:d:15 b:d:15
rm -r "$work"
