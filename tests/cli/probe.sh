# SPDX-License-Identifier: BSD-3-Clause
# hs probe: files and messages, also with several ranks. Other tests check the measured values.
set -u
[ -n "$MPIEXEC" ] || { echo "no mpiexec was found"; exit 77; }
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # with --enable-sanitize: MPI libraries leak
export HS_PROBE_BUDGET=100ms
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "$*"; failed=1; }
lines_of_hs() { grep -c '^hs probe: ' "$1"; }

"$LAUNCH" -n 3 hs probe -o "$dir/a.xml" >"$dir/out" 2>"$dir/err" || fail "three ranks: exit $?"
grep -q '^host .*stencil' "$dir/out" || fail "no table: $(cat "$dir/out")"
hs show "$dir/a.xml" --json >"$dir/shown" || fail "the platform does not read back"
grep -q '"hosts":' "$dir/shown" || fail "hs show says: $(cat "$dir/shown")"
ls "$dir" | grep -q 'a.xml.' && fail "a temporary file was left"

"$LAUNCH" -n 2 hs probe -o "$dir/b.xml" --kernel stream --json >"$dir/out" 2>"$dir/err" || fail "--json: exit $?"
[ "$(grep -c . "$dir/out")" = 1 ] || fail "--json prints more than one line: $(cat "$dir/out")"
grep -q '^{"kernel":"stream","time":.*"hosts":\[{"host":.*"ranks":\[0,1\]' "$dir/out" || fail "JSON: $(cat "$dir/out")"

# Speeds by size, in what is printed, written and read
HS_PROBE_BUDGET=1500ms "$LAUNCH" -n 2 hs probe -o "$dir/s.xml" >"$dir/out" 2>"$dir/err" || fail "1500 ms: exit $?"
grep -q " with .* with .*; at most " "$dir/out" || fail "no speeds by size: $(cat "$dir/out")"
grep -q '<prop id="speed_by_size" value="[^",]*:[^",]*, ' "$dir/s.xml" || fail "no speed_by_size in $(cat "$dir/s.xml")"
grep -q '<prop id="max_slice"' "$dir/s.xml" || fail "no max_slice in $(cat "$dir/s.xml")"
hs show "$dir/s.xml" --json | grep -q '"speed_by_size":\[{"size":' || fail "hs show knows no speeds by size"
hs ring "$dir/s.xml" --work 1Gf --halo 1kB --data 1GiB --json >"$dir/out" 2>&1 || fail "hs ring says $(cat "$dir/out")"
HS_PROBE_BUDGET=1500ms "$LAUNCH" -n 1 hs probe -o "$dir/s.xml" --json | grep -q '"speed_by_size":\[{"size":.*"max_slice":[1-9]' ||
    fail "--json without speeds by size"

# Of many pairs of hosts the ten slowest are listed, and the rest counted.
played="sh $HS_TEST_SRCDIR/tests/interpose/play_host.sh 14"
"$LAUNCH" -n 14 $played hs probe -o "$dir/m.xml" >"$dir/out" 2>"$dir/err" || fail "14 hosts: exit $?"
grep -q '^\.\.\. and 81 pairs that are no slower (--all: every row)$' "$dir/out" && [ "$(grep -c '^h[0-9]* *h[0-9]* ' "$dir/out")" = 10 ] ||
    fail "14 hosts: $(cat "$dir/out")"
"$LAUNCH" -n 14 $played hs probe -o "$dir/m.xml" --all >"$dir/out" 2>"$dir/err" || fail "--all: exit $?"
[ "$(grep -c '^h[0-9]* *h[0-9]* ' "$dir/out")" = 91 ] || fail "--all does not list all pairs: $(cat "$dir/out")"

# One host has no flows.
"$LAUNCH" -n 2 hs probe -o "$dir/b.xml" --readings "$dir/b.csv" >/dev/null 2>"$dir/err" || fail "--readings: exit $?"
[ "$(cat "$dir/b.csv")" = round,from,to,bytes_per_second ] || fail "--readings writes $(cat "$dir/b.csv")"
grep -q '<!-- Measured until .* by 2 ranks on 1 host,' "$dir/b.xml" || fail "no comment: $(cat "$dir/b.xml")"

