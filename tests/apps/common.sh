# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of the applications, which set before: program, the application and what every run gives it.
set -u
[ -n "${MPIEXEC:-}" ] || { echo "no mpiexec was found"; exit 77; }
[ -x "${program%% *}" ] || { echo "${program%% *} is not built"; exit 77; }
export HS_PROBE_BUDGET=0.3s
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # with --enable-sanitize: MPI libraries leak
. "$HS_TEST_SRCDIR/tests/work.sh"

# run RANKS ARGUMENT...: the application's output and errors
run() {
    ranks=$1
    shift
    "$LAUNCH" -n "$ranks" $program "$@" 2>&1
}

# good NAME WHAT OUTPUT: it says verified, has the checksum of all outputs of that name, and no member that the manual page has not
good() {
    for member in $(printf '%s' "$3" | grep -o '"[a-z_]*":' | tr -d '":'); do
        grep -q "\"$member\"" "$HS_TEST_SRCDIR/doc/man/$(basename "${program%% *}").1" || fail "\"$member\" is not in the manual page"
    done
    case $3 in *'"verified":true'*) ;; *) fail "$2: $3" ;; esac
    sum=$(printf '%s' "$3" | sed -n 's/.*"checksum":"\([0-9a-f]*\)".*/\1/p')
    [ -s "$work/sum.$1" ] || printf '%s' "$sum" >"$work/sum.$1"
    [ -n "$sum" ] && [ "$sum" = "$(cat "$work/sum.$1")" ] || fail "$2: checksum '$sum', not '$(cat "$work/sum.$1")'"
}

# same NAME RANKS ARGUMENT...: runs it, and its output is good
same() {
    name=$1
    shift
    out=$(run "$@")
    good "$name" "$*" "$out"
}

# usage TEXT ARGUMENT...: refused with status 2 and a line that has the text
usage() {
    text=$1
    shift
    out=$(${program%% *} "$@" 2>&1)
    status=$?
    [ $status -eq 2 ] || fail "$*: exit $status, expected 2"
    case $out in *"$text"*) ;; *) fail "$*: '$text' is not in '$out'" ;; esac
}

# full ARGUMENT...: a run whose output cannot be written says so and ends with status 1
full() {
    [ -w /dev/full ] || return 0
    ${program%% *} "$@" >/dev/full 2>"$work/err"
    status=$?
    [ $status -eq 1 ] || fail "a full disk: exit $status"
    grep -q 'cannot write standard output: No space left' "$work/err" || fail "a full disk: $(cat "$work/err")"
}
