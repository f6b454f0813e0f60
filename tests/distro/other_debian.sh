# SPDX-License-Identifier: BSD-3-Clause
# .ci/other-debian judges a run by its end: without a mirror or time it says so and succeeds, a failed test always counts.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
mkdir -p "$work/.ci" "$work/tests/distro"
cp "$HS_TEST_SRCDIR/.ci/other-debian" "$work/.ci/" || exit 1

# In place of tests/distro/run: says what it was asked to do, then what the test gives it.
cat >"$work/tests/distro/run" <<'END'
#!/bin/sh
echo "$* within $HS_DISTRO_LIMIT"
printf "$OUTPUT"
exit "$STATUS"
END
chmod +x "$work/tests/distro/run"

# EXPECTED EXIT DEBIAN SECONDS STATUS OUTPUT: the last line and the exit status, when the run in the other Debian ends with that
judged() {
    HS_TEST_DEBIAN=$3 STATUS=$5 OUTPUT=$6 bash "$work/.ci/other-debian" "$4" >"$work/out" 2>&1
    got=$?
    said=$(tail -n 1 "$work/out")
    [ "$got:$said" = "$2:other Debian$1" ] || { echo "FAILED: exit $got, expected $2: '$said', expected 'other Debian$1'"; failed=1; }
}

judged " (trixie): passed" 0 bookworm 900 0 ""
grep -qx "trixie build within 900" "$work/out" || { echo "FAILED: runs $(head -n 1 "$work/out")"; failed=1; }
judged " (bookworm): passed" 0 trixie 900 0 ""
judged ": not tried: this machine has neither Debian 12 nor 13" 0 noble 900 1 ""
judged " (trixie): not tried: no time is left" 0 bookworm -5 1 ""
judged " (trixie): not tried: no trixie can be made here" 0 bookworm 900 77 "skipped: no trixie can be made here\n"
judged " (trixie): not finished in 900 s; until then 2 tests passed and none failed" 0 bookworm 900 124 "PASS: a\nPASS: b\n"
judged " (trixie): failed: 1 tests, exit 124" 1 bookworm 900 124 "PASS: a\nFAIL: b\n"
judged " (trixie): failed: 0 tests, exit 1" 1 bookworm 900 1 "the tests do not build\n"
exit $failed
