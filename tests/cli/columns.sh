# SPDX-License-Identifier: BSD-3-Clause
# hs columns and hs grid: output and bad input.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"

exactly '{"half_perimeter_sum":4.0,"half_perimeter_max":1.0,"lower_bound":4.0,"optimal":true,"columns":[{"width":0.5,"rectangles":[{"host":0,"height":0.5},{"host":1,"height":0.5}]},{"width":0.5,"rectangles":[{"host":2,"height":0.5},{"host":3,"height":0.5}]}]}' \
    hs columns --speeds 1,1,1,1 --json
exactly '{"half_perimeter_sum":30,"half_perimeter_max":15,"lower_bound":30,"optimal":false,"largest_load":16.666666666666668,"columns":[{"width":10,"rectangles":[{"host":1,"height":5},{"host":2,"height":5}]}]}' \
    hs columns --speeds 0,3,3 --blocks 10 --json
exactly '{"half_perimeter_sum":270,"half_perimeter_max":60,"lower_bound":260,"optimal":false,"largest_load":108.0,"columns":[{"width":36,"rectangles":[{"host":0,"height":24},{"host":1,"height":18},{"host":2,"height":12}]},{"width":18,"rectangles":[{"host":3,"height":24},{"host":4,"height":18},{"host":5,"height":12}]}]}' \
    hs columns --speeds=8,6,4,4,3,2 --blocks=54 --json
exactly '{"half_perimeter_sum":2.0,"half_perimeter_max":2.0,"lower_bound":2.0,"optimal":true,"rectangles":[{"host":0,"x":0.0,"y":0.0,"width":1.0,"height":1.0}]}' \
    hs columns --speeds 5Gf --method recursive --json
exactly '{"half_perimeter_sum":4,"half_perimeter_max":4,"lower_bound":4,"optimal":false,"largest_load":4.0,"rectangles":[{"host":0,"x":0,"y":0,"width":2,"height":2}]}' \
    hs columns --speeds 1,0,0 --method recursive --blocks 2 --json
expect 0 out "6 rectangles in 2 columns" hs columns --speeds 8,6,4,4,3,2
expect 0 out "optimal" hs columns --speeds 8,6,4,4,3,2 --objective max
expect 0 out "1 rectangle in 1 column on 1 x 1 blocks, 2 hosts without an area" hs columns --speeds 1,1,1 --blocks 1
expect 0 out "left out: 1, 2" hs columns --speeds 1,0,0
echo '<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Full"><host id="a1" speed="1Gf"/><host id="b1" speed="0f"/></zone></platform>' \
    >"$work/off.xml"
expect 0 out "left out: b1" hs columns "$work/off.xml"
expect 0 out "<svg" hs columns --speeds 1,2 --svg -
expect 0 out ">1 rectangle, half perimeters: sum 2, largest 2<" hs columns --speeds 1 --svg -
hs columns --speeds 1,2 --svg "$work/a.svg" >/dev/null && grep -q '</svg>' "$work/a.svg" || fail "no drawing"

# Speeds from a file
printf '# fast\n8Gf, 6Gf\n\n4Gf 4Gf # slow\n3Gf\n2Gf\n' >"$work/speeds"
hs columns --speeds-file "$work/speeds" --json >"$work/a" && hs columns --speeds 8,6,4,4,3,2 --json >"$work/b" &&
    cmp "$work/a" "$work/b" || fail "a file of speeds is not a list of speeds"
printf '1\n2 x\n' >"$work/bad"
expect 1 err "hs columns: $work/bad:2: " hs columns --speeds-file "$work/bad"
printf '# none\n' >"$work/bad"
expect 1 err "hs columns: $work/bad: no speeds" hs columns --speeds-file "$work/bad"
printf '1\n2\0003\n' >"$work/zero"
expect 1 err "hs columns: $work/zero:2: a byte 0" hs columns --speeds-file "$work/zero"
expect 1 err "$work/nowhere: cannot read it: No such file" hs columns --speeds-file "$work/nowhere"

# Speeds by size: the areas of "cached" and "steady" take equal time beyond the cache, "small" has its largest slice.
sizes=$HS_TEST_SRCDIR/tests/platforms/speeds-by-size.xml
sed '/<prop/d' "$sizes" >"$work/plain.xml"
hs columns "$sizes" --json >"$work/a" && hs columns "$work/plain.xml" --json | cmp - "$work/a" || fail "speeds by size count without --data"
expect 0 out "without --data: 1 host with speeds by size, 2 with a largest slice, not used" hs columns "$sizes"
expect 0 out "slices of 4 GiB in all: 1 host with speeds by size, 2 with a largest slice" hs columns "$sizes" --data 4GiB
hs columns "$sizes" --data 4GiB --json >"$work/a" && python3 - "$work/a" <<'END' || fail "--data: $(cat "$work/a")"
import json, sys
plan = json.load(open(sys.argv[1]))
area = {r["host"]: c["width"] * r["height"] for c in plan["columns"] for r in c["rectangles"]}
assert plan["data"] == 2**32 and abs(area[2] - 1 / 16) < 1e-9 and abs(area[0] - area[1]) < 1e-9
END
sed 's,"steady" speed="2Gf"/>,"steady" speed="2Gf"><prop id="max_slice" value="1GiB"/></host>,' "$sizes" >"$work/small.xml"
expect 1 err "small.xml: the largest slices of all hosts" hs columns "$work/small.xml" --data 4TiB
expect 1 err "whole blocks give host 'cached' 1.12 times its largest slice: try more blocks" \
    hs columns "$work/small.xml" --data 9GiB --blocks 2
