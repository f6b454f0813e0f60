#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hs weights: the weights of ranks, in every format; with METIS and Scotch where they are installed.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
hosts() { # SPEED/CORES ...
    printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full">\n'
    i=0
    for host; do
        i=$((i + 1))
        printf '<host id="h%d" speed="%sGf" core="%s"/>\n' $i "${host%/*}" "${host#*/}"
    done
    printf '</zone></platform>\n'
}
hosts 6/1 0/4 2/2 >"$work/p.xml"
hosts 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 >"$work/many.xml"

exactly "0.6
0.2
0.2" hs weights "$work/p.xml" --ranks 3
exactly "0.3
0.2
0.2
0.3" hs weights "$work/p.xml" --ranks 4
exactly '{"weights":[0.75,0.25],"hosts":["h1","h3"]}' hs weights "$work/p.xml" --ranks 2 --json
exactly "0 = 0.75
1 = 0.25" hs weights "$work/p.xml" --ranks 2 --format metis
exactly "cmpltw 2 750000 250000" hs weights "$work/p.xml" --ranks 2 --format scotch
exactly "-partition_weights 0.75,0.25" hs weights "$work/p.xml" --ranks 2 --format petsc
exactly "0 0.75
1 0.25" hs weights "$work/p.xml" --ranks 2 --format zoltan
exactly "processorWeights
(
    0.75
    0.25
);" hs weights "$work/p.xml" --ranks 2 --format openfoam

# Hosts that would have nothing to do are named, but for those that are off.
exactly "hs weights: hosts without a rank: h3
1" hs weights "$work/p.xml" --ranks 1
expect 0 out '{"weights":[1.0],"hosts":["h1"]}' hs weights "$work/p.xml" --ranks 1 --json
exactly "hs weights: hosts without a rank: h2, h3, h4, h5, h6, h7, h8, h9, h10, h11 and 2 more
1" hs weights "$work/many.xml" --ranks 1
exactly "0.75
0.25" hs weights "$work/p.xml" --ranks 2

hosts 0/1 >"$work/off.xml"
expect 1 err "off.xml: every host has speed 0" hs weights "$work/off.xml" --ranks 2
expect 1 err "none.xml" hs weights "$work/none.xml" --ranks 2
expect 2 err "no platform file" hs weights --ranks 2
expect 2 err "--ranks is missing" hs weights "$work/p.xml"
expect 1 err "--ranks" hs weights "$work/p.xml" --ranks 0
expect 1 err "--ranks" hs weights "$work/p.xml" --ranks 3000000000
expect 1 err "--format" hs weights "$work/p.xml" --ranks 2 --format dune
expect 2 err "--json excludes --format" hs weights "$work/p.xml" --ranks 2 --format metis --json

# Hosts that are off take no time, however many cores they have.
hosts 0/2147483647 1/1 >"$work/p.xml"
hs weights "$work/p.xml" --ranks 2000 >"$work/a" && [ "$(sort -u "$work/a")" = 0.0005 ] || fail "many cores that are off"

# A 60 x 60 grid in three parts of 60, 20 and 20 %: sizes within the tools' tolerances.
python3 - >"$work/grid.graph" <<END
n = 60
print(n * n, 2 * n * (n - 1))
for i in range(n):
    for j in range(n):
        print(*(a * n + b + 1 for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)) if 0 <= a < n and 0 <= b < n))
END
check_sizes() { # NAME: parts of the vertices on standard input, 0 first
    sort -n | uniq -c | awk -v name="$1" '{ want = $2 == 0 ? 2160 : 720; if ($1 < want * 0.94 || $1 > want * 1.06) { print name ": part " $2 " has " $1 " vertices, expected about " want; bad = 1 } } END { exit bad || NR != 3 }' || failed=1
}
if command -v gpmetis >/dev/null; then
    hs weights "$work/p.xml" --ranks 3 --format metis >"$work/metis"
    gpmetis -tpwgts="$work/metis" "$work/grid.graph" 3 >/dev/null || fail "gpmetis does not take the weights"
    check_sizes gpmetis <"$work/grid.graph.part.3"
fi
gmap=$(command -v gmap || command -v scotch_gmap)
if [ -n "$gmap" ]; then
    hs weights "$work/p.xml" --ranks 3 --format scotch >"$work/scotch.tgt"
    { echo 0; echo "3600 14160"; echo "1 000"; tail -n +2 "$work/grid.graph" | awk '{ print NF, $0 }'; } >"$work/grid.grf"
    "$gmap" "$work/grid.grf" "$work/scotch.tgt" "$work/grid.map" || fail "gmap does not take the architecture"
    tail -n +2 "$work/grid.map" | awk '{ print $2 }' | check_sizes gmap
fi
exit $failed
