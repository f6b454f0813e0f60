# SPDX-License-Identifier: BSD-3-Clause
# From two seconds on a line on the terminal says that hs is at work, and goes again; elsewhere nothing is printed. The
# platform comes through a named pipe, so that hs waits as long as the test wants it to.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
python3 -c 'import pty' 2>/dev/null || { echo "skipped: no python3"; exit 77; }
mkfifo "$work/pipe"
platform=$HS_TEST_SRCDIR/examples/two-switches.xml
TERM=xterm
export TERM

# STATUS ORDER PATTERN FILE: what comes on the terminal while hs ring plans for the file.
shows() {
    said=$(python3 "$HS_TEST_SRCDIR/tests/cli/terminal.py" "$2" "$work/pipe" "searching, " \
        hs ring "$work/pipe" --work 2Gf --halo 64KiB <"$4") && got=0 || got=$?
    printf "%s\n" "$said" | grep -q "^'$3'\$" && [ "$got" -eq "$1" ] || fail "$2: exit $got, expected $1: $(printf "%s" "$said" | cat -v)"
}

line='\(\\r\\x1b\[Khs ring: searching, [0-9]* s\)*'
erased='\\r\\x1b\[K'
shows 0 wait "$line$erased" "$platform"
shows 1 wait "$line${erased}hs ring: .*:1: the file is empty\\\\r\\\\n" /dev/null
shows 130 interrupt "$line^C$erased" /dev/null
TERM=dumb
shows 1 'at once' 'hs ring: .*:1: the file is empty\\r\\n' /dev/null

# No terminal: hs waits for the pipe as long as terminal.py above waited for its line.
TERM=xterm
{ hs ring "$work/pipe" --work 2Gf --halo 64KiB >"$work/out" 2>"$work/err"; echo $? >"$work/status"; } &
exec 9>"$work/pipe"
sleep 3
cat "$platform" >&9
exec 9>&-
wait
[ "$(cat "$work/status")" = 0 ] && [ -s "$work/out" ] && [ ! -s "$work/err" ] || fail "without a terminal: $(cat "$work/err")"
exit $failed
