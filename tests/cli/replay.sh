#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hs replay: a log of a real run comes to the same decisions, whatever was decided and however noisy the machine is.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
expect 2 err "no log of decisions given" hs replay
expect 1 err "--threshold takes a share of a step, 0 to 1, not 2" hs replay --threshold 2 "$work/none"
expect 1 err "none: cannot read it: No such file" hs replay "$work/none"
printf '{"event":"layout","layout":1,"ranks":2,"first_cycle":[1]}\n' >"$work/bad"
expect 1 err "bad:1: \"first_cycle\" is not a list with a number a rank" hs replay "$work/bad"
for world in 7 '[0]' '[0,-2]' '[0,"1"]'; do
    printf '{"event":"layout","layout":1,"ranks":2,"first_cycle":[1,1],"world":%s}\n' "$world" >"$work/bad"
    expect 1 err 'bad:1: "world" is not a list' hs replay "$work/bad"
done
mv "$work/bad" "$work/bad.2" # of rank 2, the first of its ring
expect 1 err 'bad.2:1: "world" is not a list' hs replay "$work/bad"
printf '' >"$work/empty"
expect 1 err "empty: it has no line of a layout" hs replay "$work/empty"

runs() { # PROGRAM ARGUMENTS...: it runs on three ranks, on a platform that is wrong about one of them
    cat >"$work/p.xml" <<'END'
<?xml version="1.0"?>
<platform version="4.1"><zone id="z" routing="Full"><host id="h" speed="1Gf" core="3"/></zone></platform>
END
    ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" \
        HS_PLATFORM=$work/p.xml HS_LAB_HOST=h HS_LOG_DECISIONS=$work/log "$LAUNCH" -n 3 "$@" >"$work/run" 2>&1 || {
        cat "$work/run"
        fail "$*: exit $?"
    }
}
if [ -n "${MPIEXEC:-}" ]; then
    runs ./hs-stencil --rows 90 --cols 20000 --iterations 300
    expect 0 out "the same decisions" hs replay "$work/log"
    expect 0 out "as given" hs replay "$work/log" --cost 2
    grep -q '"ranks":3,.*"world":\[[012],[012],[012]\]' "$work/log" || fail "the log does not say who the ranks are: $(head -n 1 "$work/log")"
    grep -q '"site":{"hosts":\["h","h","h"\],"speeds":\[1000000000.0,1000000000.0,1000000000.0\],"halo":160016.0,"periodic":false}' "$work/log" ||
        fail "the log does not say where it ran: $(head -n 1 "$work/log")"
    hs replay "$work/log" --json >"$work/here"
    expect 0 out '"platform":' hs replay "$work/log" --json --platform "$work/p.xml"
    sed 's/1Gf/2Gf/' "$work/p.xml" >"$work/faster.xml"
    hs replay "$work/log" --json --platform "$work/faster.xml" >"$work/there"
    python3 - "$work/here" "$work/out" "$work/there" <<'END' || fail "elsewhere: $(cat "$work/here" "$work/out" "$work/there")"
import json, sys
here, same, faster = [{o["rule"]: o["seconds"] for o in json.load(open(f))["layouts"][0]["outcomes"]} for f in sys.argv[1:]]
assert here["measured"] == same["measured"] == faster["measured"]
assert abs(same["never"] - here["never"]) < 0.3 * here["never"]  # its first slices may be others
assert faster["never"] < same["never"]
END
    expect 0 out "but for what was measured, on $work/faster.xml:" hs replay "$work/log" --platform "$work/faster.xml"
    sed 's/id="h"/id="i"/' "$work/p.xml" >"$work/other.xml"
    expect 1 err "log: layout 1: rank 0 ran on 'h', which is no host of the platform" hs replay "$work/log" --platform "$work/other.xml"
    expect 1 err "none.xml: cannot read it: No such file" hs replay "$work/log" --platform "$work/none.xml"
    expect 2 err "platform" hs replay "$work/log" --platform
    sed 's/,"site":{[^}]*}//' "$work/log" >"$work/earlier"
    expect 0 out "the same decisions" hs replay "$work/earlier"
    expect 1 err "earlier: layout 1: the log does not say where its ranks ran" hs replay "$work/earlier" --platform "$work/p.xml"
    expect 0 out '"rule":"never"' hs replay "$work/log" --json
    python3 - "$work/out" <<'END' || fail "phases, moves or time of all are not those of the one layout: $(cat "$work/out")"
import json, sys
r = json.load(open(sys.argv[1]))
layout, = r["layouts"]
measured, = [o for o in layout["outcomes"] if o["rule"] == "measured"]
assert r["same"] is True and r["phases"] == layout["phases"] > 0
assert (r["moves"], r["time"]) == (measured["moves"], measured["seconds"])
END
    head -n 3 "$work/log" | cut -c 1-60 >"$work/cut"
    expect 1 err "cut:1: not a line of JSON: " hs replay "$work/cut"
    sed '3s/"best":[^,]*/"best":0.125/' "$work/log" >"$work/changed"
    expect 1 err "changed:3: decided again" hs replay "$work/changed"
    runs ./hs-matmul --rows 640 --block-size 8
    expect 0 out "the same decisions" hs replay "$work/log"
    runs ./hs-cg --rows 600 --width 200 --intensity 40 --iterations 300
    grep -q '"event":"weights"' "$work/log" || fail "the log has no weights: $(cut -c 1-200 "$work/log")"
    expect 0 out "the same decisions" hs replay "$work/log"
    expect 0 out '"rule":"never"' hs replay "$work/log" --json
    sed '/"event":"weights"/d' "$work/log" >"$work/changed"
    expect 1 err "decided again" hs replay "$work/changed"
    runs env HS_LOG_DECISIONS="$work/none/log" ./hs-stencil --rows 90 --cols 200 --iterations 3
    grep -q "HS_LOG_DECISIONS: $work/none/log: No such file or directory" "$work/run" || fail "an unwritable log: $(cat "$work/run")"
fi
exit $failed
