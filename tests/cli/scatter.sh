# SPDX-License-Identifier: BSD-3-Clause
# hs scatter: the contract of its JSON, exit statuses, bad input, the drawing.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"

# The notes' bus: 12 : 4 : 2 in 12 seconds.
json=$(hs scatter --cycle-times 1,2,3 --comm 0,1,1 --load 18 --integer --json)
expected='{"makespan":12.0,"loads":[12,4,2],"send_order":[0,1,2],"collect_order":[1,2,0],"left_out":[],"lower_bound":12'
case $json in "$expected"*) ;; *) fail "not as expected: $json" ;; esac
[ "$(printf '%s\n' "$json" | wc -l)" -eq 1 ] || fail "JSON is not one line"
expect 0 out '"makespan":12.' hs scatter --cycle-times=1s,2s,3s --comm 0,1,1 --load 18 --order given --json

# Every order, both ports; units; ties; workers that get nothing are named.
for order in best given fifo lifo sport exact; do
    for port in one-port duplex; do
        expect 0 out '"collect_order":[' hs scatter --cycle-times 1ms,2ms,3ms --comm 20us,1us,2us --load 1e6 \
            --results 0.5 --order $order --master $port --json
    done
done
expect 0 out 'unused hosts' hs scatter --cycle-times 9,1,5,1 --comm 1,1,1,1 --load 2 --integer
expect 0 out '"left_out":[0,2]' hs scatter --cycle-times 9,1,5,1 --comm 1,1,1,1 --load 2 --integer --json
expect 0 out '"loads":[5]' hs scatter --cycle-times 2 --comm 0 --load 5 --integer --json
expect 0 out '"master":1' hs scatter --cycle-times 3,1,2 --comm 1,1,1 --load 5 --choose-master --json
expect 0 out '"installments":[[' hs scatter --cycle-times 2 --comm 1 --load 3 --rounds 2 --json
expect 0 out '"collect_order":[1,0]' hs scatter --cycle-times 4,4 --comm 1,1 --load 3 --results 1 --order given \
    --collect 1,0 --json
expect 0 out 'usage: hs scatter' hs scatter --help

# Wrong usage: 2.
expect 2 err '--cycle-times is missing' hs scatter --comm 1 --load 1
expect 2 err '--comm is missing' hs scatter --cycle-times 1 --load 1
expect 2 err '--load is missing' hs scatter --cycle-times 1 --comm 1
expect 1 err '--order takes one of' hs scatter --cycle-times 1 --comm 1 --load 1 --order lucky
expect 1 err '--master takes one of' hs scatter --cycle-times 1 --comm 1 --load 1 --master big
expect 1 err 'at least 1' hs scatter --cycle-times 1 --comm 1 --load 1 --rounds 0
expect 2 err 'both write to standard output' hs scatter --cycle-times 1,1 --comm 0,1 --load 1 --gantt - --json
expect 0 out '<svg' hs scatter --cycle-times 1,1 --comm 0,1 --load 4 --gantt -
expect 2 err '--collect requires --order given' hs scatter --cycle-times 1 --comm 1 --load 1 --collect 0
expect 2 err "unexpected argument 'y'" hs scatter x y

# Bad input: 1, one line.
expect 1 err '--comm has 2 values, expected one for each of 3 hosts' hs scatter --cycle-times 1,2,3 --comm 1,2 --load 10
expect 1 err 'cycle time of host 1 is 0' hs scatter --cycle-times 1,0 --comm 1,2 --load 10
expect 1 err '--cycle-times: value 2' hs scatter --cycle-times 1,-2 --comm 1,2 --load 10
expect 1 err '--cycle-times: value 2' hs scatter --cycle-times 1,nan --comm 1,2 --load 10
expect 1 err '--cycle-times: value 2' hs scatter --cycle-times 1, --comm 1,2 --load 10
expect 1 err '--comm: value 1' hs scatter --cycle-times 1,2 --comm inf,2 --load 10
expect 1 err 'the load is 0' hs scatter --cycle-times 1,2 --comm 1,2 --load 0
number='a number of 0 or more such as 2.5 or 10k'
for bad in -5 nan inf; do
    expect 1 err "--load: '$bad' is out of range: expected $number" hs scatter --cycle-times 1,2 --comm 1,2 --load $bad
    expect 1 err "--results: '$bad' is out of range: expected $number" hs scatter --cycle-times 1,2 --comm 1,2 --load 5 \
        --results $bad
done
expect 1 err "--load: '5Gf' has an unknown unit: expected $number" hs scatter --cycle-times 1,2 --comm 1,2 --load 5Gf
expect 1 err "--load: '' is not a number" hs scatter --cycle-times 1,2 --comm 1,2 --load ''
expect 0 out 'for 10000 items' hs scatter --cycle-times 1,2 --comm 1,2 --load 10k
expect 1 err 'whole number' hs scatter --cycle-times 1,2 --comm 1,2 --load 1.5 --integer
expect 1 err "at most 2147483647, not '9000000000000000000'" \
    hs scatter --cycle-times 1 --comm 1 --load 5 --rounds 9000000000000000000
