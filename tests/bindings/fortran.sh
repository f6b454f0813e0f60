# SPDX-License-Identifier: BSD-3-Clause
# Fortran: calls are seen in programs linked by the line of the README, in all interfaces; the module, by its example.
. "$HS_TEST_SRCDIR/tests/bindings/common.sh"
[ -n "${MPIFC:-}" ] || skip "no Fortran compiler"
command -v pkg-config >/dev/null || skip "no pkg-config"
module=$HS_TEST_BUILDDIR/bindings/fortran
# As after "make install", whose folders are in the build tree.
flags() {
    PKG_CONFIG_PATH=$HS_TEST_BUILDDIR pkg-config --define-variable=libdir="$libraries" \
        --define-variable=includedir="$HS_TEST_SRCDIR/include" --define-variable=moduledir="$module" "$@"
}
# compile NAME SOURCE OPTION... The flags are several words.
# shellcheck disable=SC2086
compile() {
    name=$1 source=$2
    shift 2
    (cd "$work" && $MPIFC ${FCFLAGS:-} -o "$name" "$source" "$@") >"$work/said" 2>&1 || { cat "$work/said"; fail "$name does not build"; }
}
for interface in MPIFH MODULE_MPI MODULE_F08; do
    [ "$interface:$HS_TEST_F08" = MODULE_F08: ] && continue
    for order in none -Wl,--as-needed; do
        # shellcheck disable=SC2046,SC2086
        compile plain "$HS_TEST_SRCDIR/tests/bindings/plain.F90" $HS_TEST_FCFLAGS -D$interface ${order#none} $(flags --libs heteroslice)
        sees "$interface $order" "$work/plain"
    done
done
[ -n "$HS_TEST_F08" ] || { echo "no mpi_f08: without the example"; exit $failed; }
# shellcheck disable=SC2046,SC2086
compile jacobi "$HS_TEST_SRCDIR/examples/fortran/jacobi.f90" -L"$module" $(flags --cflags --libs heteroslice-fortran)
[ $failed = 0 ] || exit 1
same_checksum "$work/jacobi"
sees "the module" "$work/jacobi" 30 40 200 on
moves "$work/jacobi"
for program in weights boxes; do
    # shellcheck disable=SC2046,SC2086
    compile $program "$HS_TEST_SRCDIR/tests/bindings/$program.F90" -L"$module" $(flags --cflags --libs heteroslice-fortran)
done
[ $failed = 0 ] || exit 1
weighs "$work/weights"
for n in 1 2 4; do
    out=$("$LAUNCH" -n $n "$work/boxes" 2>&1) || fail "boxes of $n ranks: $out"
done
exit $failed
