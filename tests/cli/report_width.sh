# SPDX-License-Identifier: BSD-3-Clause
# Pages of hs report in a browser, as wide as a phone, a tablet and a desk, and printed: of usual runs, and of one with names that are long.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
for browser in chromium chromium-browser google-chrome ''; do
    command -v "$browser" >/dev/null && break
done
[ -n "$browser" ] || { echo "skipped: no chromium"; exit 77; }
here=$HS_TEST_SRCDIR/tests/cli
cd "$work" || exit 99

python3 "$here/fake_report.py" 6 6 1 six >six.json
python3 "$here/fake_report.py" 6 6 0.2637 six >short.json
python3 "$here/fake_report.py" 1000 125 >many.json
python3 - short.json long.json <<'END'
import json, sys
report, name = json.load(open(sys.argv[1])), "a" * 300
report["program"].update(command=[f"./{name}", f"--{name}"], mpi=name, settings=[{"name": "HS_REPORT", "value": name}])
report["linked_partitioners"] = [name]
report["call_sites"] = [{"function": "MPI_Send", "object": f"/{name}", "offset": 26, "symbol": name, "symbol_offset": 16, "ranks": 6,
                         "calls": 600, "time": 0.6, "longest": 0.2, "longest_rank": 4}]
for rank in report["ranks"]:
    rank["host"] = f"{rank['host']}{name}"
json.dump(report, open(sys.argv[2], "w"))
END
hs report six.json --platform "$HS_TEST_SRCDIR/examples/two-switches.xml" -o six.html || fail "six.json"
python3 "$here/fake_decisions.py" 6 40 7 >decisions
python3 "$here/fake_decisions.py" 1000 399 1 >decisions.1000
hs report short.json --decisions decisions -o short.html || fail "short.json"
hs report many.json --decisions decisions.1000 -o many.html || fail "many.json"
hs report long.json six.json -o long.html || fail "long.json"
python3 "$here/check_width.py" "$browser" "$work" six.html short.html many.html long.html
status=$?
# On paper there are the pictures, whose texts a printed page has as such.
if command -v pdftotext >/dev/null && [ $status = 0 ]; then
    "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --print-to-pdf=short.pdf "file://$work/short.html" >printing 2>&1
    pdftotext -layout short.pdf - >printed 2>>printing || fail "a page is not printed: $(cat printing)"
    grep -q '^ *a3 *$' printed && grep -q 'One bar for each rank' printed || fail "no pictures on paper: $(cat printed)"
    grep -q ' 1\.33$' printed || fail "the last column of the widest table is cut off on paper: $(cat printed)"
    ! grep -q 'Pointing shows' printed || fail "what a plot says is on paper"
fi
[ $status = 0 ] || [ $status = 77 ] || fail "the pages in a browser"
[ $failed = 0 ] && exit $status
exit 1