# Whole blocks round up beyond a largest slice: planned again, with less for its host.
hs columns "$work/small.xml" --data 4GiB --blocks 64 --json >"$work/a" && python3 - "$work/a" <<'END' || fail "limits: $(cat "$work/a")"
import json, sys
plan = json.load(open(sys.argv[1]))
area = {r["host"]: c["width"] * r["height"] for c in plan["columns"] for r in c["rectangles"]}
assert sum(area.values()) == 4096 and 950 < area[1] <= 1024 and 200 < area[2] <= 256
END
speeds() { hs columns "$work/small.xml" --data 4GiB "$@" | awk '/%$/ { print $(NF - 6), $(NF - 5) }'; }
[ "$(speeds)" = "$(speeds --blocks 64)" ] || fail "speeds of hosts with whole blocks: $(speeds --blocks 64)"
expect 1 err "--data requires a size above 0" hs columns "$sizes" --data 0B
expect 2 err "--data requires a platform file" hs columns --speeds 1,2 --data 4GiB

# Bad values: one line, exit 1
expect 1 err "--speeds: value 2" hs columns --speeds 1,-2
expect 1 err "--speeds: value 1" hs columns --speeds nan,2
expect 1 err "--speeds: value 3" hs columns --speeds 1,2,
expect 1 err "--speeds: value 1" hs columns --speeds ''
expect 1 err "--speeds: value 2" hs columns --speeds 1,inf
expect 1 err "all speeds are 0" hs columns --speeds 0,0
expect 1 err "--tolerance" hs columns --speeds 1,2 --tolerance -1
expect 1 err "cannot write" hs columns --speeds 1,2 --svg "$work/no/where.svg"

# Wrong usage
expect 2 err "no hosts given: expected a platform file" hs columns
expect 2 err "exclude each other" hs columns --speeds 1 --speeds-file x
expect 1 err "--blocks takes an integer of at least 1" hs columns --speeds 1 --blocks 0
expect 1 err "--blocks takes an integer of at most 67108864, not '100000000'" hs columns --speeds 1 --blocks 100000000
expect 1 err "--method takes one of columns, recursive" hs columns --speeds 1 --method spiral
expect 2 err "unexpected argument 'y'" hs columns x y
expect 2 err "both write to standard output" hs columns --speeds 1 --svg - --json

exactly '{"value":16.0,"rows":[6,2],"columns":[6,2],"assignment":[[3,1],[2,0]],"optimal":false}' \
    hs grid --speeds 1,3,3,9 --shape 2x2 --blocks 8 --json
exactly '{"value":4.0,"rows":[2.0],"columns":[0.5,0.5,0.5,0.5],"assignment":[[0,1,2,3]],"optimal":true}' \
    hs grid --speeds 1,1,1,1 --shape 1x4 --json
expect 0 out "100.00 %" hs grid --speeds 1,2,3,6 --shape 2x2
expect 0 out "<svg" hs grid --speeds 1,2,3,6 --shape 2x2 --svg -
expect 1 err "3 speeds given, expected 4 for a 2 x 2 grid" hs grid --speeds 1,2,3 --shape 2x2
expect 1 err "all speeds are 0" hs grid --speeds 0,0 --shape 2x1
expect 2 err "--shape is missing" hs grid --speeds 1,2
for shape in 2 0x1 x2 2x 2x2x1 -1x-2 a 99999x99999; do
    expect 1 err "--shape takes ROWSxCOLUMNS" hs grid --speeds 1,2 --shape "$shape"
done
# Hosts from a platform file: all their cores, and their names in the answer.
demo=$HS_TEST_SRCDIR/examples/two-switches.xml
names='"hosts":["a1","a2","a3","b1","b2","b3"]}'
loadless() { sed 's/"largest_load":[^,]*,//'; } # it is in the units of the speeds
typed=$(hs columns --speeds 8,6,4,4,3,2 --blocks 54 --json | loadless)
named=$(hs columns "$demo" --blocks 54 --json | loadless)
[ "$named" = "${typed%\}},$names" ] || fail "hs columns PLATFORM: '$named', expected '$typed' with the names"
expect 0 out '    b3         2e+09' hs columns "$demo"
expect 0 out "$names" hs grid "$demo" --shape 2x3 --json
expect 0 out '          b1          b2          b3' hs grid "$demo" --shape 2x3
expect 1 err "two-switches.xml: 6 hosts given, expected 4 for a 2 x 2 grid" hs grid "$demo" --shape 2x2
expect 1 err "$work/none.xml" hs grid "$work/none.xml" --shape 2x2
expect 2 err "a platform file and --speeds exclude each other" hs columns "$demo" --speeds 1,2
expect 2 err "a platform file and --speeds-file exclude each other" hs grid "$demo" --speeds-file f --shape 2x3
expect 0 out '<title>host b2: ' hs columns "$demo" --svg -
exit $failed
