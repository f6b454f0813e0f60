# SPDX-License-Identifier: BSD-3-Clause
# Drawings of hs show: no text over another, every host named, the ring's hosts around the drawing in its order, bandwidths
# in the units of the file.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
check() { python3 "$HS_TEST_SRCDIR/tests/cli/check_drawing.py" "$@" || fail "$1"; }

# HOSTS...: a platform of stars with so many hosts each, joined in the middle when there are several; long names with HOST set.
stars() {
    echo '<?xml version="1.0"?><platform version="4.1"><zone id="all" routing="Floyd">'
    for part in hosts routers links routes; do
        star=0
        for hosts in "$@"; do
            star=$((star + 1))
            [ $part != routers ] || echo "<router id=\"switch-$star\"/>"
            for host in $(seq "$hosts"); do
                name=${HOST:-h}$star-$host
                case $part in
                hosts) echo "<host id=\"$name\" speed=\"$((host % 5 + 1))Gf\"/>" ;;
                links) echo "<link id=\"l$name\" bandwidth=\"$((host % 3 + 1))00Mbps\" latency=\"20us\"/>" ;;
                routes) echo "<route src=\"$name\" dst=\"switch-$star\"><link_ctn id=\"l$name\"/></route>" ;;
                esac
            done
            [ $star -gt 1 ] || continue
            [ $part != links ] || echo "<link id=\"trunk$star\" bandwidth=\"60Mbps\" latency=\"100us\"/>"
            [ $part != routes ] || echo "<route src=\"switch-1\" dst=\"switch-$star\"><link_ctn id=\"trunk$star\"/></route>"
        done
    done
    echo '</zone></platform>'
}

# NAME: the platform $work/NAME.xml, with and without a ring.
draw() {
    hs ring "$work/$1.xml" --work 27Gf --halo 64KiB --budget 1 --json >"$work/$1.json" &&
        hs show "$work/$1.xml" --svg "$work/$1-plain.svg" &&
        hs show "$work/$1.xml" --ring "$work/$1.json" --svg "$work/$1.svg" || fail "$1 cannot be drawn"
    check "$work/$1-plain.svg"
    check "$work/$1.svg" "$work/$1.json"
}

cp "$HS_TEST_SRCDIR/examples/two-switches.xml" "$work/six.xml"
stars 14 14 >"$work/two.xml"
stars 20 8 >"$work/unequal.xml"
stars 7 7 7 7 >"$work/four.xml"
HOST=a-long-name stars 14 14 >"$work/long.xml"
stars 5 4 4 >"$work/three.xml"
stars 64 >"$work/one.xml"
for platform in six two unequal four long three one; do draw $platform; done
grep -q '>60 Mbps, ' "$work/two.svg" && ! grep -q 'MBps' "$work/two.svg" || fail "the trunk lacks its bandwidth as the file has it"
for drawing in two two-plain unequal unequal-plain four four-plain long three three-plain one; do
    links=$(grep -c '<link ' "$work/${drawing%-plain}.xml")
    [ "$(grep -c '<text.*>[1236]0*0 Mbps' "$work/$drawing.svg")" = "$links" ] || fail "$drawing: not every link has its bandwidth"
done
grep -q '>a ring of 6 hosts out of 6<' "$work/six.svg" || fail "no title"
exit $failed
