# SPDX-License-Identifier: BSD-3-Clause
# What the report says of programs whose account is known, see account.c; and what it must keep for every program of the suite.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
command -v python3 >/dev/null || skip "no python3"

# account MODE [alone]: then python reads its report and output, with rank r in ranks[r] and its messages in sent[r], a list by communicator
account() {
    LD_PRELOAD=$PRELOAD HS_LOG=error HS_REPORT=$work/report.json run 2 "$work/out" "$HERE/account" "$@"
    [ "$(cat "$work/out.status")" = 0 ] || { cat "$work/out.err"; fail "account $1: does not run"; }
    grep -q '^no threads' "$work/out" && return
    { cat <<'END'; cat; } >"$work/check.py"
import json, sys
report = json.load(open(sys.argv[1]))
ranks = report["ranks"]
sent = [[to["messages"] for comm in rank["communicators"] for to in comm["sent"]] for rank in ranks]
END
    python3 "$work/check.py" "$work/report.json" "$work/out" || fail "account $*"
}

account late <<'END'
assert ranks[0]["compute"] > 1.9, ranks[0]
assert ranks[1]["wait"] > 0.1, ranks[1]
END
account poll <<'END'
assert ranks[1]["wait"] > 0.2, ranks[1]
END
case ${HS_TEST_SANITIZER:-} in *tsan*) ;; *) # which makes the program's loop longer than what counts as polling
    account yield <<'END'
assert ranks[1]["compute"] < 0.25 * ranks[1]["run"], ranks[1]
END
esac
account pause <<'END'
assert all(sum(messages) == 2 for messages in sent), sent
assert all(rank["calls"] == 3 for rank in ranks), ranks
most = [[float(line.split()[word]) for word in (4, 6)] for line in sorted(open(sys.argv[2]))]
assert all(rank["run"] <= 1.01 * whole and rank["queue"] <= queue for rank, (whole, queue) in zip(ranks, most)), (ranks, most)
END
cat >"$work/freed" <<'END'
for messages, rank in zip(sent, ranks):
    names = [comm["name"] for comm in rank["communicators"]]
    assert sum(messages) == 200 + 2 * 70, sum(messages)
    assert names.count("(freed)") == 1 and len(names) < 140, names
END
account comms <"$work/freed"
account comms alone <"$work/freed"
account requests <<'END'
assert all(sum(messages) == 3 * 2000 for messages in sent), sent
END
account threads <<'END'
assert all(sum(messages) == 4 * 5000 for messages in sent), sent
END
account aside <<'END'
assert all(sum(messages) == 2 for messages in sent), sent
assert all(rank["phases"] == [] for rank in ranks), ranks
END

# accounted COMMAND...: runs, and there is a report, which keeps what every report must (run checks that).
accounted() {
    HS_LOG=error LD_PRELOAD=$PRELOAD run 2 "$work/out" "$@"
    case $(cat "$work/out.status"):$1 in
    0:*) [ -e "$work/every.json" ] || fail "$*: no report" ;;
    *:tests/runtime/*) grep 'assertion failed' "$work/out.err" && fail "$*" ;; # all else is judged where it is tested
    *) cat "$work/out.err"; fail "$*: does not run" ;;
    esac
}
export CALLS_FILE="$work/file" TMPDIR="$work" # of programs that fail here, nothing stays
cd "$HS_TEST_BUILDDIR" || exit 99
built="tests/runtime/*/*.mpi hs-*" # for the first MPI library
[ -z "${HS_TEST_PROGRAMS:-}" ] || built=
for program in "$HERE"/* $built; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    case $program in
    *.t | *.la | *.so | */account) ;;
    */balance.mpi) ;; # measures speeds
    */bound) accounted "$program" 3 1 1 ;;
    */calls | */calls_cxx) accounted "$program" files ;;
    */fortran_collectives*) # MPICH 4.0.2 crashes in its MPI_Reduce, without the library too
        [ "$launcher" = hydra ] || accounted "$program" ;;
    */edges*) accounted "$program" level 0 ;;
    */late) [ ! -e "$HERE/late_part.so" ] || accounted "$program" "$HERE/late_part.so" ;;
    */watched) accounted "$program" 20 marks ;;
    */world) accounted "$program" "$work/file" ;;
    hs-cg) accounted ./$program --rows 200 --iterations 10 ;;
    hs-matmul) accounted ./$program --blocks 8 --block-size 8 ;;
    hs-particles) accounted ./$program --cells 20 --particles 200 --iterations 10 ;;
    hs-scatter) accounted ./$program --items 200 ;;
    hs-stencil*) accounted ./$program --rows 60 --cols 50 --iterations 80 ;;
    *) accounted "$program" ;;
    esac
done
exit $failed
