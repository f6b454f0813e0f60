# SPDX-License-Identifier: BSD-3-Clause
# Section 3 of the manual: a page for each function that the libraries export and no others, of which groff and man have no
# complaint, the same at each making; each function has a comment.
set -u
top=$HS_TEST_SRCDIR
. "$HS_TEST_SRCDIR/tests/work.sh"
make_pages() { python3 "$top/doc/gen_man3.py" "$@"; }

command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
make_pages "$work/man3" 1.2.3 "$top"/include/heteroslice/*.h 2>"$work/said" || { cat "$work/said"; exit 1; }
[ ! -s "$work/said" ] || fail "$(cat "$work/said")"
make_pages "$work/again" 1.2.3 "$top"/include/heteroslice/*.h
diff -r "$work/man3" "$work/again" >/dev/null || fail "the pages differ from one making to the next"

(cd "$work/man3" && ls ./*.3 | sed 's,^\./,,') | cmp -s - "$work/man3/list" || fail "list does not have the pages"
sed 's/\.3$//' "$work/man3/list" >"$work/pages"
for library in "$HS_TEST_BUILDDIR"/.libs/libheteroslice*.so; do
    nm -D --defined-only "$library" | sed -n 's/.* T \(hs_[a-z][a-z0-9_]*\)$/\1/p' | grep -v '^hs__'
done | sort -u >"$work/exported"
[ -s "$work/exported" ] || fail "the libraries export nothing"
without=$(LC_ALL=C comm -23 "$work/exported" "$work/pages")
[ -z "$without" ] || fail "no page of" $without
if [ -e "$HS_TEST_BUILDDIR/.libs/libheteroslice.so" ]; then # without MPI its functions are missing
    others=$(LC_ALL=C comm -13 "$work/exported" "$work/pages")
    [ -z "$others" ] || fail "pages of no function:" $others
fi

if command -v groff >/dev/null; then
    said=$(cd "$work" && for page in man3/*.3; do groff -man -ww -Tascii "$page" 2>&1 >/dev/null; done | grep -v "cannot adjust\|break .*, page")
    [ -z "$said" ] || fail "$said"
fi
if command -v lexgrog >/dev/null; then
    (cd "$work/man3" && grep -L '^\.so' ./*.3 | xargs lexgrog) >"$work/said" 2>&1 || fail "$(grep failed "$work/said")"
fi
grep -q '^hs_slices_compute \\- Slice N equal units' "$work/man3/hs_slices_compute.3" || fail "the first sentence is not the summary"
grep -q '^\.so man3/hs_compute_begin\.3$' "$work/man3/hs_compute_end.3" || fail "functions declared together do not share a page"
for text in '^\.SH PARAMETERS' '^\.SH "RETURN VALUE"' 'HS_STEP_OVERLAP /\*' '^\.B Guarantee'; do
    grep -q "$text" "$work/man3/hs_slices_compute.3" || fail "hs_slices_compute(3) lacks $text"
done

echo 'HS_API int hs_bare(void);' >"$work/bare.h"
make_pages "$work/none" 1.2.3 "$work/bare.h" 2>"$work/said"
grep -q 'bare.h: no comment above HS_API int hs_bare' "$work/said" || fail "the function without a comment is not named"
exit $failed
