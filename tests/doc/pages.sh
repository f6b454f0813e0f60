# SPDX-License-Identifier: BSD-3-Clause
# What is written holds together: a manual page for every verb with all its options, every environment variable in
# hs-env(1), references and links that lead somewhere, files named in the documents that are there.
set -u
top=$HS_TEST_SRCDIR
man=$top/doc/man
failed=0
fail() { echo "FAILED: $*"; failed=1; }
plain() { sed 's/\\-/-/g; s/\\f[BIRP]//g' "$1"; } # a page without its escapes

verbs=$(hs help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
[ -n "$verbs" ] || fail "hs help lists no verbs"
for verb in $verbs; do
    page=$man/hs-$verb.1
    [ -e "$page" ] || { fail "no manual page hs-$verb(1)"; continue; }
    grep -q "BR hs-$verb (1)\|BR hs\\\\-$verb (1)" "$man/hs.1" || fail "hs(1) does not name hs-$verb(1)"
    for option in $(hs help "$verb" | sed -n 2p | grep -o -e ' *\[*--*[a-z][a-z-]*' | tr -d ' ['); do
        plain "$page" | grep -q -e "$option" || fail "hs-$verb(1) does not tell of $option"
    done
done

for page in "$man"/*.[1-9]; do
    name=${page##*/}
    [ "$(grep -c "/man/$name\$" "$top/doc/local.mk")" = 1 ] || fail "$name is not listed once in doc/local.mk"
    case $name in *.1) manual="User Commands" ;; *) manual="File Formats" ;; esac
    grep -q "^\.TH .* \"heteroslice\" \"$manual\"\$" "$page" || fail "the head of $name does not say: $manual"
    for section in NAME DESCRIPTION 'SEE ALSO'; do
        grep -q -e "^\.SH \"*$section\"*\$" "$page" || fail "$name has no section $section"
    done
    for other in $(plain "$page" | sed -n 's/^\.BR \(hs[a-z-]*\) (\([1-9]\)).*/\1.\2/p'); do
        [ -e "$man/$other" ] || fail "$name refers to $other, which is not there"
    done
    if command -v groff >/dev/null; then
        said=$(groff -man -ww -Tascii "$page" 2>&1 >/dev/null | grep -v 'cannot adjust\|break .*, page')
        [ -z "$said" ] || fail "$said"
    fi
done

# Where bugs go is where a user looks first.
for document in README.md doc/man/hs.1; do
    grep -q -i '^\(\.SH \)\{0,1\}bugs' "$top/$document" || fail "$document does not say where bugs are reported"
done

# The version is that of the public header wherever it has to be written once more.
version=$(sed -n 's/^.define HS_VERSION_.* //p' "$top/include/heteroslice/hs_version.h" | paste -sd. -)
dotted=$(echo "$version" | sed 's/\./\\./g')
set -- CITATION.cff "^version: $dotted\$" NEWS.md "^## $dotted\\(,\|\$\)" debian/changelog "^heteroslice ($dotted-" \
    packaging/spack/package.py "heteroslice-$dotted\.tar\.gz" packaging/spack/package.py "version(\"$dotted\")" \
    "packaging/easybuild/HeteroSlice-$version-foss-2023a.eb" "^version = '$dotted'\$"
while [ $# -gt 0 ]; do
    grep -q -e "$2" "$top/$1" || fail "$1 is not of version $version"
    shift 2
done

# A variable of the table, as hs-env(1) has to say it: two lines.
work=$(mktemp) || exit 99
trap 'rm -f "$work"' EXIT
plain "$man/hs-env.1" >"$work"
hs env | sed 's/^\(HS_[A-Z_]*\)  *\(.*[^ ]\)  *default \([^ ]*\)  *\(.*\)$/\1 (\2; default \3)\n\4/; s/; default -)/)/' | while read -r line; do
    case $line in HS_*) want=".BR ${line%% *} \" ${line#* }\"" ;; *) want=$line ;; esac
    grep -q -x -F -e "$want" "$work" || echo "$want"
done >"$work.missing"
while read -r line; do
    fail "hs-env(1) lacks the line: $line"
done <"$work.missing"
rm -f "$work.missing"

# What a run's summary says, hs-report(1) explains.
plain "$man/hs-report.1" >"$work"
for text in 'changed speed' 'times as long for a unit since iteration' 'carries' 'of a step since iteration' 'targets changed to' 'as asked' \
    'calls are not seen of what the program itself contains' 'the busiest link would carry'; do
    grep -q -r -F -e "$text" "$top/src/runtime/report" "$top/src/runtime/reorder" || fail "no summary says: $text"
    grep -q -F -e "$text" "$work" || fail "hs-report(1) does not explain: $text"
done

# Links of the documents, and paths they name in `...`: files, or programs whose source is there; a pattern or a
# placeholder is no path.
(cd "$top" && find src apps bench examples include tests -name '*.[ch]') >"$work"
for document in "$top"/*.md "$top"/doc/*.md "$top"/doc/*/*.md; do
    [ -e "$document" ] || continue
    folder=$(dirname "$document")
    for link in $(grep -o '](\([^)]*\))' "$document" | sed 's/](//; s/[#)].*//' | grep -v '^[a-z]*://'); do
        [ -e "$folder/$link" ] || fail "${document#"$top"/}: no $link"
    done
    for path in $(grep -o -E '`(src|tests|bench|apps|doc|examples|include|m4)/[A-Za-z0-9_./-]*`' "$document" | tr -d '`' | grep -v VERB); do
        [ -e "$top/$path" ] || [ -e "$top/$path.c" ] || [ -e "$HS_TEST_BUILDDIR/$path" ] || fail "${document#"$top"/}: no $path"
    done
    # In tables a path may begin at a folder that the column's head names: some source ends in it.
    for path in $(grep -o -E '`([a-z_]+/)?[a-z_]+\.[ch]`' "$document" | tr -d '`'); do
        grep -q "/$path\$" "$work" || fail "${document#"$top"/}: no source $path"
    done
done
exit $failed
