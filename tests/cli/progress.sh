# SPDX-License-Identifier: BSD-3-Clause
# From two seconds on a line on the terminal says that hs is at work, and goes again; elsewhere nothing is printed. The
# platform comes through a named pipe, so that hs waits as long as the test wants it to.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
python3 -c 'import pty' 2>/dev/null || { echo "skipped: no python3"; exit 77; }
mkfifo "$work/pipe"
platform=$HS_TEST_SRCDIR/examples/two-switches.xml
TERM=xterm
export TERM

# STATUS ORDER PATTERN FILE VERB...: what comes on the terminal while hs plans for the file.
shows() {
    status=$1 order=$2 pattern=$3 file=$4
    shift 4
    said=$(python3 "$HS_TEST_SRCDIR/tests/cli/terminal.py" "$order" "$work/pipe" "searching, " \
        hs "$@" <"$file") && got=0 || got=$?
    printf "%s\n" "$said" | grep -q "^'$pattern'\$" && [ "$got" -eq "$status" ] ||
        fail "$order: exit $got, expected $status: $(printf "%s" "$said" | cat -v)"
}

ring="ring $work/pipe --work 2Gf --halo 64KiB"
line='\(\\r\\x1b\[Khs ring: searching, [0-9]* s\)*'
erased='\\r\\x1b\[K'
shows 0 wait "$line$erased" "$platform" $ring
shows 0 wait "$(printf %s "$line" | sed s/ring/reduce/)$erased" "$platform" reduce "$work/pipe" --bytes 1MiB
shows 0 wait "$(printf %s "$line" | sed s/ring/scatter/)$erased" "$platform" \
    scatter "$work/pipe" --item-work 1Gf --item-bytes 1KiB --load 9
shows 1 wait "$line${erased}hs ring: .*:1: the file is empty\\\\r\\\\n" /dev/null $ring
shows 130 interrupt "$line^C$erased" /dev/null $ring
TERM=dumb
shows 1 'at once' 'hs ring: .*:1: the file is empty\\r\\n' /dev/null $ring

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
