# SPDX-License-Identifier: BSD-3-Clause
# Our routes are SimGrid's, on every file of this folder and on big ones of the shapes found in practice.
set -u
here=$HS_TEST_BUILDDIR/tests/platform
[ -x "$here/simgrid_routes" ] || { echo "built without SimGrid"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
files=$HS_TEST_SRCDIR/examples/two-switches.xml
for file in "$HS_TEST_SRCDIR"/tests/platforms/*.xml; do
    case $file in */islands.xml) ;; *) files="$files $file" ;; esac # SimGrid ends the program over a missing route
done
failed=0
"$here/simgrid_routes" $files || failed=1
"$here/make_platform" sites 1528 1 >"$work/sites.xml"
"$here/make_platform" explicit 90 1 >"$work/explicit.xml"
"$here/make_platform" graph 120 1 >"$work/graph.xml"
sed 's/routing="Floyd"/routing="Dijkstra"/' "$work/graph.xml" >"$work/dijkstra.xml"
"$here/simgrid_routes" --pairs 20000 "$work"/*.xml || failed=1
exit $failed
