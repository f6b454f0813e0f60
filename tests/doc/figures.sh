# SPDX-License-Identifier: BSD-3-Clause
# Every figure of README's table is on the page that its row names, beside the program that measures it; the picture is what
# hs draws today.
set -u
top=$HS_TEST_SRCDIR
failed=0
fail() { echo "FAILED: $*"; failed=1; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

rows=0
grep '^|.*`bench/.*](doc/' "$top/README.md" >"$work/rows"
while read -r row; do
    rows=$((rows + 1))
    figure=$(echo "$row" | sed -n 's/.*\*\*\([0-9.]*\)\*\*.*/\1/p')
    bench=$(echo "$row" | sed -n 's/.*`\(bench[^ `]*\).*/\1/p')
    page=$(echo "$row" | sed -n 's/.*](\(doc[^)]*\)).*/\1/p')
    [ -n "$figure" ] && [ -e "$top/$bench" ] && [ -e "$top/$page" ] || { fail "README: no figure, bench or page in $row"; continue; }
    for number in "$figure" $(echo "$row" | sed -n 's/.*(\([0-9.]*\) to \([0-9.]*\)).*/\1 \2/p'); do
        grep -q -e "\(^\|[^0-9.]\)$(echo "$number" | sed 's/\./\\./')\([^0-9]\|\$\)" "$top/$page" || fail "README says $number, and $page does not"
    done
    grep -q -e "$bench\|${bench##*/}" "$top/$page" || fail "$page does not name $bench"
done <"$work/rows"
[ "$rows" -ge 5 ] || fail "README's table has $rows rows with a figure"

hs ring "$top/examples/two-switches.xml" --work 27Gf --halo 64KiB --json >"$work/plan.json" &&
    hs show "$top/examples/two-switches.xml" --ring "$work/plan.json" --svg "$work/now.svg" || fail "README's picture cannot be drawn"
cmp "$work/now.svg" "$top/doc/figures/two-switches.svg" || fail "doc/figures/two-switches.svg is not what hs show draws"
exit $failed
