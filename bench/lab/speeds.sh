# SPDX-License-Identifier: BSD-3-Clause
# Work per second of wall time on each host, to that of a1: alone, all at once, and after a change of speed.
. "$(dirname "$0")/measure.sh"

# HOST: work in a second
work() {
    hs lab exec --name "$LAB" "$1" -- "$TOOLS/spin" 1
}

# HOW HOST EXPECTED WORK REFERENCE
row() {
    echo "$1,$2,$3,$(awk "BEGIN { print $4 / $5 }")"
}

hs lab up --name "$LAB" --cpus 0.8 "$HERE/two.xml" >/dev/null || exit 1
echo how,host,in_file,measured
reference=$(work a1)
for host in a2:0.5 b1:0.75 b2:0.25; do
    row alone "${host%:*}" "${host#*:}" "$(work "${host%:*}")" "$reference"
done
hs lab speed --name "$LAB" b1 0.1875
row slowed b1 0.140625 "$(work b1)" "$reference"
hs lab speed --name "$LAB" b1 1
work=$(mktemp -d)
for host in a1 a2 b1 b2; do
    work $host >"$work/$host" &
done
wait
for host in a2:0.5 b1:0.75 b2:0.25; do
    row together "${host%:*}" "${host#*:}" "$(cat "$work/${host%:*}")" "$(cat "$work/a1")"
done
rm -r "$work"
