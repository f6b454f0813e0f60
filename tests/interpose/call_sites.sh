# SPDX-License-Identifier: BSD-3-Clause
# HS_SITES: which places in C and Fortran programs call MPI, merged over ranks whose files are at different addresses.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
[ -n "$interpreter" ] || skip "no python3"

# check WHAT PYTHON: statements on the report, its list of sites and the sum of some key over those of a function
check() {
    "$interpreter" -S - "$work/report.json" "$2" <<'END' || fail "$1"
import json, sys
report = json.load(open(sys.argv[1]))
ranks, sites = report["ranks"], report.get("call_sites")
def total(function, key, threads="main"):
    return sum(site[key] for site in sites if site["function"] == function and site["threads"] == threads)
exec(sys.argv[2])
END
}
# Each call and its time is in one site; each site is in one file, the program, and comes once.
all='assert report["call_sites_left_out"] == 0
for name in {f["name"] for r in ranks for f in r["functions"]} | {site["function"] for site in sites if site["threads"] == "main"}:
    of_ranks = [f for r in ranks for f in r["functions"] if f["name"] == name]
    assert total(name, "calls") == sum(f["calls"] for f in of_ranks), (name, sites)
    assert abs(total(name, "time") - sum(f["time"] for f in of_ranks)) < 1e-7 * len(sites) * len(ranks), (name, sites)
assert [site["time"] for site in sites] == sorted((site["time"] for site in sites), reverse=True)
assert len({(site["function"], site["threads"], site["object"], site["offset"]) for site in sites}) == len(sites) > 0
assert all(1 <= site["ranks"] <= len(ranks) and 0 <= site["longest_rank"] < len(ranks) and
           site["time"] / site["ranks"] - 1e-8 <= site["longest"] <= site["time"] + 1e-8 for site in sites), sites
assert not any("sites" in rank for rank in ranks)
'
only="program, = {site['object'] for site in sites}
import os
"

# sites RANKS PROGRAM ARGUMENTS...
sites() {
    n=$1
    shift
    LD_PRELOAD=$PRELOAD HS_SITES=${set-1} HS_REPORT=$work/report.json run "$n" "$work/out" "$@"
    [ "$(cat "$work/out.status")" = 0 ] || { cat "$work/out.err"; fail "$*: does not run"; }
}

sites 3 "$HERE/watched" 40
check "watched" "$all$only
assert os.path.samefile(program, '$HERE/watched'), program
assert total('MPI_Send', 'calls') == 120 and [site['ranks'] for site in sites if site['function'] == 'MPI_Send'] == [3], sites
assert {site['threads'] for site in sites} == {'main'}, sites
waits = [(s['calls'], s['ranks']) for s in sites if s['function'] == 'MPI_Wait']
assert (120, 3) in waits and total('MPI_Wait', 'calls') == 123 and len(waits) >= 3, waits # the compiler may unroll"
[ "$(grep -c '^heteroslice' "$work/out.err")" -le 10 ] || fail "more than ten lines: $(cat "$work/out.err")"

# The page has the lines in the source, if the program has them; without addr2line it has places in the file, as in a file that
# was changed after the run.
if [ -x "$HS_TEST_BUILDDIR/hs" ]; then
    page() { "$HS_TEST_BUILDDIR/hs" report "$work/report.json" -o "$work/page.html" || fail "hs report"; }
    line=$(grep -n 'MPI_Send(out' "$HS_TEST_SRCDIR/tests/interpose/watched.c" | cut -d : -f 1)
    page
    if addr2line -e "$HERE/watched" 0 >/dev/null 2>&1 && readelf -S "$HERE/watched" 2>/dev/null | grep -q debug_line; then
        grep -q "<th scope=\"row\">MPI_Send</th><td class=\"l\">main, watched\.c:$line</td><td>120</td>" "$work/page.html" ||
            fail "the page has no main, watched.c:$line"
    fi
    (PATH=$work page)
    grep -q '<th scope="row">MPI_Send</th><td class="l">watched+0x[0-9a-f]*</td>' "$work/page.html" ||
        fail "without addr2line the page has no watched+0x..."
    sed 's/"started": "2/"started": "1/' "$work/report.json" >"$work/old.json" && mv "$work/old.json" "$work/report.json"
    page
    grep -q '<th scope="row">MPI_Send</th><td class="l">watched+0x[0-9a-f]*</td>' "$work/page.html" ||
        fail "the page has lines of a program that changed after the run"
fi

# The calls of another thread are in no function's time, and have places of their own.
sites 2 "$HERE/watched" 100 thread
check "a program with threads" "$all$only
assert os.path.samefile(program, '$HERE/watched') and not total('MPI_Comm_free', 'calls'), sites
assert [(site['function'], site['calls'], site['ranks']) for site in sites if site['threads'] == 'other'] == [('MPI_Comm_free', 2, 2)], sites
assert 0 < total('MPI_Comm_free', 'time', 'other') < max(rank['run'] for rank in ranks) * len(ranks), sites"
if [ -x "$HS_TEST_BUILDDIR/hs" ]; then
    page
    grep -q '<th scope="row">MPI_Comm_free</th><td class="l">.*watched.* (other threads)</td><td>2</td>' "$work/page.html" ||
        fail "the page has no places of other threads"
    [ "$(grep -c '(other threads)' "$work/page.html")" = 1 ] || fail "the page has main threads' places as others'"
fi

# In Fortran the place is the program's, whichever functions of the MPI library lie between.
for kind in include module 2008; do
    [ -x "$HERE/fortran_$kind" ] || continue
    CALLS_FILE=$work/file
    export CALLS_FILE
    sites 3 "$HERE/fortran_$kind"
    check "fortran_$kind" "$all$only
assert os.path.samefile(program, '$HERE/fortran_$kind'), program
assert len(sites) > 40, len(sites)"
done

# Nothing without the variable, and rank 0's is everybody's.
set=0
sites 2 "$HERE/watched" 3
check "HS_SITES=0" "assert sites is None and 'call_sites_left_out' not in report, report"
unset set
cat >"$work/first" <<'END'
case ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} in 0) export HS_SITES="$1" ;; *) export HS_SITES="$2" ;; esac
shift 2
exec "$@"
END
sites 2 sh "$work/first" 1 0 "$HERE/watched" 3
check "HS_SITES=1 on rank 0 alone" "$all"
sites 2 sh "$work/first" 0 1 "$HERE/watched" 3
check "HS_SITES=0 on rank 0 alone" "assert sites is None, sites"
LD_PRELOAD=$PRELOAD HS_SITES=2 run 2 "$work/out" "$HERE/watched" 3
grep -q "HS_SITES='2' is not 0|1" "$work/out.err" || fail "HS_SITES=2: $(cat "$work/out.err")"
exit $failed
