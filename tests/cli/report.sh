# SPDX-License-Identifier: BSD-3-Clause
# hs report: pages of one rank and of a thousand, with and without a platform, a log of decisions and older runs; bad input.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
here=$HS_TEST_SRCDIR/tests/cli
demo=$HS_TEST_SRCDIR/examples/two-switches.xml
cd "$work" || exit 99
fake() { python3 "$here/fake_report.py" "$@"; }
# page RUN.json ARGUMENTS...: makes page.html, which must be sound
page() {
    rm -f page.html
    hs report "$@" -o page.html >out 2>&1 || fail "hs report $*: $(cat out)"
    [ ! -s out ] || fail "hs report $*: says $(cat out)"
    python3 "$here/check_html.py" page.html "$1" || fail "hs report $*: the page"
}
has() { grep -q -e "$1" page.html || fail "the page has no '$1'"; }
hasnt() { ! grep -q -e "$1" page.html || fail "the page has '$1'"; }

fake 1 1 >one.json
fake 6 6 1 six >six.json
fake 6 6 1.5 six >old.json
fake 1000 125 >many.json
page one.json
page six.json
has 'The run took <strong>2.36 s</strong> on 6 ranks of 6 hosts'
words="./solver 'a &lt;b> &amp; '.''c'.''' --steps=100" # as a shell takes them
has "<pre>HS_LOG_DECISIONS=decisions hs run -n 6 -- $words</pre>"
has "<dt>Command line</dt><dd><code>$words</code></dd>"
has 'One run only'
has 'No log of decisions'
has 'MPI_Allreduce'
has 'METIS_PartGraphKway</th><td class="l">libsolver&lt;1>.so</td><td>1</td><td>7</td><td>3</td>'
has '50.0 25.0 25.0</td><td class="l">50.1 25.0 24.9</td><td>45</td><td>1.33</td>'
has '(rank 1)</th><td>40</td><td>1 ms</td><td>2.5 ms</td>'
has 'messages, by a link that is not known</th><td>55</td><td>10 ms</td><td>20 ms</td>'
has 'link trunk&lt;1></th><td>55</td><td>7.5 MBps</td><td>3.75 MBps</td>'
has 'contains these functions.*SCOTCH_graphPart, DMSetUp'
# Ranks are named with their hosts wherever they stand.
has '<g><title>rank 3 on b1</title>'
has '<title>0 on a1 -&gt; 1 on a2: '
has '<th scope="row">4 on b2</th><td class="l">5 on b3</td>'
[ "$(grep -c '>3 on b1</text>' page.html)" = 2 ] || fail "rank 3 is not on b1 beside its bar, its row and its column"
page six.json --platform "$demo"
has 'circle area: time a rank of the host computed'
has '>trunk_UP</th><td>60 Mbps<'
page six.json old.json --platform "$demo"
has '<td>-33.3 %</td>'
has '>library</th><td>10 ms</td><td>15 ms</td><td>-33.3 %</td>'
has '>balanced it would take</th><td>1.892 s</td><td>2.838 s</td><td>-33.3 %</td>'
has '>sent</th><td>1.721 MiB</td><td>1.721 MiB</td><td>+0.0 %</td>'
has '<li>now 6 ranks of 6 hosts</li>'
has 'HS_REPORT</code>: run-1.json, before: run-1.5.json'
# Hours are seconds without a power of ten.
fake 6 6 10000 six >hours.json
page hours.json
has 'The run took <strong>23600 s</strong>'
hasnt '[0-9]e+[0-9]* \{0,1\}[s<]'
# All of the wall time, of which start-up is most here: 0.3 s of 6.26 s are lost.
python3 -c 'import json
r = json.load(open("six.json"))
r.update(lost_to_imbalance=0.3 / r["run"], balanced_run=r["run"] - 0.3)
for rank in r["ranks"]: rank["startup"] = 4
json.dump(r, open("slow-start.json", "w"))'
page slow-start.json six.json
has 'The run took <strong>6.26 s</strong>.*<strong>5 %</strong> was lost to imbalance; balanced it would take <strong>5.96 s</strong>'
has '>balanced it would take</th><td>5.96 s</td>'
has '>start-up</th><td>4 s</td><td>100 ms</td><td>+3900.0 %</td>'
has '>lost to imbalance</th><td>4.8 %</td><td>19.8 %</td><td>-15.1 points</td>'
# A host that the platform does not have: parts of the work are those of the time.
python3 -c 'import json
r = json.load(open("six.json"))
for rank in r["ranks"]: rank.update(compute=1, speed=rank["speed"] if rank["rank"] else 0)
json.dump(r, open("unknown.json", "w"))'
hs report unknown.json -o page.html
has '>a1</th><td>1</td><td>-</td><td>16.7 %</td>'
page many.json
[ "$(wc -c <page.html)" -le 1000000 ] || fail "1,000 ranks take $(wc -c <page.html) bytes"
has '<g><title>ranks 0 to 5 on n0</title>'
has '<title>0 to 20, from n0 to n2 -&gt; '
python3 - many.json >all.json <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
every = report["ranks"]
for r in every:
    r["host"] = f"node-of-the-new-cluster-{r['host']}.cluster.example.org"
    r["communicators"][0]["sent"] = [{"world": n, "messages": 1, "bytes": 1000 + n} for n in range(len(every)) if n != r["rank"]]
