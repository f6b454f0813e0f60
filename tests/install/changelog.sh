# SPDX-License-Identifier: BSD-3-Clause
# A tarball has a ChangeLog, whatever its sources are: a tarball's own, or for lack of a history where the changes are.
. "$HS_TEST_SRCDIR/tests/work.sh"
changes_of() { # FOLDER
    rm -rf "$work/dist"
    mkdir "$work/dist"
    MAKEFLAGS='' "${MAKE:-make}" -s -C "$HS_TEST_BUILDDIR" dist-hook HISTORY_FOLDER="$1" distdir="$work/dist" >&2 ||
        fail "make dist-hook: exit $?"
    cat "$work/dist/ChangeLog" || fail "no ChangeLog of $1"
}
mkdir "$work/export" "$work/tarball" "$work/broken" "$work/broken/.git"
echo '2026-01-01  first' >"$work/tarball/ChangeLog"
[ "$(changes_of "$work/tarball")" = '2026-01-01  first' ] || fail "a tarball of a tarball has another ChangeLog"
for folder in export broken; do
    changes_of "$work/$folder" | grep -q '^NEWS.md has' ||
        fail "$folder: the ChangeLog does not say where the changes are"
done
exit $failed
