# SPDX-License-Identifier: BSD-3-Clause
# The summary at the end of a program, and the JSON report of a program whose calls are known.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
python3 -c 'import json' 2>/dev/null || skip "no python3"

watch() {
    LD_PRELOAD=$PRELOAD HS_REPORT=$work/report.json run "${n:-3}" "$work/out" "$HERE/watched" "$@"
    [ "$(cat "$work/out.status")" = 0 ] || { cat "$work/out.err"; fail "watched $*: does not run"; }
    grep -q '^heteroslice: parallel efficiency' "$work/out.err" || fail "watched $*: no summary"
    [ "$(ls "$work" | grep -c '^report')" = 1 ] || fail "watched $*: something is left beside the report"
}

watch 40
python3 - "$work/report.json" "$HS_TEST_SRCDIR/doc/report.schema.json" <<'END' || fail "the report"
import json, sys
report, schema = (json.load(open(path)) for path in sys.argv[1:])
def check(value, rule):
    """As much of JSON Schema as ours uses: required keys, none that it does not know, and the types below."""
    rule = schema["definitions"][rule["$ref"].split("/")[-1]] if "$ref" in rule else rule
    if "const" in rule:
        assert value == rule["const"], (value, rule)
    if rule.get("type") == "object":
        assert set(rule.get("required", rule["properties"])) <= set(value) <= set(rule["properties"]), sorted(value)
        for key in value:
            check(value[key], rule["properties"][key])
    if rule.get("type") == "array":
        assert isinstance(value, list)
        for item in value:
            check(item, rule["items"])
    kinds = {"integer": int, "number": (int, float), "string": str}
    if rule.get("type") in list(kinds):
        assert isinstance(value, kinds[rule["type"]]), (value, rule)
check(report, schema)
ranks = report["ranks"]
assert [r["rank"] for r in ranks] == [0, 1, 2]
for r in ranks:
    assert abs(r["wait"] + r["transfer"] - r["mpi"]) < 1e-6
    assert 40 <= r["iterations"]["count"] <= 43 and r["iterations"]["calls"] == 4, r["iterations"] # rank 1 also receives 3 times
    own = [c for c in r["communicators"] if c["name"] == "own ?"]
    assert len(own) == 1 and own[0]["size"] == 3 and own[0]["rank"] == r["rank"]
    assert own[0]["collectives"] == 40 and own[0]["collective_bytes"] == 320
    more = 1 if r["rank"] == 0 else 0
    sent = {"rank": (r["rank"] + 1) % 3, "world": (r["rank"] + 1) % 3, "messages": 40 + 3 * more, "bytes": 32000 + 120 * more}
    assert own[0]["sent"] == [sent], own[0]["sent"]
    functions = {f["name"]: f["calls"] for f in r["functions"]}
    assert functions["MPI_Allreduce"] == 40 and functions["MPI_Irecv"] == 40, functions
    assert functions["MPI_Send"] == 40 and "MPI_Comm_rank" not in functions, functions
    assert functions["MPI_Finalize"] == 1, functions  # the wait for the last rank is in it
    times = [f["time"] for f in r["functions"]]
    assert times == sorted(times, reverse=True) and r["startup"] > 0 and r["measuring"] > 0 and r["compute"] > 0, r
p = report["program"]
assert p["command"][0].endswith("watched") and p["command"][1:] == ["40"], p
assert p["started"].endswith("Z") and len(p["started"]) == 20 and "MPI" in p["mpi"], p
assert {"name": "HS_REPORT", "value": sys.argv[1]} in p["settings"], p
e = report["efficiency"]
assert abs(e["parallel"] - e["load_balance"] * e["communication"]) < 1e-6
END

