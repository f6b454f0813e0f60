# SPDX-License-Identifier: BSD-3-Clause
# hs rebalance: output, layouts written by hs columns and by itself, and bad input.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"

# One row from the last rectangle of both columns to the first.
cat >"$work/two.json" <<'END'
{"columns":[
 {"width":3,"rectangles":[{"host":0,"height":4,"delta":1},{"host":1,"height":2,"delta":0},{"host":2,"height":3,"delta":-1}]},
 {"width":2,"rectangles":[{"host":3,"height":5,"delta":1},{"host":4,"height":4,"delta":-1}]}]}
END
after='"layout":{"columns":[{"width":3,"rectangles":[{"host":0,"height":5},{"host":1,"height":2},{"host":2,"height":2}]},{"width":2,"rectangles":[{"host":3,"height":6},{"host":4,"height":3}]}]}}'
row='{"operations":[{"op":"row","from":6,"to":3,"count":1}],"cost":5,"cost_slides_only":8,"blocks_moved":5,'
exactly "$row$after" hs rebalance "$work/two.json" --json
exactly "$row$after" hs rebalance "$work/two.json" --model owners --json
exactly "$row$after" hs rebalance "$work/two.json" --method greedy --row-cost 5 --json
slides='{"operations":[{"op":"slide","column":0,"border":1,"rows":1},{"op":"slide","column":0,"border":0,"rows":1},{"op":"slide","column":1,"border":0,"rows":1}],"cost":8,"cost_slides_only":8,"blocks_moved":8,'
exactly "$slides$after" hs rebalance "$work/two.json" --method slides --json
exactly "$slides$after" hs rebalance "$work/two.json" --row-cost 8.5 --json
expect 0 out "row 6 moves above row 3" hs rebalance "$work/two.json"
expect 0 out "<svg" hs rebalance "$work/two.json" --svg -
hs rebalance "$work/two.json" --svg "$work/a.svg" >/dev/null && grep -q '</svg>' "$work/a.svg" || fail "no drawing"
hs rebalance - --json <"$work/two.json" | grep -q '"cost":5' || fail "no layout from standard input"

# Columns to layout to layout; unchanged speeds change nothing, and the way back restores the areas' load.
hs columns --speeds 8,6,4,4,3,2 --blocks 54 --json >"$work/l.json" || fail "no layout"
expect 0 out '"operations":[],"cost":0,' hs rebalance "$work/l.json" --speeds 8,6,4,4,3,2 --json
expect 0 out '{"op":"column","from":0,"to":1,"count":2}' hs rebalance "$work/l.json" --speeds 8,6,1,4,3,2 --json
hs rebalance "$work/l.json" --speeds 8,6,1,4,3,2 --json >"$work/m.json" || fail "no second layout"
expect 0 out '"operations":[],"cost":0,' hs rebalance "$work/m.json" --speeds 8,6,1,4,3,2 --json
expect 0 out '"operations":[],"cost":0,' hs rebalance "$work/l.json" --speeds 8,6,3.9,4,3,2 --tolerance 0.1 --json

# The drawing has an arrow and a line for each operation, of every kind.
drawn() { # ARROWS FIRST-LINE ARGUMENTS...
    arrows=$1 line=$2
    shift 2
    hs rebalance "$@" --svg "$work/a.svg" >/dev/null || fail "hs rebalance $*: no drawing"
    got=$(grep -c 'class="move"' "$work/a.svg")
    [ "$got" = "$arrows" ] || fail "hs rebalance $*: $got arrows, expected $arrows"
    grep -q ">1\. $line" "$work/a.svg" || fail "hs rebalance $*: no line '$line': $(grep '>1\.' "$work/a.svg")"
    ! grep -q 'nan\|inf' "$work/a.svg" || fail "hs rebalance $*: no number: $(grep 'nan\|inf' "$work/a.svg")"
}
drawn 1 "row 6 moves above row 3" "$work/two.json"
drawn 3 "column 0: border 1 slides 1 row down" "$work/two.json" --method slides
drawn "$(grep -o '"op"' "$work/m.json" | grep -c .)" "2 matrix columns from column 0 to column 1" "$work/l.json" --speeds 8,6,1,4,3,2

