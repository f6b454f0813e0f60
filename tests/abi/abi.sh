# SPDX-License-Identifier: BSD-3-Clause
# A compiled program still runs with the library: no public function is gone or has other parameters, no public struct or enum
# is another than in the committed description (abidw's), which `make abi` (this script with --update) makes again.
set -u
top=$HS_TEST_SRCDIR
lib=$HS_TEST_BUILDDIR/.libs/libheteroslice.so
plan=$HS_TEST_BUILDDIR/.libs/libheteroslice-plan.so
abi=$top/tests/abi/libheteroslice.abi
skip() { echo "skipped: $*"; exit 77; }

for tool in abidw abidiff readelf; do
    command -v $tool >/dev/null || skip "no $tool (Debian: abigail-tools, binutils)"
done
[ -e "$lib" ] || skip "no runtime library was built"
[ "$(uname -m)" = x86_64 ] || skip "the description is that of x86-64"
readelf -d "$lib" | grep -q 'NEEDED.*libmpi\.so' || skip "the description is that of the library for Open MPI"
readelf -S "$lib" | grep -q '\.debug_info' || skip "the library was built without debugging information (-g)"

. "$HS_TEST_SRCDIR/tests/work.sh"

# Of structs only those that the headers define; without places in the sources, which change with every line.
abidw --drop-private-types --headers-dir "$top/include" --suppressions "$top/tests/abi/public.suppr" --exported-interfaces-only \
    --no-elf-needed --no-corpus-path --no-comp-dir-path --no-show-locs --no-parameter-names --type-id-style hash "$lib" |
    sed "s/ path='[^']*src\// path='src\//" >"$work/built.abi"
grep -q hs_balance "$work/built.abi" || { fail "abidw describes nothing"; exit 1; }
if [ "${1:-}" = --update ]; then
    cp "$work/built.abi" "$abi"
    exit
fi

# Two descriptions, not one and the library, whose structs would all count as private.
compare() { abidiff --no-added-syms "$1" "$work/built.abi" >"$work/said" 2>&1; }

compare "$abi" || { cat "$work/said"; fail "the ABI is not that of $abi: see 'Library versions' in DEVELOPERS.md"; }

# The planning library has the same objects: all functions of them that the description has, none besides.
sed -n "/<abi-instr/s/.* path='\([^']*\)'.*/\1/p; s/.*<function-decl name='\([^']*\)'.*/\1/p" "$abi" |
    awk '/^src/ { plans = $0 ~ /^src\/(util|platform|plan)\//; next } plans' | sort -u >"$work/described"
nm -D --defined-only "$plan" | awk '$3 ~ /^hs_/ { print $3 }' | sort >"$work/exported"
diff "$work/described" "$work/exported" || fail "libheteroslice-plan lacks planning functions of libheteroslice (<), or has others (>)"

# That differences are found: the description is of a library with one more function, a longer struct, another enum.
damage() {
    sed "$2" "$abi" >"$work/damaged.abi"
    cmp -s "$abi" "$work/damaged.abi" && fail "$1: nothing to damage"
    compare "$work/damaged.abi" && fail "not found: $1"
}
damage "a function that is gone" 's/hs_ring_free/hs_ring_release/'
damage "a field at another place" "s/\(layout-offset-in-bits='\)64'/\1128'/"
damage "another value of an enumerator" "s/\(name='HS_BOXES_GRID' value='\)2'/\13'/"
damage "another SONAME" "s/libheteroslice\.so\.[0-9]*/libheteroslice.so.99/"
exit $failed