# Ten lines at most, whose columns add up to the wall time, as they are printed.
[ "$(grep -c '^heteroslice' "$work/out.err")" -le 10 ] || fail "more than ten lines: $(cat "$work/out.err")"
python3 - "$work/out.err" "$work/report.json" <<'END' || fail "the summary"
import json, sys
lines = [line.split() for line in open(sys.argv[1]) if line.startswith("heteroslice: ")]
head, = (i for i, line in enumerate(lines) if line[1:3] == ["host", "ranks"])
assert lines[head][-8:] == ["start-up", "compute", "transfer", "wait", "library", "=", "wall,", "s"], lines[head]
rows = [line for line in lines[head + 1:] if line[1] != "parallel"]
assert rows[-2][1] == "all" and rows[-1][-1] == "%", rows
for row in rows:
    numbers = row[:-1] if row[-1] == "%" else row
    assert min(map(float, numbers[-6:])) >= 0, row
    parts, wall = sum(float(x) for x in numbers[-6:-1]), float(numbers[-1])
    assert abs(parts - wall) < 1e-7 * max(1, wall), row
ranks = json.load(open(sys.argv[2]))["ranks"]
wall = sum(r["startup"] + r["run"] for r in ranks) / len(ranks)
assert abs(float(rows[-2][-1]) - wall) <= 0.0006 * wall + 1e-6, (rows[-2], wall)
assert rows[-1][-2] == "100.0", rows[-1]
END
# Its first and last line tell of the same time, start-up included.
python3 - "$work/out.err" "$work/report.json" <<'END' || fail "the summary's sentence"
import json, re, sys
text, report = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
lost, balanced, unit = re.search(r"; (\d+) % of the time lost to imbalance; balanced it would take ([\d.]+) (m?s); (?:nothing to do|do this.*)\n", text).groups()
wall = max(r["startup"] + r["run"] for r in report["ranks"])
assert abs(float(balanced) / {"s": 1, "ms": 1000}[unit] - (report["balanced_run"] + wall - report["run"])) < 0.001 * wall, text
assert abs(float(lost) - 100 * report["lost_to_imbalance"] * report["run"] / wall) <= 0.5 + 1e-6, text
END

HS_LAB_HOST=$(printf 'h\366st') watch 20 marks
python3 - "$work/report.json" <<'END' || fail "the report of marks"
import json, sys
for r in json.load(open(sys.argv[1], encoding="utf-8"))["ranks"]:
    assert r["host"] == "h?st", r["host"]
    assert [c["collectives"] for c in r["communicators"]] == [21], r["communicators"]
    assert [(p["level"], p["count"]) for p in r["phases"]] == [(16, 20), (17, 1)], r["phases"]
    assert r["iterations"]["count"] == 20
END

# Numbers are alike in whatever language the program is.
if localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" >/dev/null 2>&1; then
    LOCPATH=$work LC_ALL=de_DE.UTF-8 watch 20
    grep '[0-9],[0-9]' "$work/out.err" && fail "numbers have commas"
fi

# Two calls of one function from two places are one iteration.
watch 40 twice
python3 - "$work/report.json" <<'END' || fail "the report of two barriers"
import json, sys
for r in json.load(open(sys.argv[1]))["ranks"]:
    assert 79 <= r["iterations"]["count"] <= 83, r["iterations"]
END

# The bytes of an element that no int counts.
watch 5 huge
python3 - "$work/report.json" <<'END' || fail "the report of a huge element"
import json, sys
for r in json.load(open(sys.argv[1]))["ranks"]:
    assert 2**32 in [c["collective_bytes"] for c in r["communicators"]], r["communicators"]
END

# So many short rounds that noted calls fill several batches: every call and message counts.
n=2
watch 5000
python3 - "$work/report.json" <<'END' || fail "the report of many short rounds"
import json, sys
for r in json.load(open(sys.argv[1]))["ranks"]:
    sent, = r["communicators"][0]["sent"]
    more = 3 if r["rank"] == 0 else 0
    assert (sent["messages"], sent["bytes"]) == (5000 + more, 800 * 5000 + 40 * more), sent
    assert r["calls"] == 4 * 5000 + (15 if r["rank"] == 0 else 10), r["calls"]
    assert 4990 <= r["iterations"]["count"] <= 5003 and r["iterations"]["calls"] == 4, r["iterations"]
