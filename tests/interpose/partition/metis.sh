# SPDX-License-Identifier: BSD-3-Clause
# METIS of the system, its stand-ins from Scotch, and a METIS and ParMETIS of each width of integers and reals: parts by speed.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"

# compile OUT INDEX REAL FLAGS...
compile() {
    out=$1 index=$2 real=$3
    shift 3
    "$MPICC" -DINDEX="$index" -DREAL="$real" -o "$out" "$@" -lpthread || fail "$out: does not compile"
}
# graphs PROGRAM TOLERANCE [MESHES]: all that METIS's functions must keep
graphs() {
    program=$1 tolerance=$2 meshes=${3:-}
    cut 6 off "$program" kway wrong
    sized kway 0.05 1 "$equal"
    grep wrong: "$work/out" >"$work/wrong"
    cut 6 on "$program" wrong kway recursive unequal two halves threads $meshes
    grep wrong: "$work/out" | diff "$work/wrong" - || fail "$program: wrong arguments: answers differ"
    grep "targets changed" "$work/out" && fail "$program: writes the caller's targets"
    for way in kway recursive two $meshes; do
        sized $way "$tolerance" 1 "$by_speed"
    done
    sized threads "$tolerance" 12 "$by_speed"
    sized unequal "$tolerance" 1 "1 2 1 2 1 2"
    sized halves "$tolerance" 1 "1 1"
    lines 6 '2 parts for 6 ranks.*passes through'
    cut 6 scale "$program" wrong unequal
    grep wrong: "$work/out" | diff "$work/wrong" - || fail "$program: wrong arguments, scaled: answers differ"
    sized unequal "$tolerance" 1 "8 12 4 8 3 4"
    cut 6 on "$program" second # the report tells of the constraint whose wishes differ: weights 2 of 2700 vertices
    told METIS_PartGraphRecursive 1 'e["given"] is None' 'e["wished"][0] < e["wished"][1]' 'sum(e["reached"]) == 5400'
    HOSTS=$work/off.xml cut 6 on "$program" kway
    sized kway "$tolerance" 1 "8 6 4 4 3 0.04"
}
# slices PROGRAM TOLERANCE WAY...
slices() {
    program=$1 tolerance=$2
    shift 2
    cut 6 on "$program" "$@" sub
    grep "targets changed" "$work/out" && fail "$program: writes the caller's targets"
    for way; do
        sized "$way" "$tolerance" 1 "$by_speed"
    done
    sized sub "$tolerance" 1 "2 3 4" # ranks 5, 4, 3 by themselves
}

