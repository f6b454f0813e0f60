# SPDX-License-Identifier: BSD-3-Clause
# hs ring: the contract of its JSON, tables for people, and bad input.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
demo=$HS_TEST_SRCDIR/examples/two-switches.xml
failed=0
fail() { echo "$*"; failed=1; }

hs ring "$demo" --work 27Gf --halo 100kB --json >"$dir/a.json" || fail "--json: exit $?"
[ "$(grep -c . "$dir/a.json")" = 1 ] || fail "--json prints more than one line"
grep -q '^{"step_time":[0-9.]*,"work":27000000000.0,"halo":100000.0,"lower_bound":[0-9.]*,"ring":\[{"host":"[ab]' "$dir/a.json" ||
    fail "keys: $(cat "$dir/a.json")"
grep -q '"paths":\[{"from":"[ab][123]","to":"[ab][123]","links":\["l[ab][123]_UP",.*"by_size":\[{"hosts":1,"step_time":3.375}' \
    "$dir/a.json" || fail "paths and sizes: $(cat "$dir/a.json")"
hs ring "$demo" --work 27Gf --halo 100kB --json | cmp -s - "$dir/a.json" || fail "two runs differ"

hs ring "$demo" --work=27Gf --halo=100kB --units 100 --minimum 3 >"$dir/out" || fail "--units: exit $?"
grep -q '^step time ' "$dir/out" || fail "no summary: $(cat "$dir/out")"
grep -q '^HOST .*SHARE.*UNITS' "$dir/out" || fail "no table: $(cat "$dir/out")"

hs ring "$demo" --work 27Gf --halo 1MB --order a1,b1,a2,b2,a3,b3 --json >"$dir/bad.json" || fail "--order: exit $?"
grep -q '"ring":\[{"host":"a1".*"host":"b1".*"host":"a2".*"host":"b2".*"host":"a3".*"host":"b3"' "$dir/bad.json" ||
    fail "--order: $(cat "$dir/bad.json")"

hs ring "$demo" --work 27Gf --halo 1MB --simulate 3 --json >"$dir/out" || fail "--simulate: exit $?"
grep -q ',"simulated_time":[0-9.]*}$' "$dir/out" || fail "--simulate: $(cat "$dir/out")"
hs ring "$demo" --work 27Gf --halo 1MB --simulate 3 | grep -q '^simulated: .* over 3 steps' || fail "--simulate in tables"

# The ring that is held: the same way round from the same host on, and nothing moves; also of a ring that goes the other way.
planned="$demo --work 27Gf --halo 100kB --units 100"
hs ring $planned --json >"$dir/held.json" || fail "--units --json: exit $?"
python3 - "$dir/held.json" "$dir/turned.json" <<'END' || fail "no python3"
import json, sys
plan = json.load(open(sys.argv[1]))
plan["ring"] = (plan["ring"][2:] + plan["ring"][:2])[::-1]
json.dump(plan, open(sys.argv[2], "w"))
END
hs ring $planned --held "$dir/held.json" | grep -q '^held: 0 of 100 units change hosts$' || fail "--held: units move"
for held in held turned; do
    hs ring $planned --held "$dir/$held.json" --json >"$dir/out" || fail "--held $held: exit $?"
    grep -q ',"moved_units":0}$' "$dir/out" || fail "--held $held: $(cat "$dir/out")"
    grep -o '"host":"[^"]*"' "$dir/out" >"$dir/order"
    grep -o '"host": *"[^"]*"' "$dir/$held.json" | sed 's/: /:/' | cmp -s - "$dir/order" || fail "--held $held: $(cat "$dir/order")"
    hs show "$demo" --ring "$dir/out" --svg "$dir/turned.svg" || fail "hs show --ring, $held: exit $?"
done
sed 's/"host":"a1"/"host":"gone"/' "$dir/held.json" >"$dir/gone.json" # what a host has that is not there any more, moves
hs ring $planned --held "$dir/gone.json" --json | grep -q ',"moved_units":[1-9][0-9]*}$' || fail "--held with a host that is gone"

for routes in fixed free; do
    for share in greedy maxmin optimal; do
        for search in paper best; do
            hs ring "$demo" --work 27Gf --halo 1MB --routes $routes --share $share --search $search --overlap --latency \
                --budget 500 --json >/dev/null || fail "$routes $share $search: exit $?"
        done
    done
done