json.dump(report, sys.stdout)
END
page all.json
[ "$(wc -c <page.html)" -le 1000000 ] || fail "1,000 ranks that all send to all take $(wc -c <page.html) bytes"
page many.json
cp page.html first.html
page many.json
cmp -s first.html page.html || fail "the same report makes another page"
hs report - -o page.html <six.json && has 'on 6 ranks' || fail "a report from standard input"
hs report six.json -o - | grep -q '^<!DOCTYPE html>' || fail "a page on standard output"

# Names are the program's: none becomes a tag.
fake 4 2 1 '<b onclick="x">&' >names.json
page names.json
hasnt '<b '

# A report of before there were start-up times, functions and the program's command.
python3 - six.json >before.json <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
for key in ("program", "drifts", "partitions", "linked_partitioners"):
    del report[key]
for rank in report["ranks"]:
    for key in ("startup", "measuring", "queue", "functions"):
        del rank[key]
json.dump(report, sys.stdout)
END
page before.json
has 'no times by function'
has 'No call was seen'

# A log of decisions. Phases of ten iterations of 1 s and of 0.5 s: the move between them, after 10 s, halves a step.
cat >layout <<'END'
{"event":"layout","layout":0,"ranks":2,"first_cycle":[1.0,1.0],"slices":{"units":100,"minimum":1,"model":"serial","memberships":[{"traffic":0.0,"comm":[0.0,0.0]}]}}
END
phase() { # ITERATION UNITS STEP VERDICT
    printf '{"event":"phase","layout":0,"iteration":%s,"iterations":10,"cycle":[0.01,0.02],"units":%s,"step":%s,"left":-1,' "$1" "$2" "$3"
    printf '"move_fixed":0.5,"move_unit":0,"now":1.0,"best":0.75,"loss":0.25,"price":0.5,"error":0,"moved":17,"verdict":"%s"}\n' "$4"
}
page six.json --decisions layout
has 'Layout 0: 2 ranks, 0 phases'
{ cat layout; phase 10 '[50,50]' 1.0 stay; } >decisions
page six.json --decisions decisions
has 'Nothing moved in 1 phase:'
has '<title>rank 1</title>'
{ cat layout; phase 10 '[50,50]' 1.0 move; echo '{"event":"moved","layout":0,"seconds":0.25}'; phase 20 '[67,33]' 0.5 stay; } >decisions
page six.json --decisions decisions
has 'Layout 0: 2 ranks, 2 phases'
has '<th scope="row">10</th><td>10 s</td>.*a step takes 1 s, 750 ms is possible</td><td>500 ms</td><td>250 ms</td><td>1 s</td><td>500 ms</td><td>50.0 %</td>'
scripted() { ! grep -q '<script type' page.html || has "$1"; } # numbers for the page's script, where it has one
scripted '"kind":"slices","x":\[0,10,15\],"edge":\[\[0.5,0.67\],\[1,1\]\],"mark":\[10\]}'
{ cat layout; phase 10 '[50,50]' 1.0 move | sed 's/"moved":17/&,"part":{"step":0.8,"moved":5,"left":12,"price":0.2}/'; } >decisions
page six.json --decisions decisions
has 'a step takes 1 s, 750 ms is possible; a part of the way: 800 ms</td><td>200 ms</td>'
{ cat layout; phase 10 '[50,50]' 1.0 move; } >decisions # killed in the move: neither its price nor its use is known
page six.json --decisions decisions
has '<td>500 ms</td><td>-</td><td>1 s</td><td>-</td><td>-</td>'

