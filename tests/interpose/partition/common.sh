# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of partitioners: six ranks, each on a host of its own by name, of speeds 8 6 4 4 3 2.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
command -v python3 >/dev/null || skip "no python3"
here=$HS_TEST_SRCDIR/tests/interpose/partition
play="sh $HS_TEST_SRCDIR/tests/interpose/play_host.sh 6"
printf '%s\n' '<?xml version="1.0"?>' '<platform version="4.1"><zone id="z" routing="Full">' \
    '<host id="h0" speed="8Gf"/><host id="h1" speed="6Gf"/><host id="h2" speed="4Gf"/>' \
    '<host id="h3" speed="4Gf"/><host id="h4" speed="3Gf"/><host id="h5" speed="2Gf"/>' '</zone></platform>' >"$work/hosts.xml"
sed 's/speed="[0-9]*Gf"/speed="4Gf"/g' "$work/hosts.xml" >"$work/equal.xml"
sed 's/\(id="h5" speed="\)2Gf/\10f/' "$work/hosts.xml" >"$work/off.xml"
by_speed="8 6 4 4 3 2"
equal="1 1 1 1 1 1"

# With threads of its own PT-Scotch may hang before 7.0.5 (doc/partitioners.md).
export SCOTCH_PTHREAD_NUMBER=1

# cut RANKS MODE PROGRAM...: runs it preloaded with HS_PARTITION=MODE, or bare; HOSTS names another platform file. Targets stay
# those of the start, however busy the machine is, but with BALANCE=on
cut() {
    n=$1 mode=$2
    shift 2
    if [ "$mode" = bare ]; then
        run "$n" "$work/out" $play "$@"
    else
        LD_PRELOAD=$PRELOAD HS_PARTITION=$mode HS_BALANCE=${BALANCE:-static} HS_PLATFORM=${HOSTS:-$work/hosts.xml} HS_REPORT=$work/report.json \
            run "$n" "$work/out" $play "$@"
    fi
    [ "$(cat "$work/out.status")" = 0 ] || { cat "$work/out" "$work/out.err"; fail "$mode: $*: does not run"; }
    grep "assertion failed" "$work/out.err" && fail "$mode: $*"
    true
}

# sized WHAT TOLERANCE LINES SHARES: the last run printed LINES lines "WHAT: sizes", each by these shares within TOLERANCE of
# the average part
sized() {
    python3 - "$work/out" "$@" <<'END' || { cat "$work/out.err"; fail "$mode: $1: sizes"; }
import sys
path, what, tolerance, lines = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
shares = [float(word) for word in sys.argv[5].split()]
found = [[int(word) for word in line.split(":")[1].split()] for line in open(path) if line.startswith(what + ":")]
good = len(found) == lines
for sizes in found:
    n, whole = sum(sizes), sum(shares)
    good &= len(sizes) == len(shares) and all(
        abs(size - share / whole * n) <= tolerance * n / len(shares) + 1 for size, share in zip(sizes, shares))
if not good:
    sys.exit(f"{what}: {found}, expected {lines} by {shares}")
END
}

# told CALL RANKS LINE...: the report has an entry of this call, made together by RANKS, for which the Python lines hold
# (e: the entry)
told() {
    python3 - "$work/report.json" "$@" <<'END' || fail "$mode: the report of $1"
import json, sys
entries = [e for e in json.load(open(sys.argv[1]))["partitions"] if e["call"] == sys.argv[2] and e["ranks"] == int(sys.argv[3])]
assert entries, f"no entry of {sys.argv[2]}"
for e in entries:
    for line in sys.argv[4:]:
        assert eval(line), (line, e)
END
}

# load_late LIBRARY WAY...: a program that is not linked to the library, and so not to its partitioner, loads it with RTLD_LOCAL and calls
# its part(), for which main() was compiled with -Dmain=part
load_late() {
    [ -x "$work/loads" ] || ${CC:-cc} -o "$work/loads" "$here/loads.c" -ldl || fail "loads.c does not compile"
    cut 6 on "$work/loads" "$@"
}

# lines N TEXT: standard error of the last run has N lines with TEXT
lines() {
    [ "$(grep -c -e "$2" "$work/out.err")" = "$1" ] || { cat "$work/out.err"; fail "$mode: not $1 lines with '$2'"; }
}
