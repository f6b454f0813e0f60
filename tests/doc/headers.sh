# SPDX-License-Identifier: BSD-3-Clause
# Documentation comments of the headers: each heading (Model, Source, Guarantee, Scope, Cost, ...) starts a line, and what
# continues it is indented under it; Doxygen, where it is installed, has no complaint about the public headers.
set -u
top=$HS_TEST_SRCDIR
. "$HS_TEST_SRCDIR/tests/work.sh"

for header in $(find "$top/include" "$top/src" -name '*.h'); do
    awk -v name="${header#"$top"/}" '
        function complain(what) { printf "%s:%d: %s: %s\n", name, NR, what, $0 }
        BEGIN { heading = "(Model|Source|Guarantee|Scope|Cost|Differs|Method|Memory):" }
        /\/\*\*/ { inside = 1; open = 0 }
        !inside { next }
        { text = $0; sub(/^ *(\/\*\*|\*)? ?/, "", text) }
        text ~ ("[^ ] +" heading " ") { complain("a heading within a line") }
        open && text != "" && text !~ ("^(" heading "|@|\\*?\\/$|      )") { complain("text that is not under its heading") }
        text == "" || text ~ /^@/ { open = 0 }
        text ~ ("^" heading) { open = 1 }
        /\*\/ *$/ { inside = 0 }' "$header"
done >"$work/said"
[ -s "$work/said" ] && { cat "$work/said"; fail "headings"; }

if command -v doxygen >/dev/null; then
    { cat "$top/doc/Doxyfile"; echo GENERATE_HTML = NO; echo GENERATE_XML = YES; } |
        HS_API_HEADERS=$top/include/heteroslice HS_API_OUTPUT=$work HS_API_VERSION= doxygen - >"$work/said" 2>&1 || fail "doxygen ends with $?"
    grep -q '<name>hs_balance</name>' "$work/xml/index.xml" || fail "doxygen has not read the headers"
    [ -s "$work/said" ] && { cat "$work/said"; fail "warnings of doxygen"; }
else
    echo "without doxygen only the headings are checked"
fi
exit $failed
