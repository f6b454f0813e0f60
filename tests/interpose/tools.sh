# SPDX-License-Identifier: BSD-3-Clause
# Other tools preloaded before and after the library, a linked program that is preloaded too, and bad values of variables.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
tool=$HS_TEST_BUILDDIR/tests/interpose/.libs/tool.so

# expect WHAT PATTERN COUNT FILE: so many lines match
expect() {
    found=$(grep -c -e "$2" "$4")
    [ "$found" -eq "$3" ] || { cat "$4"; fail "$1: $found lines have '$2', expected $3"; }
}

both_see() {
    expect "$1" "^tool: rank [01]: 1 inits, 5 barriers, 1 pcontrols" 2 "$work/out.err"
    expect "$1" "^heteroslice: rank [01]: debug: 5 MPI calls" 2 "$work/out.err"
}
LD_PRELOAD="$tool $PRELOAD" HS_LOG=debug run 2 "$work/out" "$HERE/barriers"
both_see "tool before the library"
LD_PRELOAD="$PRELOAD $tool" HS_LOG=debug HS_FORWARD=next run 2 "$work/out" "$HERE/barriers"
both_see "tool behind the library"
LD_PRELOAD="$PRELOAD $tool" HS_LOG=debug HS_DISABLE=1 run 2 "$work/out" "$HERE/barriers"
expect "tool behind the library switched off" "^tool: rank [01]: 1 inits, 5 barriers, 1 pcontrols" 2 "$work/out.err"
expect "library switched off" heteroslice 0 "$work/out.err"

for mode in pmpi next; do
    run 2 "$work/bare" "$HERE/linked"
    HS_LOG=debug HS_FORWARD=$mode LD_PRELOAD=$PRELOAD run 2 "$work/out" "$HERE/linked"
    compare "linked and preloaded, $mode" "$work/bare" "$work/out"
    count_hits "linked and preloaded, $mode" "$work/out"
    expect "linked and preloaded, $mode" "no MPI call" 0 "$work/out.err"
done

HS_REORDER=world run 2 "$work/out" "$HERE/linked"
expect "linked, not preloaded" "HS_REORDER=world needs the library preloaded: HS_REORDER=topology is used" 1 "$work/out.err"
expect "linked, not preloaded" "heteroslice: warn" 1 "$work/out.err"

HS_FORWARD=sideways LD_PRELOAD=$PRELOAD run 2 "$work/out" "$HERE/linked"
expect "a bad value" "HS_FORWARD='sideways' is not pmpi|next" 1 "$work/out.err"
expect "a bad value" "heteroslice: warn" 1 "$work/out.err"
exit $failed
