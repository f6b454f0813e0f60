# SPDX-License-Identifier: BSD-3-Clause
# hs show and hs generate: output and exit statuses.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
demo=$HS_TEST_SRCDIR/examples/two-switches.xml

exactly '{"links":["la1_UP","trunk_UP","lb3_DOWN"],"latency":0.0,"bandwidth":7500000.0}' \
    hs show "$demo" --route a1 b3 --json
exactly '{"links":["lb3_UP","trunk_DOWN","la1_DOWN"],"latency":0.0,"bandwidth":7500000.0}' \
    hs show --route b3 a1 "$demo" --json
exactly '{"links":[],"latency":0.0,"bandwidth":null}' hs show "$demo" --route a1 a1 --json
exactly 'a1 to a1: no links' hs show "$demo" --route a1 a1
expect 0 out "6 hosts, 2 routers, 14 links" hs show "$demo"
expect 0 out "a1 to b3: 3 links, 7.5 MBps, 0 s" hs show "$demo" --route a1 b3
expect 0 out "a1 to s1: 1 link, 25 MBps, 0 s" hs show "$demo" --route a1 s1
expect 0 out '{"id":"a1","speed":8000000000.0,"cores":1}' hs show "$demo" --json
expect 0 out "<svg" hs show "$demo" --svg -
expect 0 out "graph platform" hs show "$demo" --dot -
hs show "$demo" --svg "$work/a.svg" --dot "$work/a.dot" && [ -s "$work/a.svg" ] && [ -s "$work/a.dot" ] ||
    { echo "no drawings"; failed=1; }

silent() { # TEXT COMMAND...: TEXT is not on standard output
    text=$1
    shift
    case $("$@") in *"$text"*) echo "$*: '$text' is in it"; failed=1 ;; esac
}

# A bandwidth that is only a lower bound is told wherever it counts
sed '/<link id="trunk"/s#/>#><prop id="bandwidth" value="at least"/><prop id="a" value="b"/></link>#' "$demo" >"$work/bound.xml"
expect 0 out "7.5 MBps        0 s  splitduplex  bandwidth at least this" hs show "$work/bound.xml"
expect 0 out '"sharing":"splitduplex","at_least":true}' hs show "$work/bound.xml" --json
expect 0 out "links in use whose bandwidth is only a lower bound: 2 (first: trunk_UP)" \
    hs ring "$work/bound.xml" --work 27Gf --halo 100kB
expect 0 out ',"at_least":["trunk_UP","trunk_DOWN"]}' hs ring "$work/bound.xml" --work 27Gf --halo 100kB --json
silent "lower bound:" hs ring "$work/bound.xml" --work 27Gf --halo 100kB --order a1,a2,a3
silent "at_least" hs ring "$demo" --work 27Gf --halo 100kB --json
silent "lower bound:" hs ring "$demo" --work 27Gf --halo 100kB

# A message alone is not limited by what is wider than the narrowest link of its route
expect 0 out "lower bound: 1 (first: trunk_UP)" hs scatter "$work/bound.xml" --root a1 --item-work 1Mf --item-bytes 1kB --load 9
expect 0 out '"at_least":["trunk_DOWN"]' \
    hs scatter "$work/bound.xml" --root b1 --item-work 1Mf --item-bytes 1kB --load 9 --json
silent "lower bound:" hs reduce "$work/bound.xml" --bytes 1MB
silent "at_least" hs scatter "$demo" --item-work 1Mf --item-bytes 1kB --load 9 --json
sed '/<link id="l/s#/>#><prop id="bandwidth" value="at least"/></link>#' "$demo" >"$work/wide.xml"
expect 0 out "lower bound: " hs reduce "$work/wide.xml" --bytes 1MB
expect 0 out '"at_least":["l' hs reduce "$work/wide.xml" --bytes 1MB --json
silent '"trunk' hs reduce "$work/wide.xml" --bytes 1MB --json
expect 0 out '"at_least":["la1_UP","la2_DOWN","la3_DOWN"]}' \
    hs scatter "$work/wide.xml" --root a1 --item-work 1Mf --item-bytes 1kB --load 9 --json

