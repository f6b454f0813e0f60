# SPDX-License-Identifier: BSD-3-Clause
# hs reduce: the contract of its JSON, exit statuses, bad input, the drawing.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"

seven=10,5,5,5,4,2,2
exactly '{"makespan":3.0,"root":2,"schedule":[{"from":1,"to":2,"start":0.0,"end":2.0},{"from":0,"to":2,"start":2.0,"end":3.0}],"explored":0,"lower_bound":2.0,"optimal":false}' \
    hs reduce --times 1,2,5 --method snf --json
for method in snf paper optimal; do
    expect 0 out '{"makespan":11.0,"root":0,"schedule":[{"from":1,"to":' hs reduce --times $seven --method $method --json
done
expect 0 out '"makespan":4.59999' hs reduce --times 1.6,1.6,1.6,1.6,1,1,1,1,1,1,1,1 --method snf --json
expect 0 out '"makespan":4.2' hs reduce --times 1.6,1.6,1.6,1.6,1,1,1,1,1,1,1,1 --json
expect 0 out '"schedule":[],"explored":0' hs reduce --times 2 --json
expect 0 out 'makespan 0.011 s for 7 hosts, the result is at host 0 (optimal)' \
    hs reduce --times 10ms,5ms,5ms,5ms,4ms,2ms,2000us
expect 0 out 'no schedule takes less than' hs reduce --times 9.7,3.1,8.2,7.4,3.3,1.7,5.9,2.3,1.1,6.1 --budget 1
expect 0 out 'usage: hs reduce' hs reduce --help

# Wrong usage: 2.
expect 2 err '--times is missing' hs reduce
expect 1 err '--method takes one of' hs reduce --times 1,2 --method lucky
expect 1 err 'at least 1' hs reduce --times 1,2 --budget 0
expect 2 err 'both write to standard output' hs reduce --times 1,2 --gantt - --json
expect 0 out '<svg' hs reduce --times 1,2 --gantt -
expect 2 err "unexpected argument 'y'" hs reduce x y

# Bad input: 1, one line.
for times in '' , 1, 1,,2 1,-2 1,nan 1,inf 1,2Mbps 1,x; do
    expect 1 err 'hs reduce: --times: ' hs reduce --times "$times"
done
expect 1 err 'the time of host 1 is 0, expected' hs reduce --times 1,0
expect 1 err 'at most 64 hosts' hs reduce --method paper --times 1$(printf ',%s' $(seq 64))

# The drawing: whole or not at all.
expect 0 out makespan hs reduce --times $seven --gantt "$work/a.svg"
end=$(hs reduce --times $seven --json | sed 's/.*"makespan":\([0-9]*\).*/\1/')
grep -q " in $end s<" "$work/a.svg" || fail "the drawing does not end at $end"
tail -n 1 "$work/a.svg" | grep -q '^</svg>$' || fail "the drawing is not whole"
[ "$(grep -c 'class="send"' "$work/a.svg")" -ge 6 ] || fail "the drawing lacks messages"
if command -v xmllint >/dev/null; then xmllint --noout "$work/a.svg" || fail "the drawing is no XML"; fi
expect 0 out makespan hs reduce --times 1 --gantt "$work/one.svg"
grep -q '>Reduction of 1 host to host 0 in 0 s<' "$work/one.svg" || fail "a chart of one host: $(grep Reduction "$work/one.svg")"
expect 1 err 'cannot write' hs reduce --times 1,2 --gantt "$work/none/a.svg"
# Times from a platform: 1 MiB over the best route of each host, 200 Mbps at one switch, 100 Mbps at the other.
demo=$HS_TEST_SRCDIR/examples/two-switches.xml
expect 0 out '"makespan":0.16777' hs reduce "$demo" --bytes 1MiB --json
expect 0 out '"hosts":["a1","a2","a3","b1","b2","b3"]}' hs reduce "$demo" --bytes 1MiB --json
expect 0 out 'the result is at host b1' hs reduce "$demo" --bytes 1MiB
expect 0 out '<title>host b2 to host b1: ' hs reduce "$demo" --bytes 1MiB --gantt -
expect 1 err "none.xml" hs reduce "$work/none.xml" --bytes 1MiB
cat >"$work/apart.xml" <<END
<?xml version="1.0"?>
<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/></zone></platform>
END
sed 's,<host id="b"[^>]*>,,' "$work/apart.xml" >"$work/alone.xml" # it sends nothing
expect 0 out 'makespan 0 s for 1 host, the result is at host a (optimal)' hs reduce "$work/alone.xml" --bytes 1MiB
expect 1 err "'a' to 'b': " hs reduce "$work/apart.xml" --bytes 1MiB
expect 2 err "--bytes is missing" hs reduce "$demo"
expect 2 err "--bytes requires a platform file" hs reduce --times 1,2 --bytes 4
expect 2 err "exclude each other" hs reduce "$demo" --times 1,2 --bytes 4
exit $failed