# The plan as a picture
hs show "$demo" --ring "$dir/a.json" --svg "$dir/a.svg" || fail "hs show --ring: exit $?"
grep -q 'share of the work' "$dir/a.svg" && grep -q '^<path d="M.*C.*Z"' "$dir/a.svg" || fail "no ring in the drawing"
refuse() { # TEXT JSON
    printf '%s' "$2" >"$dir/plan.json"
    hs show "$demo" --ring "$dir/plan.json" --svg "$dir/b.svg" 2>"$dir/err"
    [ $? = 1 ] || fail "hs show --ring takes $2"
    grep -q -e "^hs show: $dir/plan.json:.*$1" "$dir/err" || fail "'$1' is not in '$(cat "$dir/err")'"
    [ ! -e "$dir/b.svg" ] || fail "hs show --ring left a file"
}
refuse "1: " '{'
refuse 'no array "ring"' '{}'
refuse "no host 'zz'" '{"ring":[{"host":"zz","share":1}],"paths":[]}'
refuse "twice" '{"ring":[{"host":"a1","share":0.5},{"host":"a1","share":0.5}],"paths":[]}'
refuse 'member 1 of the ring has no "host" or no "share" from 0 to 1' '{"ring":[{"host":"a1"}],"paths":[]}'
refuse 'member 2 of the ring has no "host"' '{"ring":[{"host":"a1","share":0.5},{"share":0.5}],"paths":[]}'
refuse 'no "share" from 0 to 1' '{"ring":[{"host":"a1","share":1.5}],"paths":[]}'
refuse 'no array "paths"' '{"ring":[{"host":"a1","share":1}]}'
refuse 'a path without "links" or "bandwidth"' '{"ring":[{"host":"a1","share":1}],"paths":[{"links":["la1_UP"]}]}'
refuse "no link ''" '{"ring":[{"host":"a1","share":1}],"paths":[{"links":[7],"bandwidth":1}]}'
refuse "no link 'zz'" '{"ring":[{"host":"a1","share":1}],"paths":[{"links":["zz"],"bandwidth":1}]}'
hs show "$demo" --ring "$dir/a.json" 2>/dev/null
[ $? = 2 ] || fail "hs show --ring without a drawing"

expect_error() { # STATUS TEXT ARGUMENT...
    status=$1 text=$2
    shift 2
    hs ring "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ "$got" = "$status" ] || fail "hs ring $*: exit $got, expected $status"
    grep -q -e "$text" "$dir/err" || fail "hs ring $*: '$text' is not in '$(cat "$dir/err")'"
    [ "$(grep -c '^hs ring: ' "$dir/err")" = 1 ] || fail "hs ring $*: not one line: $(cat "$dir/err")"
    [ ! -s "$dir/out" ] || fail "hs ring $*: prints $(cat "$dir/out")"
}
expect_error 2 "no platform file"
expect_error 2 "halo is missing" "$demo" --work 1Gf
expect_error 2 "work is missing" "$demo" --halo 1kB
expect_error 1 "takes one of" "$demo" --work 1Gf --halo 1kB --share fair
expect_error 1 "at least 1" "$demo" --work 1Gf --halo 1kB --units 0
expect_error 1 "at least 1" "$demo" --work 1Gf --halo 1kB --simulate 0
expect_error 1 "at most 1000000, not '9000000000000000000'" "$demo" --work 1Gf --halo 1kB --simulate 9000000000000000000
expect_error 1 "work" "$demo" --work=-1 --halo 1kB
expect_error 1 "halo" "$demo" --work 1Gf --halo nan
hs ring "$demo" --work 1Gf --halo 1kB --order a1,a2 --share greedy | grep -q ', maxmin bandwidths$' || fail "--order does not share greedily"
expect_error 1 "fewer than the least slice" "$demo" --work 1Gf --halo 1kB --units 3 --minimum 4
expect_error 1 "no host 'c9'" "$demo" --work 1Gf --halo 1kB --order a1,c9
expect_error 1 "host 'a2' is in the ring twice" "$demo" --work 1Gf --halo 1kB --order a1,a2,a2
expect_error 1 "host 'a1' is in the ring twice" "$demo" --work 1Gf --halo 1kB --order a1,a2,a3,b1,b2,b3,a1
expect_error 2 "held requires --units" "$demo" --work 1Gf --halo 1kB --held "$dir/held.json"
expect_error 1 "the ring has 100 units, not the 101" "$demo" --work 1Gf --halo 1kB --units 101 --held "$dir/held.json"
expect_error 1 "not 0 to" "$demo" --work 1Gf --halo 1kB --units 99 --held "$dir/held.json"
expect_error 1 "$dir/none.json" "$demo" --work 1Gf --halo 1kB --units 9 --held "$dir/none.json"
echo '{"ring":[{"host":"a1","units":4},{"host":"a1","units":5}]}' >"$dir/twice.json"
expect_error 1 "twice" "$demo" --work 1Gf --halo 1kB --units 9 --held "$dir/twice.json"
echo '{"ring":[{"host":"a1","units":0},{"host":"a1","units":9}]}' >"$dir/twice.json"
expect_error 1 "host 'a1' is in the ring twice" "$demo" --work 1Gf --halo 1kB --units 9 --held "$dir/twice.json"
echo '{"ring":[{"host":"a1","units":-4}]}' >"$dir/twice.json"
expect_error 1 "not 0 to 9" "$demo" --work 1Gf --halo 1kB --units 9 --held "$dir/twice.json"
echo '[]' >"$dir/twice.json"
expect_error 1 'no array "ring"' "$demo" --work 1Gf --halo 1kB --units 9 --held "$dir/twice.json"
expect_error 1 "$dir/none.xml" "$dir/none.xml" --work 1Gf --halo 1kB
cat >"$dir/full.xml" <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1MBps" latency="0s"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
expect_error 1 "free routes" "$dir/full.xml" --work 1Gf --halo 1kB --routes free

