# SPDX-License-Identifier: BSD-3-Clause
# Run by `make installcheck`: what `make install` brings, `make uninstall` takes away, but folders that are for every package; files
# of others in the package's own folders stay.
# MAKE PREFIX DATADIR, in the build folder
set -u
make=$1 prefix=$2 datadir=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
run() { "$make" -s "$1" DESTDIR="$work" >"$work.said" 2>&1 || { cat "$work.said"; fail "make $1"; }; rm -f "$work.said"; }
others_file=$work$datadir/heteroslice/modulefiles/mine

umask 077 # of whoever installs: files are for everybody all the same
run install
[ -z "$(find "$work" -type f ! -perm -o=r)" ] || fail "make install makes files that others cannot read: $(find "$work" -type f ! -perm -o=r)"
mkdir -p "$work$datadir/heteroslice/python/heteroslice/__pycache__" # as Python leaves it, where it may write
: >"$work$datadir/heteroslice/python/heteroslice/__pycache__/__init__.cpython-3.pyc"
: >"$others_file"
[ "$(find "$work" -type f | wc -l)" -gt 100 ] || fail "make install installs hardly anything"
run uninstall
[ "$(find "$work" ! -type d)" = "$others_file" ] || fail "make uninstall leaves $(find "$work" ! -type d) and not only $others_file"
rm -f "$others_file"
run uninstall
left=$(cd "$work$prefix" && find . | grep -i -e heteroslice -e '/hs')
[ -z "$left" ] || fail "make uninstall leaves $left"
[ -d "$work$datadir" ] || fail "make uninstall removes folders of every package"
[ $failed = 0 ] && echo "make uninstall leaves nothing"
exit $failed
