# SPDX-License-Identifier: BSD-3-Clause
# hs_scatter_counts in an MPI program, hs_counts and hs_weights in the examples for other libraries: compiled where those
# are installed, and run.
set -u
[ -n "${MPIEXEC:-}" ] && [ -n "${MPICC:-}" ] || { echo "skipped: no MPI"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HS_PLATFORM="$work/platform.xml" HS_LOG=error
example=$HS_TEST_SRCDIR/examples/adoption
library=$HS_TEST_BUILDDIR/.libs
failed=0
printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="fast" speed="3Gf"/><host id="slow" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="0s"/><route src="fast" dst="slow"><link_ctn id="l"/></route></zone></platform>\n' >"$HS_PLATFORM"
build() {
    "$MPICC" -I"$HS_TEST_SRCDIR/include" "$example/$1.c" -o "$work/$1" "-L$library" -lheteroslice "-Wl,-rpath,$library" $2 2>"$work/said"
}
export LD_PRELOAD="${HS_TEST_SANITIZER:-}" ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # MPI libraries leak
on_two_hosts() {
    "$LAUNCH" -n 1 env HS_LAB_HOST=fast "$@" : -n 1 env HS_LAB_HOST=slow "$@"
}
# says NAME EXPECTED: what the ranks print, in whatever order
says() {
    on_two_hosts "$work/$1" >"$work/out" || { echo "FAILED: $1"; failed=1; }
    sort "$work/out" | diff "$2" - || { echo "FAILED: $1 says something else"; failed=1; }
}
build mpi_scatterv "" || { cat "$work/said"; exit 1; }
printf 'rank 0: 750 items from 0\nrank 1: 250 items from 750\n' >"$work/items"
says mpi_scatterv "$work/items"
# The same where the library is only preloaded.
printf '#pragma weak hs_farm_attach\n#pragma weak hs_scatter_counts\n' >"$work/weak.h"
"$MPICC" -I"$HS_TEST_SRCDIR/include" -include "$work/weak.h" "$example/mpi_scatterv.c" -o "$work/preloaded" || exit 1
LD_PRELOAD="$library/libheteroslice-preload.so $LD_PRELOAD" says preloaded "$work/items"
# Debian's packages of what follows are Open MPI's.
[ "$HS_TEST_FLAVOUR" = openmpi ] || exit $failed
if pkg-config --exists PETSc 2>/dev/null; then
    build petsc_ownership "$(pkg-config --cflags --libs PETSc)" || { cat "$work/said"; exit 1; }
    printf 'rank 0: 750 entries, 750 rows\nrank 1: 250 entries, 250 rows\n' >"$work/entries"
    says petsc_ownership "$work/entries"
else
    echo "PETSc is not installed"
fi
# compiles NAME HEADER LIBRARIES...: whether the example's package is there and one of the lists of libraries links
compiles() {
    name=$1 header=$2
    shift 2
    for directory in /usr/include /usr/include/trilinos /usr/include/parmetis /usr/local/include; do
        [ -e "$directory/$header" ] || continue
        for libraries in "$@"; do
            build "$name" "-I$directory $libraries -lm" && return
        done
        cat "$work/said"
        failed=1
    done
    [ -s "$work/said" ] || echo "$header is not installed"
    return 1
}
if compiles zoltan_parts zoltan.h -lzoltan -ltrilinos_zoltan; then
    printf 'rank 0: 750 points\nrank 1: 250 points\n' >"$work/points"
    says zoltan_parts "$work/points"
fi
# ParMETIS and Scotch's stand-in for it may be off by a twentieth of all.
if compiles parmetis_weights parmetis.h "-lparmetis -lmetis" "-lparmetis -lptscotch -lscotch -lptscotcherr"; then
    on_two_hosts "$work/parmetis_weights" >"$work/out" || { echo "FAILED: parmetis_weights"; failed=1; }
    sort "$work/out" | awk '/^part 0: / { part = $3 } /^part 1: / { other = $3 } END { exit !(part >= 700 && part <= 800 && part + other == 1000) }' ||
        { echo "FAILED: parmetis_weights says"; cat "$work/out"; failed=1; }
fi
exit $failed