END

# Another thread frees the communicator.
watch 5000 thread
python3 - "$work/report.json" <<'END' || fail "the report where a thread frees a communicator"
import json, sys
for r in json.load(open(sys.argv[1]))["ranks"]:
    sent, = r["communicators"][0]["sent"]
    assert (sent["messages"], sent["bytes"]) == (5000, 800 * 5000), sent
    assert r["communicators"][0]["collectives"] == 5000, r["communicators"]
END

# A file that cannot be written is told, and changes nothing else.
LD_PRELOAD=$PRELOAD HS_REPORT=$work/none/report.json run 2 "$work/out" "$HERE/watched" 3
[ "$(cat "$work/out.status")" = 0 ] || fail "a bad HS_REPORT changes the exit status"
[ "$(grep -c '^heteroslice: error: HS_REPORT: cannot write' "$work/out.err")" = 2 ] ||
    fail "a bad HS_REPORT is not told in MPI_Init and again at the end: $(cat "$work/out.err")"
grep -q 'tried again at MPI_Finalize' "$work/out.err" || fail "a bad HS_REPORT is not told in MPI_Init"

# Nobody reads standard error, or it is full: a program that says nothing there does not end of what the library says. So it is
# with a report that goes there.
python3 - "$HERE/watched" "$PRELOAD" <<'END' || fail "a standard error that takes nothing changes the end of a program"
import os, subprocess, sys
reader, unread = os.pipe()
os.close(reader)
full = os.open("/dev/full", os.O_WRONLY)
for stream in unread, full:
    for report in "", "/dev/stderr":
        settings = {**os.environ, "LD_PRELOAD": sys.argv[2], "HS_REPORT": report}
        end = subprocess.run([sys.argv[1], "3"], stdout=subprocess.DEVNULL, stderr=stream, env=settings, timeout=60).returncode
        assert end == 0, (stream, report, end)
END

# A relative path is one of the folder in which the program started, wherever it goes.
mkdir "$work/start"
printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="%s" speed="7Gf" core="2"/></zone></platform>\n' "$(hostname)" >"$work/start/mine.xml"
(cd "$work/start" && LD_PRELOAD=$PRELOAD HS_LOG=error HS_REPORT=mine.json HS_PLATFORM=mine.xml "$LAUNCH" -n 2 "$HERE/watched" 3 folder a:b </dev/null) ||
    fail "a program that changes its folder does not run"
[ -s "$work/start/mine.json" ] || fail "a relative HS_REPORT is not where the program started: $(ls "$work/start")"
grep -q '"speed": 7e9,' "$work/start/mine.json" || fail "a relative HS_PLATFORM is not of where the program started"
grep -q '"a:b"' "$work/start/mine.json" || fail "the command is not told as it was when the program started"

# Spawned worlds write files of their own.
if [ -x "$HERE/edges" ] && [ "$launcher" = orte ]; then
    (cd "$work/start" && LD_PRELOAD=$PRELOAD HS_LOG=error HS_REPORT=world.json "$LAUNCH" -n 2 "$HERE/edges" spawn </dev/null >/dev/null) ||
        fail "a program that spawns does not run"
    [ -s "$work/start/world.json" ] || fail "a program that spawns has no report"
    spawned=$(ls "$work/start"/world-spawned-*.json 2>/dev/null | wc -l)
    [ "$spawned" = 1 ] || fail "the spawned world's report: $(ls "$work/start")"
fi
# Quiet when asked, and when switched off.
LD_PRELOAD=$PRELOAD HS_LOG=error run 2 "$work/out" "$HERE/watched" 3
grep heteroslice "$work/out.err" && fail "HS_LOG=error is not quiet"
LD_PRELOAD=$PRELOAD HS_DISABLE=1 HS_REPORT=$work/off.json run 2 "$work/out" "$HERE/watched" 3
[ ! -e "$work/off.json" ] && ! grep heteroslice "$work/out.err" || fail "HS_DISABLE=1 reports"
exit $failed
