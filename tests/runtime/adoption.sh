# SPDX-License-Identifier: BSD-3-Clause
# hs_scatter_counts in an MPI program, hs_counts and hs_weights in the examples for other libraries: compiled where those
# are installed, and run.
set -u
[ -n "${MPIEXEC:-}" ] && [ -n "${MPICC:-}" ] || { echo "skipped: no MPI"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HS_PLATFORM="$work/platform.xml" HS_LOG=error
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
example=$HS_TEST_SRCDIR/examples/adoption
library=$HS_TEST_BUILDDIR/.libs
failed=0
printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="fast" speed="3Gf"/><host id="slow" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="0s"/><route src="fast" dst="slow"><link_ctn id="l"/></route></zone></platform>\n' >"$HS_PLATFORM"
build() {
    "$MPICC" -I"$HS_TEST_SRCDIR/include" "$example/$1.c" -o "$work/$1" "-L$library" -lheteroslice "-Wl,-rpath,$library" $2 2>"$work/said"
}
nm -D "$library/libheteroslice.so" | grep -q __asan_init && { echo "skipped: sanitized library"; exit 77; }
on_two_hosts() {
    timeout 240 "$MPIEXEC" -n 1 env HS_LAB_HOST=fast "$@" : -n 1 env HS_LAB_HOST=slow "$@"
}
build mpi_scatterv "" || { cat "$work/said"; exit 1; }
on_two_hosts "$work/mpi_scatterv" >"$work/out" || { echo "FAILED: mpi_scatterv"; failed=1; }
printf 'rank 0: 750 items from 0\nrank 1: 250 items from 750\n' | diff - "$work/out" || failed=1
if pkg-config --exists PETSc 2>/dev/null; then
    build petsc_ownership "$(pkg-config --cflags --libs PETSc)" || { cat "$work/said"; exit 1; }
    on_two_hosts "$work/petsc_ownership" >"$work/out"
    printf 'rank 0: 750 entries, 750 rows\nrank 1: 250 entries, 250 rows\n' | diff - "$work/out" || failed=1
fi
for name in zoltan_parts parmetis_weights; do
    case $name in zoltan_parts) header=zoltan.h libraries="-lzoltan -ltrilinos_zoltan" ;; *) header=parmetis.h libraries="-lparmetis -lmetis" ;; esac
    where=
    for directory in /usr/include /usr/include/trilinos /usr/local/include; do
        [ -e "$directory/$header" ] && where=$directory
    done
    [ -n "$where" ] || { echo "$header is not installed"; continue; }
    for one in "$libraries" ${libraries}; do
        build $name "-I$where $one -lm" && break
    done
    [ -x "$work/$name" ] || { cat "$work/said"; failed=1; continue; }
    on_two_hosts "$work/$name" || { echo "FAILED: $name"; failed=1; }
done
exit $failed
