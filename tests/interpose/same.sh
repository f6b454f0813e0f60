# SPDX-License-Identifier: BSD-3-Clause
# Programs in C, C++ and Fortran by its three interfaces: preloading changes nothing, and every call is counted once.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
CALLS_FILE=$work/file
export CALLS_FILE
same 3 "$HERE/calls" files
# fortran PROGRAM: also, each of its marks makes one phase
fortran() {
    [ -x "$HERE/$1" ] || return
    same 3 "$HERE/$1"
    command -v python3 >/dev/null || return
    python3 - "$work/every.json" <<'END' || fail "$1: phases"
import json, sys
phases = [(phase["level"], phase["count"]) for phase in json.load(open(sys.argv[1]))["ranks"][0]["phases"]]
assert phases == [(16, 1), (17, 1)], phases
END
}
HS_TEST_MODES=pmpi
[ -x "$HERE/calls_cxx" ] && same 3 "$HERE/calls_cxx" files
[ -x "$HERE/exceptions" ] && same 2 "$HERE/exceptions"
fortran fortran_module
HS_TEST_MODES="pmpi next"
fortran fortran_include
fortran fortran_2008
[ -e "$HERE/late_part.so" ] && same 2 "$HERE/late" "$HERE/late_part.so"

# Libraries that an object loads by their names are looked for where it says, but not by a sanitizer's own dlopen().
[ -z "${HS_TEST_SANITIZER:-}" ] || exit $failed
mkdir "$work/beside"
echo 'int beside;' >"$work/beside.c"
printf '#include <dlfcn.h>\nvoid late_part(int *found) { *found = dlopen("libbeside.so", RTLD_NOW) != 0; }\n' >"$work/loads.c"
{ ${CC:-cc} -shared -fPIC -o "$work/beside/libbeside.so" "$work/beside.c" &&
    ${CC:-cc} -shared -fPIC -o "$work/loads.so" "$work/loads.c" -Wl,--enable-new-dtags,-rpath,'$ORIGIN/beside'; } || exit 1
LD_PRELOAD=$PRELOAD "$HS_TEST_BUILDDIR/tests/interpose/late" "$work/loads.so" >"$work/out" 2>&1
grep -q '^of 1:' "$work/out" || { cat "$work/out"; fail "an object's RUNPATH is not searched"; }
exit $failed