# Ranks of the layout by their hosts, where the log has their ranks in MPI_COMM_WORLD.
sed 's/"ranks":2,/&"world":[5,0],/' decisions >placed
page six.json --decisions placed
has '<title>rank 5 on b3</title>' # as in all other tables, and not the layout's first
has '<title>rank 0 on a1</title>'
has '<text x="82" y="[0-9.]*" text-anchor="end">b3</text>'
sed 's/"ranks":2,/&"world":[6,-1],/' decisions >placed
page six.json --decisions placed
has '<title>rank 1</title>'
# Slices of a thousand ranks that change in each phase: a page shows as much of it as fits.
python3 "$here/fake_decisions.py" 1000 399 1 >decisions.1000
page many.json --decisions decisions.1000
[ "$(wc -c <page.html)" -le 1000000 ] || fail "1,000 ranks and 399 moves take $(wc -c <page.html) bytes"
has '<title>ranks 0 to 15 of the layout, from n0 to n1</title>'
[ "$(grep -c '<title>ranks ' page.html)" -ge 64 ] || fail "not 64 bands"

# Of more than a thousand moves the first thousand are listed.
python3 "$here/fake_decisions.py" 2 1003 1 >decisions.many
page six.json --decisions decisions.many
has 'The first 1000 of 1003 moves'
scripted ',9990,10000\]}' # the moves after 10, 20 ... s
[ "$(grep -c 'a step takes 1 s, 750 ms is possible' page.html)" = 1000 ] || fail "not 1000 moves: $(grep -c 'a step takes' page.html)"

# The run's own log and platform are taken when they can still be read, and only then; what is asked for must be.
settings() { # DECISIONS PLATFORM
    sed 's|"settings": \[|&{"name": "HS_LOG_DECISIONS", "value": "'"$1"'"}, {"name": "HS_PLATFORM", "value": "'"$2"'"}, |' six.json >own.json
}
settings decisions "$demo"
page own.json
has 'Layout 0: 2 ranks, 1 phase<'
has '>trunk_UP</th><td>60 Mbps<'
cp "$demo" demo.xml
settings decisions demo.xml
expect 1 err "would overwrite decisions" hs report own.json -o decisions
expect 1 err "would overwrite demo.xml" hs report own.json -o demo.xml
cmp "$demo" demo.xml || fail "the run's platform was overwritten"
mv decisions decisions.5 # of rank 5, the first of its ring
page own.json
has 'Layout 0: 2 ranks, 1 phase<'
page six.json --decisions decisions
has 'Layout 0: 2 ranks, 1 phase<'
rm decisions.5
settings gone.log gone.xml
page own.json
has 'No log of decisions'
hasnt '>trunk'
echo '{}' >bad
settings bad bad
page own.json
has 'No log of decisions'
expect 1 err "bad:1: " hs report own.json --decisions bad -o new.html
expect 1 err "bad:1: " hs report own.json --platform bad -o new.html
expect 1 err "gone.log: cannot read it: No such file" hs report six.json --decisions gone.log -o new.html