expect 1 err 'there are 5000 installments, expected 1 to 1000' hs scatter --cycle-times 1 --comm 1 --load 5 --rounds 5000
expect 1 err '--comm has 1 value, expected one for each of 2 hosts' hs scatter --cycle-times 1,2 --comm 1 --load 10
expect 1 err '--collect names 1 host, expected 2' hs scatter --cycle-times 1,2 --comm 1,2 --load 5 --order given --collect 1
expect 1 err '--collect: value 2: expected a host from 0 to 1, not 1.5' hs scatter --cycle-times 1,2 --comm 1,2 --load 5 \
    --order given --collect 0,1.5
expect 1 err '--collect: value 1: expected a host from 0 to 1, not 2' hs scatter --cycle-times 1,2 --comm 1,2 --load 5 \
    --order given --collect 2,0
expect 1 err '--collect: value 2' hs scatter --cycle-times 1,2 --comm 1,2 --load 5 --order given --collect 0,-1
expect 1 err 'twice' hs scatter --cycle-times 1,2 --comm 1,2 --load 5 --order given --collect 1,1
expect 1 err 'at most 8 workers' hs scatter --cycle-times 1,1,1,1,1,1,1,1,1 --comm 1,1,1,1,1,1,1,1,1 --load 5 \
    --results 1 --order exact

# The drawing: whole or not at all.
expect 0 out makespan hs scatter --cycle-times 5,6,7 --comm 0,1,2 --load 90 --results 0.3 --gantt "$work/a.svg"
tail -n 1 "$work/a.svg" | grep -q '^</svg>$' || fail "the drawing is not whole"
[ "$(grep -c 'class="compute"' "$work/a.svg")" -ge 3 ] || fail "the drawing lacks computations"
if command -v xmllint >/dev/null; then xmllint --noout "$work/a.svg" || fail "the drawing is no XML"; fi
expect 1 err 'cannot write' hs scatter --cycle-times 5,6 --comm 1,2 --load 9 --gantt "$work/none/a.svg"
expect 1 err 'the load is 0' hs scatter --cycle-times 5,6 --comm 1,2 --load 0 --gantt "$work/b.svg"
[ ! -e "$work/b.svg" ] || fail "a drawing of nothing"
# Times from a platform: work over speed, bytes over the root's routes.
demo=$HS_TEST_SRCDIR/examples/two-switches.xml
asked="--item-work 1Gf --item-bytes 64KiB --load 1000"
expect 0 out '"hosts":["a1","a2","a3","b1","b2","b3"]}' hs scatter "$demo" $asked --json
expect 0 out '"send_order":[3,4,5,0,1,2]' hs scatter "$demo" $asked --root b1 --json
expect 0 out '   a1      306.219  30.62%' hs scatter "$demo" $asked
expect 0 out 'master a1</text>' hs scatter "$demo" $asked --gantt -
expect 1 err "two-switches.xml: no host 'sw1'" hs scatter "$demo" $asked --root sw1
expect 2 err "--item-bytes is missing" hs scatter "$demo" --item-work 1Gf --load 3
expect 2 err "--root requires a platform file" hs scatter --cycle-times 1,2 --comm 0,1 --load 3 --root a1
expect 2 err "a platform file and --choose-master exclude each other" hs scatter "$demo" $asked --choose-master
expect 2 err "exclude each other" hs scatter "$demo" $asked --comm 0,1
# A host that is off takes no items; as the root it sends those of the others.
sed '/id="a1"/s/speed="[^"]*"/speed="0f"/' "$demo" >"$work/off.xml"
expect 0 out '"hosts":["a2","a3","b1","b2","b3"]}' hs scatter "$work/off.xml" $asked --root b1 --json
expect 0 out '"send_order":[0,1,2,3,4]' hs scatter "$work/off.xml" $asked --json
sed 's/speed="[^"]*"/speed="0f"/' "$demo" >"$work/all-off.xml"
expect 1 err 'all-off.xml: every host has speed 0' hs scatter "$work/all-off.xml" $asked
# What a platform does not say is asked for beside it.
expect 0 out '"makespan":44.' hs scatter "$demo" $asked --startup 6,6,6,6,6,6 --json
expect 1 err "--startup has 2 values, expected one for each of 6 hosts" hs scatter "$demo" $asked --startup 1,2
expect 0 out '"collect_order":[5,4,3,2,1,0]' hs scatter "$demo" $asked --results 0.5 --order given --collect 5,4,3,2,1,0 --json
expect 1 err "--collect names 1 host, expected 6" hs scatter "$demo" $asked --order given --collect 1
# No line tells of results when only the master computes.
hs scatter --cycle-times 1,9 --comm 0,9 --load 1 --integer --results 1 | grep -q "are collected" && fail "results of no host"
# Nothing follows a table of hosts that are all used.
[ -n "$(hs scatter --cycle-times 1,2,3 --comm 0,1,1 --load 18 | sed -n '$p')" ] || fail "an empty line at the end"
# Proven for the orders that were asked for, which another pair of orders may beat.
expect 0 out "(one-port, optimal with these orders; no schedule takes less than 20 s)" \
    hs scatter --cycle-times 1,2 --comm 1,1 --load 10 --results 1 --order given --collect 1,0
expect 0 out "(one-port, optimal; no" hs scatter --cycle-times 1,2 --comm 1,1 --load 10 --results 1 --order exact
exit $failed