# Speeds by size: with --data the fast host's cache counts, and no slice is above the largest; without it nothing changes.
sizes=$HS_TEST_SRCDIR/tests/platforms/speeds-by-size.xml
sed '/<prop/d' "$sizes" >"$dir/plain.xml"
hs ring "$sizes" --work 10Gf --halo 0B --json >"$dir/a.json" || fail "speeds by size without --data: exit $?"
hs ring "$dir/plain.xml" --work 10Gf --halo 0B --json | cmp -s - "$dir/a.json" || fail "speeds by size count without --data"
hs ring "$sizes" --work 10Gf --halo 0B >"$dir/out" || fail "speeds by size, table: exit $?"
grep -q '^without --data: 1 host with speeds by size, 2 with a largest slice, not used$' "$dir/out" || fail "not told: $(cat "$dir/out")"
hs ring "$dir/plain.xml" --work 10Gf --halo 0B | grep -q -e --data && fail "tells of speeds that are not there"
hs ring "$sizes" --work 10Gf --halo 0B --data 4GiB >"$dir/out" || fail "--data: exit $?"
grep -q '^slices of 4 GiB in all: 1 host with speeds by size, 2 with a largest slice$' "$dir/out" || fail "--data: $(cat "$dir/out")"
hs ring "$sizes" --work 10Gf --halo 0B --data 4GiB --json >"$dir/b.json" || fail "--data --json: exit $?"
python3 - "$dir/a.json" "$dir/b.json" <<'END' || fail "--data: $(cat "$dir/b.json")"
import json, sys
plain, sized = (json.load(open(path)) for path in sys.argv[1:])
assert set(sized) - set(plain) == {"data"} and sized["data"] == 4 * 2**30
size = {m["host"]: m["size"] for m in sized["ring"]}
share = {m["host"]: m["share"] for m in plain["ring"]}
assert abs(share["cached"] - 8 / 12) < 1e-9
assert abs(size["small"] - 2**28) < 1 and abs(size["cached"] - size["steady"]) < 1 and size["cached"] < 2**31
END
sed 's,"steady" speed="2Gf"/>,"steady" speed="2Gf"><prop id="max_slice" value="1GiB"/></host>,; s,8GiB,1GiB,' "$sizes" >"$dir/small.xml"
expect_error 1 "the largest slices of all hosts together are smaller" "$dir/small.xml" --work 1Gf --halo 0B --data 4GiB
expect_error 1 "the largest slices of the ring's hosts" "$sizes" --work 1Gf --halo 0B --data 4GiB --order small
expect_error 1 "requires a size and a work above 0" "$sizes" --work 0f --halo 0B --data 4GiB
expect_error 1 "requires a size and a work above 0" "$sizes" --work 1Gf --halo 0B --data 0B

# A host of speed 0 is off: it stays out of the ring, and only relays in a given one.
sed 's,id="a2" speed="[^"]*",id="a2" speed="0",' "$demo" >"$dir/off.xml"
grep -q 'id="a2" speed="0"' "$dir/off.xml" || fail "the demo has no host a2"
for options in "--search paper" "--share greedy" "--share optimal" "--routes free --units 50" "--overlap"; do
    hs ring "$dir/off.xml" --work 27Gf --halo 100kB $options --json >"$dir/off.json" || fail "speed 0, $options: exit $?"
    grep -q '"host":"a1"' "$dir/off.json" || fail "speed 0, $options: no ring: $(cat "$dir/off.json")"
    grep -q '"host":"a2"' "$dir/off.json" && fail "speed 0, $options: a2 is in: $(cat "$dir/off.json")"
done
hs ring "$dir/off.xml" --work 27Gf --halo 100kB --order a1,a2,a3 --simulate 3 --json >"$dir/out" || fail "relay: exit $?"
grep -q '"host":"a2","share":0.0,"units":0,"compute_time":0.0,' "$dir/out" || fail "relay: $(cat "$dir/out")"
hs show "$dir/off.xml" | grep -q '^a2 *0 f ' || fail "hs show: $(hs show "$dir/off.xml")"
hs show "$dir/off.xml" --ring "$dir/off.json" --svg "$dir/off.svg" || fail "hs show --ring, speed 0: exit $?"
hs lab up "$dir/off.xml" --no-network --name hs-ring-test-off >"$dir/out" 2>"$dir/err" && fail "hs lab up, speed 0"
grep -q "^hs lab up: host 'a2' has speed 0" "$dir/err" || fail "hs lab up: $(cat "$dir/err")"
expect_error 1 "no host of the ring" "$dir/off.xml" --work 1Gf --halo 1kB --order a2
sed 's,speed="[^"]*",speed="0f",' "$demo" >"$dir/off.xml"
expect_error 1 "no host of the platform can compute" "$dir/off.xml" --work 1Gf --halo 1kB
exit $failed