for width in int32_t:float int32_t:double int64_t:float int64_t:double; do
    index=${width%:*} real=${width#*:}
    compile "$work/libpath.so" "$index" "$real" -shared -fPIC -w "$here/path_metis.c"
    compile "$work/path" "$index" "$real" "$here/metis.c" -L"$work" -lpath "-Wl,-rpath,$work"
    graphs "$work/path" 0.01 "dual nodal"
    told METIS_PartGraphKway 1 'sum(e["reached"]) == 2700' 'e["caller"] == "path"' \
        'e["edges_cut"] == 5' # the last run of graphs: one host is off, of which a vertex is left
    told METIS_PartGraphKway 1 'e["gain"] is None' # what is left for the host of speed 0 takes forever
    cut 6 on "$work/path" fortran
    sized fortran 0.01 1 "$by_speed"
    told METIS_PartGraphKway 1 'e["reached"] == [800, 600, 400, 400, 300, 200]'
    compile "$work/slices" "$index" "$real" -DPARALLEL "$here/metis.c" -L"$work" -lpath "-Wl,-rpath,$work"
    slices "$work/slices" 0.01 partkway geom mesh adaptive refine
    told ParMETIS_V3_AdaptiveRepart 6 'sum(e["reached"]) == 2700' 'e["first"] == 0' 'e["speeds"] == [8e9, 6e9, 4e9, 4e9, 3e9, 2e9]' \
        'e["gain"] == 2.25'
    told ParMETIS_V3_PartKway 3 'sum(e["reached"]) == 2700' 'e["first"] == 5' 'e["edges_cut"] == 2' 'e["caller"] == "slices"'
    HOSTS=$work/off.xml cut 6 on "$work/slices" partkway adaptive
    sized partkway 0.01 1 "8 6 4 4 3 0.04"
    sized adaptive 0.01 1 "8 6 4 4 3 0.04"
done

# A platform that cannot be read is told by its own name.
sed 's/"8Gf"/"8"/' "$work/hosts.xml" >"$work/broken.xml"
HOSTS=$work/broken.xml cut 6 on "$work/path" kway
sized kway 0.05 1 "$equal"
lines 1 "HS_PARTITION: $work/broken.xml:3: host 'h0': speed: '8' has no unit"

# late FLAGS WAY...: the same when the program loads the library late and for itself; its integers and reals are the last ones of above
late() {
    compile "$work/liblate.so" "$index" "$real" $1 -Dmain=part -shared -fPIC "$here/metis.c" -L"$work" -lpath "-Wl,-rpath,$work"
    shift
    load_late "$work/liblate.so" "$@"
    for way; do
        sized "$way" 0.01 1 "$by_speed"
    done
}
late "" kway recursive dual nodal
late -DPARALLEL partkway geom mesh adaptive refine

# linked NAMES: the report names them as functions that the program itself contains
linked() {
    python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["linked_partitioners"] == sys.argv[2].split()' \
        "$work/report.json" "$1" || fail "linked partitioners are not '$1'"
}
linked ""
compile "$work/static" int32_t float "$here/path_metis.c" "$here/metis.c"
cut 6 on "$work/static" kway
sized kway 0.01 1 "$equal"
lines 1 'calls are not seen.*METIS_PartGraphKway, METIS_PartGraphRecursive'
linked "METIS_PartGraphKway METIS_PartGraphRecursive METIS_PartMeshDual METIS_PartMeshNodal ParMETIS_V3_PartKway
    ParMETIS_V3_PartGeomKway ParMETIS_V3_PartMeshKway ParMETIS_V3_AdaptiveRepart ParMETIS_V3_RefineKway"
cut 6 off "$work/static" kway
linked ""
strip "$work/static"
cut 6 on "$work/static" kway
linked ""

if printf '#include <metis.h>\n' | ${CC:-cc} -E - >/dev/null 2>&1; then
    compile "$work/metis" int32_t float "$here/metis.c" -lmetis
    graphs "$work/metis" 0.06 "dual nodal"
    compile "$work/libpart.so" int32_t float -Dmain=part -shared -fPIC "$here/metis.c" -lmetis
    load_late "$work/libpart.so" kway dual
    sized kway 0.06 1 "$by_speed"
    sized dual 0.06 1 "$by_speed"
else
    echo "without METIS (libmetis-dev)"
fi

if [ "$HS_TEST_FLAVOUR" = openmpi ] && ls /usr/lib/*-linux-gnu/libptscotchparmetisv3.so >/dev/null 2>&1; then
    compile "$work/scotchmetis" int32_t double -DGRAPHS_ONLY "$here/metis.c" -lscotchmetisv5 -lscotch -lscotcherr -lm
    cut 6 on "$work/scotchmetis" kway recursive
    sized kway 0.08 1 "$by_speed"
    sized recursive 0.08 1 "$by_speed"
    compile "$work/ptscotchparmetis" int32_t float -DGRAPHS_ONLY -DPARALLEL "$here/metis.c" -lptscotchparmetisv3 -lptscotch \
        -lscotch -lptscotcherr -lm
    slices "$work/ptscotchparmetis" 0.1 partkway geom
else
    echo "without the stand-ins of Scotch (libptscotch-dev, and Open MPI)"
fi
exit $failed
