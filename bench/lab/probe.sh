# SPDX-License-Identifier: BSD-3-Clause
# What hs probe measures on the demo platform within its default budget: speeds to that of a1, and bandwidths, to what the
# platform file says.
. "$(dirname "$0")/measure.sh"
platform=$HS_TEST_SRCDIR/examples/two-switches.xml
work=$(mktemp -d)

speed_of() { # HOST
    tr '{' '\n' <"$work/json" | sed -n "s/^\"host\":\"$1\",\"speed\":\([^,]*\),.*/\1/p"
}

bandwidth_of() { # PLATFORM FROM TO
    hs show "$1" --route "$2" "$3" --json | sed 's/.*"bandwidth":\([^,}]*\).*/\1/'
}

hs lab up --name "$LAB" "$platform" >/dev/null || exit 1
hs lab run --name "$LAB" -- hs probe -o "$work/xml" --json >"$work/json" || exit 1
echo what,in_file,measured
for host in a2:6 a3:4 b1:4 b2:3 b3:2; do
    awk "BEGIN { print \"${host%:*}/a1,\" ${host#*:} / 8 \",\" $(speed_of "${host%:*}") / $(speed_of a1) }"
done
for pair in a1:a2 a1:a3 a2:a3 b1:b2 b1:b3 b2:b3 a1:b1 a1:b2 a1:b3 a2:b1 a2:b2 a2:b3 a3:b1 a3:b2 a3:b3; do
    echo "$pair,$(bandwidth_of "$platform" ${pair%:*} ${pair#*:}),$(bandwidth_of "$work/xml" ${pair%:*} ${pair#*:})"
done
rm -r "$work"