# edit FROM TO PYTHON: a report changed by statements on r; `each` is its ranks.
edit() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
each = r["ranks"]
exec(sys.argv[3])
json.dump(r, open(sys.argv[2], "w"))' "$@"
}
# advises TEXT PYTHON: what the page of a run like six.json says to do
advises() {
    edit six.json case.json "$2"
    page case.json
    has "$1"
}
off='r["program"]["settings"] = [{"name": "HS_BALANCE", "value": "off"}]'
advises 'had no core for much of the time' 'each[1]["host"] = each[0]["host"]
for k in each: k["queue"] = 1.0'
has '<pre>hs run -- ./solver'
has 'had no core for 1 s on average'
advises 'Nothing to do' 'r["lost_to_imbalance"] = 0.04; r["efficiency"]["communication"] = 0.8'
advises '<pre>HS_BALANCE=on hs run -n 6 -- ./solver' "$off"
advises '<pre>HS_BALANCE=on hs run' "${off%off*}static\"}]"
# One rank a host: there are no fewer ranks to start.
advises '<pre>HS_BALANCE=on hs run -n 6 -- ./solver' "$off"'; each[0]["queue"] = 1.0'
hasnt 'Start fewer ranks'
plain='each[0]["decisions"] = 0' # it does not call hs_balance()
advises 'Ranks are placed by speed already' "$plain"'; r["program"]["settings"] = [{"name": "HS_PLATFORM", "value": "gone.xml"}]'
advises '<pre>hs run -n 6 -- ./solver' "$plain"
advises '<pre>hs run --lab two -n 6 -- ./solver' "$plain"'; r["program"]["settings"] = [{"name": "HS_LAB", "value": "two"}]'
# A program that calls hs_balance() is not told to.
advises '<pre>HS_LOG_DECISIONS=decisions hs run -n 6 -- ./solver' ''
hasnt 'hs_balance() in the solver'
page six.json --decisions layout
has 'calls hs_balance() already: <a href="#slices">'
hasnt 'Do this'
advises '<pre>HS_REORDER=topology hs run -n 6 --' 'r["lost_to_imbalance"] = 0; r["efficiency"]["communication"] = 0.5'
# A run of a moment after its start-up, as that of a program which says hello, is lost to nothing.
advises 'Nothing to do' 'r["lost_to_imbalance"] = 0; r["efficiency"]["communication"] = 0.1
for k in each: k["startup"] = 30'
# What was done already, or has no place on one host, is no advice.
messages='r["lost_to_imbalance"] = 0; r["efficiency"]["communication"] = 0.5'
for value in topology world; do
    advises 'Fewer and larger ones' "$messages; r['program']['settings'] = [{'name': 'HS_REORDER', 'value': '$value'}]"
    hasnt 'Do this'
done
advises 'on one host' "$plain
for k in each: k['host'] = 'a1'"
hasnt 'on faster hosts'
advises 'Fewer and larger ones' "$messages
for k in each: k['host'] = 'a1'"
hasnt 'Do this'
advises "<pre>hs run -n 6 -- PROGRAM</pre>" "$plain"'; del r["program"]'
advises "<pre>hs run -n 6 -- a/b '' '.' ''</pre>" "$plain"'; r["program"]["command"] = ["a/b", "", "$", 7]'
has '<title>b, 6 ranks'
# A name that is longer than a title or a cell has no half letter at its end.
advises '<title>aaaa' 'r["program"]["command"] = ["a" * 1022 + "\u00fc" * 9]'
advises '<title>aaaa' 'r["program"]["command"] = ["a" * 1021 + "\u20ac" * 9]'
edit six.json case.json 'r["drifts"][2]["link"] = "a" + "\u00fc" * 300'
page case.json

