# SPDX-License-Identifier: BSD-3-Clause
# Calls of MPI-4: preloading changes nothing, every call is counted once, waiting is waiting, and programs without MPI_Init
# run. Of what the MPI library lacks, nothing is tried.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
command -v python3 >/dev/null || skip "no python3"
same 3 "$HERE/mpi4"

# Messages and bytes to the next rank, collective calls and their bytes: persistent and partitioned ones each time they start.
LD_PRELOAD=$PRELOAD HS_REPORT=$work/traffic.json run 3 "$work/traffic" "$HERE/mpi4"
case $(cat "$work/traffic") in
*"large counts"*) expected="11 88 9 32" ;;
*MPI-4*) expected="8 76 6 24" ;;
*) expected= ;;
esac
# shellcheck disable=SC2086
[ -z "$expected" ] || python3 - "$work/traffic.json" $expected <<'END' || fail "traffic of MPI-4's calls"
import json, sys
comm = json.load(open(sys.argv[1]))["ranks"][0]["communicators"][0]
sent = comm["sent"][0]
seen = [sent["messages"], sent["bytes"], comm["collectives"], comm["collective_bytes"]]
assert len(comm["sent"]) == 1 and seen == [int(word) for word in sys.argv[2:]], comm
END

LD_PRELOAD=$PRELOAD HS_REPORT=$work/late.json run 2 "$work/late" "$HERE/mpi4" late
[ "$(cat "$work/late.status")" = 0 ] || { cat "$work/late.err"; fail "late: does not run"; }
grep -q '^no large' "$work/late" || python3 - "$work/late.json" <<'END' || fail "late: waiting in MPI_Allreduce_c is something else"
import json, sys
ranks = json.load(open(sys.argv[1]))["ranks"]
assert ranks[1]["wait"] > ranks[1]["compute"], ranks[1]
assert ranks[0]["compute"] > ranks[0]["wait"], ranks[0]
END

# One line of all ranks tells that there is no report.
run 2 "$work/bare" "$HERE/mpi4" session
grep -q '^no sessions' "$work/bare" && exit $failed
runs_bare session || exit 1
LD_PRELOAD=$PRELOAD HS_REPORT=$work/session.json run 2 "$work/pmpi" "$HERE/mpi4" session
compare session "$work/bare" "$work/pmpi"
[ "$(grep -c 'session of MPI' "$work/pmpi.err")" = 1 ] || { cat "$work/pmpi.err"; fail "session: not told in one line"; }
LD_PRELOAD=$PRELOAD HS_DISABLE=1 run 2 "$work/off" "$HERE/mpi4" session
compare "session, off" "$work/bare" "$work/off"
grep heteroslice "$work/off.err" && fail "session: says something when it is switched off"
exit $failed