# Hosts of a platform file have their names in the drawing, in the table, and in the answer, which is a layout again.
hs columns "$HS_TEST_SRCDIR/examples/two-switches.xml" --blocks 54 --json >"$work/named.json" || fail "no layout of named hosts"
hs rebalance "$work/named.json" --speeds 8,6,1,4,3,2 --json >"$work/after.json" || fail "no second layout of named hosts"
for layout in named after; do
    hs rebalance "$work/$layout.json" --speeds 8,6,4,4,3,2 --svg "$work/a.svg" >"$work/table" || fail "$layout hosts: no plan"
    for host in a1 a2 a3 b1 b2 b3; do
        [ "$(grep -c "class=\"number\".*>$host<" "$work/a.svg")" = 2 ] || fail "$layout hosts: $host is not drawn before and after"
        grep -q " $host  .* -> " "$work/table" || fail "$layout hosts: $host is not in the table: $(cat "$work/table")"
    done
done
cat >"$work/odd.json" <<'END'
{"hosts":["<h>",7],"columns":[{"width":4,"rectangles":[{"host":0,"height":4,"delta":1},{"host":1,"height":2,"delta":-1}]}]}
END
hs rebalance "$work/odd.json" --svg "$work/a.svg" >/dev/null || fail "a host without a name: no plan"
grep -q 'class="number".*>&lt;h><' "$work/a.svg" && grep -q 'class="number".*>1<' "$work/a.svg" || fail "a host without a name: $(grep number "$work/a.svg")"

# Bad input: one line, exit 1
expect 1 err "hs rebalance: $work/l.json: rectangles have no \"delta\"" hs rebalance "$work/l.json"
expect 1 err "speeds cannot be given too" hs rebalance "$work/two.json" --speeds 1,1,1,1,1
expect 1 err "host 5 of the layout is none of the 5" hs rebalance "$work/l.json" --speeds 1,1,1,1,1
expect 1 err "no host of the layout has a speed" hs rebalance "$work/l.json" --speeds 0,0,0,0,0,0
expect 1 err "--speeds: value 2" hs rebalance "$work/l.json" --speeds 1,nan
expect 1 err "$work/none.json" hs rebalance "$work/none.json"
bad() { # WHAT IS SAID, the file
    printf '%s\n' "$2" >"$work/bad.json"
    expect 1 err "$1" hs rebalance "$work/bad.json"
}
bad "hs rebalance: $work/bad.json:2: " '{"columns":['
bad "no \"columns\"" '{}'
bad 'the name of a host in "hosts" holds a control character' "$(sed 's/"<h>"/"\\u001b[31m"/' "$work/odd.json")"
bad "no \"columns\"" '[1]'
bad "no \"columns\"" '{"columns":[]}'
bad "a layout must consist of columns" '{"rectangles":[]}'
bad "column 0: no \"width\"" '{"columns":[{}]}'
bad "column 0: no \"rectangles\"" '{"columns":[{"width":1,"rectangles":[]}]}'
bad "column 0, rectangle 0: no \"host\"" '{"columns":[{"width":1,"rectangles":[{}]}]}'
bad "column 0, rectangle 0: no \"host\"" '{"columns":[{"width":1,"rectangles":[7]}]}'
bad "column 0, rectangle 0: \"height\" must be an integer" \
    '{"columns":[{"width":1,"rectangles":[{"host":0,"height":0.5}]}]}'
bad "\"host\" must be an index" '{"columns":[{"width":1,"rectangles":[{"host":-1,"height":1}]}]}'
bad "either all rectangles have a \"delta\" or none" \
    '{"columns":[{"width":1,"rectangles":[{"host":0,"height":1,"delta":0},{"host":1,"height":1}]}]}'
bad "add up to 1, not 0" '{"columns":[{"width":1,"rectangles":[{"host":0,"height":1,"delta":1}]}]}'
bad "cannot receive -2 of 1 rows" \
    '{"columns":[{"width":1,"rectangles":[{"host":0,"height":1,"delta":-2},{"host":1,"height":1,"delta":2}]}]}'
bad "column 1 is 2 rows high, column 0 1" \
    '{"columns":[{"width":1,"rectangles":[{"host":0,"height":1,"delta":0}]},{"width":1,"rectangles":[{"host":1,"height":2,"delta":0}]}]}'
bad "width -1 is out of range" '{"columns":[{"width":-1,"rectangles":[{"host":0,"height":1,"delta":0}]}]}'

# Wrong usage
expect 2 err "no layout file" hs rebalance
expect 2 err "unexpected argument" hs rebalance a b
expect 2 err "--row-cost requires --model constant" hs rebalance a --row-cost 3 --model owners
expect 2 err "exclude each other" hs rebalance a --speeds 1 --speeds-file b
expect 1 err "--row-cost" hs rebalance a --row-cost -3
exit $failed
