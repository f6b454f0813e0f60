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
for rank in json.load(open(sys.argv[1]))["ranks"]:
    inside = sum(f["time"] for f in rank["functions"] if f["name"] == "MPI_Allreduce")
    assert inside > 0 and rank["wait"] > inside - 1e-6, rank
    assert rank["compute"] < rank["run"] - inside + 1e-6, rank
END

run 2 "$work/bare" "$HERE/mpi4" session
grep -q '^no sessions' "$work/bare" && exit $failed

# session MODE REPORTS WARNINGS: so many reports of two ranks, and lines that there is none
session() {
    case $1 in
    session | disconnect)
        run 2 "$work/bare" "$HERE/mpi4" "$1"
        runs_bare "$1" || exit 1
        ;;
    *) # MPICH 4.0 crashes in "again", 4.2 in most runs of "within"
        for try in 1 2 3 4 5; do
            run 2 "$work/bare" "$HERE/mpi4" "$1"
            [ "$(cat "$work/bare.status")" = 0 ] || { tally "$1" skipped "fails bare, too"; return; }
        done
        ;;
    esac
    LD_PRELOAD=$PRELOAD HS_REPORT=$work/session.json run 2 "$work/pmpi" "$HERE/mpi4" "$1"
    compare "$1" "$work/bare" "$work/pmpi"
    [ "$(grep -c '^heteroslice: 2 ranks on ' "$work/pmpi.err")" = "$2" ] &&
        [ "$(grep -c 'without MPI_Init: no report' "$work/pmpi.err")" = "$3" ] ||
        { cat "$work/pmpi.err"; fail "$1: expected $2 reports and $3 warnings"; }
    [ "$1" != thread ] || grep -q 'by another thread than MPI_Session_init: no report' "$work/pmpi.err" || fail "thread: not told"
}
session disconnect 0 1
[ ! -e "$work/session.json" ] || fail "disconnect: a report is written"
session again 2 0
session beside 0 1
[ ! -e "$work/session.json" ] || fail "beside: a report is written"
session thread 0 0
session overlap 1 0
session reused 1 0
# Who calls MPI_Init has the report of MPI_Finalize.
session both 1 0
session within 1 0
session session 1 0
python3 - "$work/session.json" <<'END' || fail "session: what is reported"
import json, sys
ranks = json.load(open(sys.argv[1]))["ranks"]
assert len(ranks) == 2 and all(rank["calls"] == 6 for rank in ranks), ranks
END
LD_PRELOAD=$PRELOAD HS_DISABLE=1 run 2 "$work/off" "$HERE/mpi4" session
compare "session, off" "$work/bare" "$work/off"
grep heteroslice "$work/off.err" && fail "session: says something when it is switched off"
# One rank has no library: it is not waited for.
LD_PRELOAD='' run 2 "$work/half" sh -c 'case ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}} in 0) LD_PRELOAD=$1; export LD_PRELOAD ;; esac; exec "$2" session' sh "$PRELOAD" "$HERE/mpi4"
compare "session, half" "$work/bare" "$work/half"
grep -q 'without MPI_Init: no report' "$work/half.err" || fail "session, half: not told"
# Rank 0's settings are everybody's.
for one in 0 1; do
    rm -f "$work/session.json"
    LD_PRELOAD='' run 2 "$work/one" sh -c 'case ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}} in "$1") HS_REPORT=$2; export HS_REPORT ;; esac; LD_PRELOAD=$3; export LD_PRELOAD; exec "$4" session' \
        sh $one "$work/session.json" "$PRELOAD" "$HERE/mpi4"
    compare "session, HS_REPORT on rank $one" "$work/bare" "$work/one"
    [ "$one:$(ls "$work/session.json" 2>/dev/null)" = "0:$work/session.json" ] || [ "$one:$(ls "$work/session.json" 2>/dev/null)" = "1:" ] ||
        fail "session: HS_REPORT of rank $one"
done
exit $failed