# Ranks dealt out to hosts in turn: the first and the last of some may be on one host, which is not that of all.
edit many.json case.json 'for i, k in enumerate(each): k["host"] = f"n{i % 5}"'
page case.json --decisions decisions.1000
has '<title>ranks 0 to 15 of the layout, on n0 and others</title>'
has '<g><title>ranks 0 to 5, on n0 and others</title>'

# One machine has no links to list.
echo '<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Full"><host id="n0" speed="2Gf"/></zone></platform>' >alone.xml
page one.json --platform alone.xml
has 'circle area'
hasnt 'Links, by what messages'

# Hosts by their full names; hosts that the platform does not have; more than the page lists or draws.
edit six.json case.json 'for k in each: k["host"] += ".example.org"'
page case.json --platform "$demo"
has '>trunk_UP</th><td>[^<]*</td><td>[1-9]'
fake 6 6 >case.json
page case.json --platform "$demo"
hasnt '>trunk_UP</th><td>[^<]*</td><td>[1-9]'
has '</td><td>0</td><td>0.0 %</td></tr>'
echo '<?xml version="1.0"?><platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-499" speed="2Gf" bw="125MBps" lat="0s"/></platform>' >large.xml
fake 1200 300 >case.json
page case.json --platform large.xml
has 'The first 200 of 300 hosts'
has 'Links, by what messages'
hasnt 'circle area'
has 'The first and last ranks'
has 'Each bar of the drawing is the mean of neighbours'

# What changed: hosts, their speeds where both runs have them, settings.
edit six.json new.json 'each[0]["host"] = "z"; each[1]["speed"] *= 2; each[2]["speed"] = 0
r["program"]["settings"] = [{"name": "HS_WAIT", "value": "sleep"}, {"name": "HS_REPORT", "value": "run-1.json"}, {}]'
edit six.json older.json 'each[3]["speed"] = 0; r["program"]["settings"] += [{"name": "HS_TRACE", "value": "t"}]
r["program"]["started"] = "<i>long ago"'
page new.json older.json
has 'Since older.json (&lt;i>long ago, 6 ranks of 6 hosts)'
has '<li>host z: new</li>'
has '<li>host a1: no longer there</li>'
has '<li>host a2: a rank is 2.00 times as fast as before</li>'
[ "$(grep -c 'times as fast' page.html)" = 1 ] || fail "a speed that is not known is compared: $(grep 'times as fast' page.html)"
has '<code>HS_WAIT</code>: sleep, before: not set'
has '<code>HS_TRACE</code>: not set, before: t'
hasnt '<code>HS_REPORT'
hasnt '<code>Command line'
edit older.json other.json 'r["program"].update(command=["./solver", "<50>"], mpi="Open MPI v5.0.7")'
page new.json other.json
has "<code>Command line</code>: <code>$words</code>, before: <code>./solver '&lt;50>'</code>"
has '<code>MPI library</code>: Open MPI v4.1.4, before: Open MPI v5.0.7'
hasnt '<code>HeteroSlice</code>'

# Runs of no time, without messages, phases and functions, and numbers that no run has: no page has a number that is none.
for odd in 'r["run"] = 0
for k in each: k.update(dict.fromkeys(("startup", "compute", "wait", "transfer", "library", "run"), 0))' \
    'for k in each: k.update(communicators=[], phases=[], functions=[])' \
    'each[0]["functions"] = [{"name": n, "calls": c, "time": t} for n in ("MPI_Send", None) for c in (0, -1) for t in (1e308, -1e308)] * 2' \
    'each[0]["phases"] = [{"level": v, "count": 2**63 - 1, "compute": 1e308, "mpi": -1} for v in range(70)] * 2' \
    'each[0]["communicators"] = [{}, None, {"sent": [{"world": w, "messages": m, "bytes": 1e308} for w in (-1, 6, 2**62, "1", 1) for m in (-1, 1)]}]' \
    'r["partitions"][0]["given"] = r["partitions"][0]["wished"] = [1e308, 1e308]; r["partitions"].append({}); r["linked_partitioners"] = [7]' \
    'r["drifts"] = [{"of": o, "rank": k, "iteration": -1, "before": 1e308, "after": -1e308, "link": o} for o in ("host", "link", "x", 7, None) for k in (0, -1, 2**62, "1", None)] + [None]' \
    'r["call_sites"] = [None, {}, {"function": 7, "object": "-x", "offset": -2**63, "symbol": "", "calls": -1, "time": 1e308, "longest_rank": 1e60}] * 20' \
    'r["efficiency"] = None; r["program"] = {"command": "solver", "settings": [None]}'; do
    edit six.json odd.json "$odd"
    page odd.json older.json --platform "$demo"
    hasnt '>[^<]*[-+ >]\(nan\|inf\)[ <]'
