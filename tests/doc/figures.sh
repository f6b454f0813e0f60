# SPDX-License-Identifier: BSD-3-Clause
# README's table is that of bench/gains.csv, and bench/gains.py measures it anew; every figure is on the page that its row
# names, beside the program that measures it; the picture is what hs draws today.
set -u
top=$HS_TEST_SRCDIR
. "$HS_TEST_SRCDIR/tests/work.sh"

# PAGE NUMBER...: the lines of it that have all numbers
lines_with() {
    cp "$1" "$work/lines"
    shift
    for number; do
        grep -e "\(^\|[^0-9.]\)$(echo "$number" | sed 's/\./\\./')\([^0-9]\|\$\)" "$work/lines" >"$work/fewer"
        mv "$work/fewer" "$work/lines"
    done
    cat "$work/lines"
}

rows=0
grep '^|.*`bench/.*](doc/' "$top/README.md" >"$work/rows"
while read -r row; do
    rows=$((rows + 1))
    figure=$(echo "$row" | sed -n 's/.*\*\*\([0-9.]*\)\*\*.*/\1/p')
    bench=$(echo "$row" | sed -n 's/.*`\(bench[^ `]*\).*/\1/p')
    page=$(echo "$row" | sed -n 's/.*](\(doc[^)]*\)).*/\1/p')
    [ -n "$figure" ] && [ -e "$top/$bench" ] && [ -e "$top/$page" ] || { fail "README: no figure, bench or page in $row"; continue; }
    figures="$figure $(echo "$row" | sed -n 's/.*(\([0-9.]*\) to \([0-9.]*\)).*/\1 \2/p')"
    [ "$(lines_with "$top/$page" $figures | wc -l)" = 1 ] || fail "README says $figures, and $page has not one line that does"
    grep -q -e "$bench\|${bench##*/}" "$top/$page" || fail "$page does not name $bench"
done <"$work/rows"
[ "$rows" -ge 5 ] || fail "README's table has $rows rows with a figure"

gains() { python3 "$top/bench/gains.py" --readme "$work/README.md" "$@"; }
cp "$top/README.md" "$work/README.md"
gains --check || fail "README's table is not what bench/gains.py makes of bench/gains.csv"
sed 's/\*\*\([0-9.]*\)\*\*/**\19**/' "$top/README.md" >"$work/README.md"
gains --check 2>"$work/said" && fail "another figure in README passes"
gains && cmp "$work/README.md" "$top/README.md" || fail "bench/gains.py does not make the table of README again"
gains --measure build --dry-run >"$work/commands" || fail "gains.py --measure --dry-run"
[ "$(wc -l <"$work/commands")" = "$rows" ] || fail "gains.py has not one command for each of the $rows rows"

# A row measured anew, by a benchmark that prints what ours print.
printf '%s\n' 'repeat,seconds' '0,4.0' '' 'claim,median,min,max,target' '"a, times faster",3.14159,2.7,4,">= 2"' >"$work/said"
printf '%s\n' 'what,against,faster,low,high,command,claim,page' \
    "one,nothing,1,,,cat $work/said,\"a, times faster\",balance" \
    "two,nothing,1.5,,,none,none,balance" >"$work/gains.csv"
gains --results "$work/gains.csv" --measure build --only one || fail "a row cannot be measured anew"
grep -q '^one,nothing,3.14,2.7,4,' "$work/gains.csv" && grep -q '^two,nothing,1.5,,,' "$work/gains.csv" || fail "measured: $(cat "$work/gains.csv")"
grep -q '^| one | nothing | \*\*3.14\*\* (2.7 to 4) |' "$work/README.md" || fail "README lacks what was measured anew"
sed 's/times faster",/times as fast",/' "$work/said" >"$work/other" && mv "$work/other" "$work/said"
gains --results "$work/gains.csv" --measure build --only one 2>/dev/null && fail "a benchmark without the claim passes"

hs ring "$top/examples/two-switches.xml" --work 27Gf --halo 64KiB --json >"$work/plan.json" &&
    hs show "$top/examples/two-switches.xml" --ring "$work/plan.json" --svg "$work/now.svg" || fail "README's picture cannot be drawn"
cmp "$work/now.svg" "$top/doc/figures/two-switches.svg" || fail "doc/figures/two-switches.svg is not what hs show draws"
exit $failed
