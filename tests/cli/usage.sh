# SPDX-License-Identifier: BSD-3-Clause
# The command hs: exit statuses, and the stream of each message.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
demo=$HS_TEST_SRCDIR/examples/two-switches.xml
expect 0 out "usage: hs VERB" hs help
expect 2 err "usage: hs VERB" hs
expect 2 err "unknown verb 'nonsense' ('hs help' lists all verbs)" hs nonsense
expect 2 err "unknown verb 'nonsense'" hs help nonsense
expect 2 err "unknown verb 'rign'; did you mean 'ring'?" hs rign
expect 2 err "unknown verb 'colums'; did you mean 'columns'?" hs help colums
expect 2 err "unknown option '--sped'; did you mean '--speeds'?" hs columns --sped 1,2
if [ -w /dev/full ]; then
    for verb in help env "columns --speeds 1,2" "generate --hosts 2 --routers 1 --links 2"; do
        hs $verb >/dev/full 2>"$work/err" && complain "hs $verb: a full disk is no failure"
        grep -q 'cannot write\|No space' "$work/err" || complain "hs $verb: not a word about the full disk"
    done
fi
expect 0 out "hs " hs --version

# What every verb has from the option parser
expect 2 err "hs show: no platform file given" hs show
expect 1 err "hs show: '': cannot read it" hs show ""
expect 2 err "hs show: unexpected argument 'more'" hs show "$demo" more
expect 2 err "hs show: unknown option '--jsn'" hs show "$demo" --jsn
expect 2 err "hs show: --json takes no value" hs show "$demo" --json=1
expect 2 err "hs show: --json given twice" hs show "$demo" --json --json
expect 2 err "hs show: --svg needs a value" hs show "$demo" --svg
expect 2 err "hs show: --route needs two values" hs show "$demo" --route a1
expect 2 err "hs ring: --work is missing" hs ring "$demo"
expect 2 err "hs ring: --work given twice" hs ring "$demo" --work 1Gf --work 2Gf --halo 1KiB
expect 2 err "hs ring: --units takes an integer of at least 1, not '1.5'" hs ring "$demo" --work 1Gf --halo 1KiB --units 1.5
expect 2 err "hs ring: --routes takes one of fixed, free, not 'fre'" hs ring "$demo" --work 1Gf --halo 1KiB --routes fre
for value in -1 nan inf 1e400 "" 1GF 1MB x; do
    expect 1 err "hs ring: --work: '$value' " hs ring "$demo" --work "$value" --halo 1KiB
done
for value in -1 nan inf 1e400 "" 1Gf 1XB x; do
    expect 1 err "hs ring: --halo: '$value' " hs ring "$demo" --work 1Gf --halo "$value"
done
for verb in show ring columns grid rebalance scatter generate env lab; do
    expect 0 out "usage: hs $verb" hs "$verb" --help
    expect 0 out "usage: hs $verb" hs help "$verb"
    expect 2 err "hs $verb" hs "$verb" --no-such-option
done

# Clusters of no use still have an answer or a clear error
head='<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Full">'
echo "$head<host id='a' speed='1Gf'/></zone></platform>" >"$work/one.xml"
echo "$head<host id='a' speed='1Gf'/><host id='b' speed='2Gf'/></zone></platform>" >"$work/apart.xml"
echo "$head<router id='a'/></zone></platform>" >"$work/none.xml"
expect 0 out '"step_time":1.0,' hs ring "$work/one.xml" --work 1Gf --halo 1KiB --json
expect 0 out '"step_time":0.5,' hs ring "$work/apart.xml" --work 1Gf --halo 1KiB --json
expect 1 err "none.xml:2: no host in this platform" hs ring "$work/none.xml" --work 1Gf --halo 1KiB
expect 1 err "'a' to 'b': no route leads there" hs show "$work/apart.xml" --route a b
expect 1 err "no host or router 'q'" hs show "$work/one.xml" --route a q

# An output file appears whole or not at all
expect 1 err "cannot write /nonexistent/x.svg" hs show "$demo" --svg /nonexistent/x.svg
expect 1 err "no host in this platform" hs show "$work/none.xml" --svg "$work/x.svg"
[ ! -e "$work/x.svg" ] || complain "a drawing of nothing was left behind"
if [ "$(id -u)" != 0 ]; then
    chmod 0 "$work/one.xml"
    expect 1 err "one.xml: cannot read it: Permission denied" hs show "$work/one.xml"
fi
exit $failed