done
# Call sites whose files are not here: by the dynamic linker's symbol, by the place in the file, and from code that is gone.
edit six.json case.json 'site = {"function": "MPI_Send", "object": "/gone/lib<1>.so", "offset": 26, "symbol": "ask<T>", "symbol_offset": 16,
    "ranks": 6, "calls": 600, "time": 0.6, "longest": 0.2, "longest_rank": 4}
r["call_sites"] = [site, {**site, "symbol": None, "symbol_offset": None}, {**site, "object": "", "symbol": None}]
r["call_sites_left_out"] = 17'
page case.json
has 'MPI_Send</th><td class="l">ask&lt;T>+0x10, lib&lt;1>.so</td><td>600</td><td>600 ms</td><td>[0-9.]* %</td><td>1 ms</td><td>200 ms</td><td class="l">4 on b2</td>'
has '<td class="l">lib&lt;1>.so+0x1a</td>'
has '<td class="l">unloaded code+0x1a</td>'
has '17 calls came from more places'
page six.json
hasnt 'Places that call MPI'

# A phase in which no rank computes is balanced.
edit six.json case.json 'for k in each: k["phases"].append({"level": 17, "count": 2, "compute": 0, "mpi": 1})'
page case.json
has '>17</th><td>2</td><td>0</td><td>0</td><td>1 s</td><td>100.0 %</td>'

edit six.json odd.json 'for k in each: k["communicators"] = []; k["phases"] = []'
page odd.json
has 'No message was sent to a single rank'
has 'The program marked no phases'

expect 2 err "no report given" hs report -o page.html
expect 2 err "-o FILE is missing" hs report six.json
expect 2 err "more than 16 reports" hs report $(yes six.json | head -n 17) -o new.html
hs report six.json -o - >&- 2>err && fail "a page to a closed standard output"
grep -q "cannot write standard output" err || fail "a closed standard output: $(cat err)"
expect 1 err "none/new.html" hs report six.json -o none/new.html
expect 1 err "none.json: cannot read it" hs report none.json -o new.html
expect 1 err "six.xml: cannot read it" hs report six.json --platform six.xml -o new.html
expect 1 err "would overwrite six.json" hs report six.json -o six.json
expect 1 err "demo.xml:1: not JSON: " hs report demo.xml -o new.html
echo '{}' >empty.json
expect 1 err "empty.json: not a report that HS_REPORT wrote" hs report empty.json -o new.html
for other in '"other","version":1,"ranks":[{}]' '"heteroslice","version":1,"ranks":[]' '"heteroslice","version":1,"ranks":{}'; do
    echo "{\"report\":$other}" >other.json
    expect 1 err "other.json: not a report that HS_REPORT wrote" hs report other.json -o new.html
done
echo '{"report":"heteroslice","version":2,"ranks":[1]}' >later.json
expect 1 err "later.json: a report of another version than 1" hs report later.json -o new.html
echo '{"report":"heteroslice","version":1,"ranks":[{}]}' >bare.json
expect 1 err "rank 0: host, compute or communicators is missing" hs report bare.json -o new.html
[ ! -e new.html ] || fail "a page of bad input"
exit $failed
