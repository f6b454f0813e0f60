# SPDX-License-Identifier: BSD-3-Clause
# What the report says of programs whose account is known; see account.c.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
command -v python3 >/dev/null || skip "no python3"

# account MODE: then python reads its report, with rank r in ranks[r] and its messages in sent[r], a list by communicator
account() {
    LD_PRELOAD=$PRELOAD HS_LOG=error HS_REPORT=$work/report.json run 2 "$work/out" "$HERE/account" "$1"
    [ "$(cat "$work/out.status")" = 0 ] || { cat "$work/out.err"; fail "account $1: does not run"; }
    grep -q '^no threads' "$work/out" && return
    { cat <<'END'; cat; } >"$work/check.py"
import json, sys
report = json.load(open(sys.argv[1]))
ranks = report["ranks"]
sent = [[to["messages"] for comm in rank["communicators"] for to in comm["sent"]] for rank in ranks]
END
    python3 "$work/check.py" "$work/report.json" || fail "account $1"
}

account late <<'END'
assert ranks[1]["wait"] > ranks[1]["compute"], ranks[1]
assert report["lost_to_imbalance"] > 0.1, report["efficiency"]
assert abs(ranks[0]["run"] - ranks[1]["run"]) < 0.4, [r["run"] for r in ranks]
END
account poll <<'END'
assert ranks[1]["wait"] > ranks[1]["compute"], ranks[1]
assert ranks[0]["compute"] > ranks[0]["wait"], ranks[0]
END
account pause <<'END'
assert all(sum(messages) == 2 for messages in sent), sent
assert all(rank["calls"] == 3 and rank["compute"] < 1 for rank in ranks), ranks
END
account comms <<'END'
for messages, rank in zip(sent, ranks):
    names = [comm["name"] for comm in rank["communicators"]]
    assert sum(messages) == 200 + 2 * 70, sum(messages)
    assert names.count("(freed)") == 1 and len(names) < 140, names
END
account requests <<'END'
assert all(sum(messages) == 3 * 2000 for messages in sent), sent
END
account threads <<'END'
assert all(sum(messages) == 4 * 5000 for messages in sent), sent
END
exit $failed
