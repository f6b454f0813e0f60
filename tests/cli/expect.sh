# SPDX-License-Identifier: BSD-3-Clause
# For tests of hs: source it, use expect and exactly, end with 'exit $failed'. $work is a temporary directory.
set -u
. "$HS_TEST_SRCDIR/tests/work.sh"
# The interpreter itself, since a wrapper of python3 may take longer than what it runs.
interpreter=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -n "$interpreter" ]; then
    python3() { "$interpreter" "$@"; }
fi

# STATUS STREAM TEXT COMMAND...: expect this exit status, and TEXT on the stream, out or err. Errors print nothing on out.
expect() {
    status=$1 stream=$2 text=$3
    shift 3
    "$@" >"$work/out" 2>"$work/err" </dev/null; got=$?
    case $(cat "$work/$stream") in *"$text"*) ;; *) fail "$*: '$text' is not in '$(cat "$work/$stream")'" ;; esac
    [ "$got" -eq "$status" ] || fail "$*: exit $got, expected $status"
    [ "$stream" = out ] || [ ! -s "$work/out" ] || fail "$*: words on standard output"
    [ "$status" -ne 1 ] || [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$*: not one line on standard error"
}

# TEXT COMMAND...: expect exit status 0 and exactly TEXT on standard output and error together.
exactly() {
    text=$1
    shift
    out=$("$@" 2>&1) || fail "$*: exit $?"
    [ "$out" = "$text" ] || fail "$*: '$out', expected '$text'"
}
