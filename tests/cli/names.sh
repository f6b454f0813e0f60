# SPDX-License-Identifier: BSD-3-Clause
# Tables whose hosts and links have long names, and names of letters that are several bytes: columns stand as they do for letters of one.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
demo=$HS_TEST_SRCDIR/examples/two-switches.xml
plain() { python3 -c 'import sys
sys.stdout.write("".join(c if ord(c) < 128 else "o" for c in sys.stdin.buffer.read().decode()))'; }

sed -E 's/(id|src|dst)="([ls]?[ab]?[123]|trunk)"/\1="\2\xc3\xb6\xe2\x82\xac\xc3\xb6"/g' "$demo" >"$work/letters.xml"
plain <"$work/letters.xml" >"$work/bytes.xml"
grep -q 'host id="a1oo' "$work/bytes.xml" || fail "the names are as they were"
a=$(printf 'a1\303\266\342\202\254\303\266') b=$(printf 'b3\303\266\342\202\254\303\266')
ring="--work 27Gf --halo 100kB --units 100"
# The word FILE stands for the platform file.
while read -r arguments; do
    for file in letters bytes; do
        [ $file = letters ] && given=$arguments || given=$(echo "$arguments" | plain)
        hs $(echo "$given" | sed "s|FILE|$work/$file.xml|") >"$work/$file.out" 2>&1 || fail "hs $arguments: exit $?"
    done
    plain <"$work/letters.out" | sed 's/letters[.]xml/bytes.xml/' | diff - "$work/bytes.out" || fail "hs $arguments: other columns"
done <<END2
show FILE
show FILE --route $a $b
show FILE --flows $a:$b,$b:$a
ring FILE $ring
columns FILE
grid FILE --shape 2x3
reduce FILE --bytes 1MiB
scatter FILE --item-work 1Gf --item-bytes 1KiB --load 100
run --dry-run --platform FILE
END2
hs columns "$work/letters.xml" --blocks 60 --json >"$work/layout.json"
hs columns "$work/bytes.xml" --blocks 60 --json >"$work/plain.json"
hs rebalance "$work/layout.json" --speeds 8,6,1,4,3,2 | plain >"$work/letters.out"
hs rebalance "$work/plain.json" --speeds 8,6,1,4,3,2 | diff "$work/letters.out" - || fail "hs rebalance: other columns"

# A name that is longer than others have been makes its column wider.
long=$(printf 'n%.0s' $(seq 100))
sed "s/\"a2\"/\"$long\"/" "$demo" >"$work/long.xml"
hs show "$work/long.xml" --flows "a1:$long,$long:b1,b1:a3" >"$work/out"
[ "$(awk '{ print length }' "$work/out" | sort -u | wc -l)" = 1 ] || fail "hs show --flows: $(cat "$work/out")"
hs run --dry-run --platform "$work/long.xml" | grep -E '^HOST|%$' >"$work/out"
[ "$(awk '{ print length }' "$work/out" | sort -u | wc -l)" = 1 ] || fail "hs run --dry-run: $(cat "$work/out")"
exit $failed