# Flows at once: two over the trunk share its 7.5 MB/s, the one inside a switch has its own links
expect 0 out '{"flows":[{"from":"a1","to":"b1","bandwidth":3750000' hs show "$demo" --flows a1:b1,a2:b2,a2:a3 --json
expect 0 out '{"from":"a2","to":"a3","bandwidth":21250000' hs show "$demo" --flows a1:b1,a2:b2,a2:a3 --json
expect 0 out '"to":"a1","bandwidth":null' hs show "$demo" --flows a1:a1 --json
expect 0 out "7.5 MBps" hs show "$demo" --flows a1:b1
[ "$(hs show "$demo" --flows a1:a1 | tail -n 1 | tr -s ' ')" = "a1 a1 -" ] || { echo "a flow without links: $(hs show "$demo" --flows a1:a1)"; failed=1; }

# Speeds by size
sizes=$HS_TEST_SRCDIR/tests/platforms/speeds-by-size.xml
expect 0 out "cached  4 Gf with 8 MiB, 1 Gf with 64 MiB; at most 8 GiB" hs show "$sizes"
expect 0 out "small   at most 256 MiB" hs show "$sizes"
silent "steady  at" hs show "$sizes"
expect 0 out '"cores":2,"speed_by_size":[{"size":8388608.0,"speed":4000000000.0},{"size":67108864.0,"speed":1000000000.0}],"max_slice":8589934592.0}' \
    hs show "$sizes" --json
silent "SIZE" hs show "$demo"
awk '/<host id="steady"/ { for (i = 0; i < 50; i++) printf "<host id=\"h%d\" speed=\"1Gf\"/>\n", i } 1' "$sizes" >"$work/many.xml"
expect 0 out "1 host with speeds by size, 2 with a largest slice" hs show "$work/many.xml"

# Wrong usage
expect 2 err "no platform file" hs show
expect 2 err "--route needs two values" hs show "$demo" --route a1
expect 2 err "unknown option '--picture'" hs show "$demo" --picture
expect 2 err "--route excludes --flows" hs show "$demo" --route a1 b1 --flows a1:b1
expect 2 err "--ring requires --svg or --dot" hs show "$demo" --ring x
expect 2 err "a drawing excludes --route, --flows and --json" hs show "$demo" --svg - --json
expect 2 err "--routers is missing" hs generate --hosts 3
expect 1 err "--hosts takes an integer of at most 2147483647, not '2147483648'" hs generate --hosts 2147483648 --routers 1 --links 3
expect 1 err "--hosts takes an integer of at least 1, not '0'" hs generate --hosts 0 --routers 1 --links 3

# Bad input: one line that names file and line
printf '<platform version="4.1">\n<zone id="z" routing="Full">\n<host id="a" speed="3"/>\n' >"$work/bad.xml"
expect 1 err "hs show: $work/bad.xml:3: host 'a': speed: '3' has no unit: expected a speed above 0 such as 8Gf" \
    hs show "$work/bad.xml"
[ "$(wc -l <"$work/err")" -eq 1 ] || { echo "not one line: $(cat "$work/err")"; failed=1; }
expect 1 err "hs show: $work/none.xml: cannot read it: No such file or directory" hs show "$work/none.xml"
expect 1 err "hs show: $demo: no host or router 'nobody'" hs show "$demo" --route a1 nobody
expect 1 err "hs show: $demo: --flows: 'a1:nobody' is not FROM:TO with two hosts or routers" \
    hs show "$demo" --flows a1:b1,a1:nobody
expect 1 err "hs show: $HS_TEST_SRCDIR/tests/platforms/islands.xml: 'a' to 'c': no route leads there" \
    hs show "$HS_TEST_SRCDIR/tests/platforms/islands.xml" --route a c
expect 1 err "9 links: 2 hosts and 1 router take 2 to 2" hs generate --hosts 2 --routers 1 --links 9
expect 1 err "4 links: 3 hosts and 3 routers take 5 to 6" hs generate --hosts 3 --routers 3 --links 4
expect 1 err "cannot write /nonexistent/x" hs show "$demo" --svg /nonexistent/x
expect 1 err "cannot write /nonexistent/x" hs generate --hosts 1 --routers 1 --links 1 -o /nonexistent/x

# The generator: the same file for the same seed, and one that reads back
hs generate --hosts 37 --routers 47 --links 91 --seed 5 >"$work/g.xml" &&
    hs generate --hosts 37 --routers 47 --links 91 --seed 5 -o "$work/h.xml" && cmp "$work/g.xml" "$work/h.xml" || failed=1
expect 0 out "37 hosts, 47 routers, 91 links" hs show "$work/g.xml"
exit $failed