# A file that no longer holds is measured anew; hosts that are off in it are not looked at.
check() { # SPEED TEXT
    printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="%s" speed="%s"/></zone></platform>\n' \
        "$host" "$1" >"$dir/d.xml"
    cp "$dir/d.xml" "$dir/before.xml"
    "$LAUNCH" -n 2 hs probe -o "$dir/d.xml" --check >"$dir/out" 2>"$dir/err" || fail "--check: exit $?"
    cat "$dir/out" "$dir/err" | grep -q "$2" || fail "--check of $1: '$2' is not in $(cat "$dir/out" "$dir/err")"
}
host=$(hs show "$dir/a.xml" --json | sed 's/.*"hosts":\[{"[a-z]*":"\([^"]*\)".*/\1/')
check 0 "d.xml still holds"
cmp "$dir/d.xml" "$dir/before.xml" || fail "--check writes a file that holds"
check 1f "hs probe: $host: .* now, 0.5 f in .*: measuring anew" # two ranks share the one core of the file
hs show "$dir/d.xml" --json | grep -q '"cores":2' || fail "--check does not measure anew"
host=elsewhere check 1Gf "is not in .*: measuring anew"
echo damaged >"$dir/d.xml"
"$LAUNCH" -n 2 hs probe -o "$dir/d.xml" --check >"$dir/out" 2>"$dir/err" || fail "--check of a damaged file: exit $?"
grep -q "^hs probe: $dir/d.xml:1: .*: measuring anew" "$dir/err" || fail "--check of a damaged file says $(cat "$dir/err")"
hs show "$dir/d.xml" >/dev/null || fail "--check leaves a damaged file"
rm "$dir/d.xml"
"$LAUNCH" -n 1 hs probe -o "$dir/d.xml" --check >"$dir/out" 2>"$dir/err" && [ -e "$dir/d.xml" ] || fail "--check without a file: $(cat "$dir/err")"

expect_error() { # STATUS TEXT ARGUMENT...
    status=$1 text=$2
    shift 2
    hs probe "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ "$got" = "$status" ] || fail "hs probe $*: exit $got, expected $status"
    grep -q -e "$text" "$dir/err" || fail "hs probe $*: '$text' is not in '$(cat "$dir/err")'"
    [ "$(lines_of_hs "$dir/err")" = 1 ] || fail "hs probe $*: not one line: $(cat "$dir/err")"
    [ ! -s "$dir/out" ] || fail "hs probe $*: prints $(cat "$dir/out")"
}
expect_error 2 "-o FILE is missing"
expect_error 2 "unknown option '--speed'" -o "$dir/c.xml" --speed
expect_error 1 "takes one of stencil, dgemm, stream" -o "$dir/c.xml" --kernel fft
expect_error 1 "--budget" -o "$dir/c.xml" --budget=-1
expect_error 1 "--budget" -o "$dir/c.xml" --budget nan
expect_error 2 "both write to standard output" -o - --json
expect_error 2 "--check takes a file, and no --json" -o "$dir/c.xml" --check --json
expect_error 1 "cannot write" -o "$dir/none/c.xml" --readings "$dir/c.csv"
expect_error 1 "cannot write $dir/none/c.csv" -o "$dir/c.xml" --readings "$dir/none/c.csv"
[ ! -e "$dir/c.xml" ] && [ ! -e "$dir/c.csv" ] || fail "a file was written in spite of errors"

# Ranks that are not connected, as by the launcher of another MPI library: the first says so.
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 expect_error 1 "2 ranks were started, and each is alone" -o "$dir/c.xml"
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 hs probe -o "$dir/c.xml" >"$dir/out" 2>&1
[ $? = 1 ] && [ ! -s "$dir/out" ] && [ ! -e "$dir/c.xml" ] || fail "a second rank alone: $(cat "$dir/out")"

if "$LAUNCH" -n 3 hs probe -o "$dir/none/d.xml" >"$dir/out" 2>"$dir/err"; then fail "an unwritable path is no error"; fi
[ "$(lines_of_hs "$dir/err")" = 1 ] || fail "three ranks do not print one line: $(cat "$dir/err")"
exit $failed
