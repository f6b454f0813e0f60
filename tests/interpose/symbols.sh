# SPDX-License-Identifier: BSD-3-Clause
# The libraries export every wrapper under every name compilers use, and nothing else; and of what the MPI library exports
# to C and Fortran nothing is left out but what neither waits nor carries messages. HS_TEST_PRELOAD may name another
# preload library, for another MPI library; then libheteroslice.so is left out.
set -u
export LC_ALL=C
. "$HS_TEST_SRCDIR/tests/work.sh"
PRELOAD=${HS_TEST_PRELOAD:-$HS_TEST_BUILDDIR/.libs/libheteroslice-preload.so}
HERE=${HS_TEST_PROGRAMS:-$HS_TEST_BUILDDIR/tests/interpose}
command -v nm >/dev/null || { echo "skipped: no nm"; exit 77; }
[ -e "$PRELOAD" ] || { echo "skipped: built without MPI"; exit 77; }

# exports FILE...: its functions, but what the compiler adds for sanitizers and gcov
exports() {
    nm -D --defined-only "$@" | sed -n 's/.* [TWi] //p' | sed 's/@.*//' | grep -v -E '^(__odr_asan|__gcov_|mangle_path$)' | sort -u
}

# mpi_of FILE...: the libraries of MPI that it is linked to
mpi_of() {
    ldd "$@" | sed -n 's/.*=> \(.*libmpi[^ ]*\) .*/\1/p' | sort -u
}

# ---- Against the MPI library ----

# What needs no wrapper is listed once. Fortran's names in mixed case (MPI_Send_f08, MPI_Comm_detach_buffer_) are no compiler's,
# and MPI_REQUEST_STATUS_GET_ANY, of Open MPI 6, is no function of MPI.
sed -n '/harmless\[\] = {/,/NULL/s/ *"\(.*\)",$/\1/p' "$HS_TEST_SRCDIR/src/interpose/unwrapped_symbols.c" |
    sed 's/\*/.*/g; s/.*/^&$/' >"$work/harmless"
[ -s "$work/harmless" ] || fail "no list of functions without waiting is found"

# Functions of partitioners, and dlopen, are in the preload library only.
partitioners='^(SCOTCH_|METIS_|ParMETIS_|Zoltan_|p[48]est_|PetscSplit|DMSetUp)' loader='^dlopen$'
exports "$PRELOAD" | grep -v -E "$partitioners|$loader" >"$work/preload"
exports "$PRELOAD" | grep -q -E "$partitioners" || fail "no partitioner is wrapped"
exports "$PRELOAD" | grep -q "$loader" || fail "dlopen is not wrapped"
mpi_of "$PRELOAD" >"$work/libraries"
for program in fortran_include fortran_module fortran_2008; do
    [ -x "$HERE/$program" ] && mpi_of "$HERE/$program" >>"$work/libraries"
done
sort -u "$work/libraries" -o "$work/libraries"
[ -s "$work/libraries" ] || fail "no MPI library is found"
# shellcheck disable=SC2046
exports $(cat "$work/libraries") | grep -E '^(MPI|mpi)_' | grep -v -E '^MPI_[A-Z][a-z].*_(f|f08)?$|^MPI_REQUEST_STATUS_GET_ANY$' >"$work/mpi"
comm -23 "$work/mpi" "$work/preload" | while read -r name; do
    stem=$(echo "$name" | tr A-Z a-z | sed 's/^mpi_//; s/_*$//; s/_cptr$//; s/_large$//; s/_f08$//; s/_f08ts$//')
    echo "$stem" | grep -q -f "$work/harmless" || echo "$name"
done >"$work/missing"
[ ! -s "$work/missing" ] || fail "the MPI library has functions that are not wrapped:" $(cat "$work/missing")

# No program finds a function that its MPI library has not; but of the libraries of MPI-5's ABI some still have the removed ones.
grep '^MPI_[A-Z][a-z]' "$work/preload" >"$work/c"
case $(cat "$work/libraries") in *libmpi_abi*) removed='^MPI_(Attr|Errhandler)_(delete|get|put|set)$' ;; *) removed='^$' ;; esac
comm -23 "$work/c" "$work/mpi" | grep -v -E "$removed" >"$work/invented"
[ ! -s "$work/invented" ] || fail "the MPI library lacks functions that are wrapped:" $(cat "$work/invented")

# ---- Names ----

sed -n 's/^MPI_\(.*\)_c$/\1/p' "$work/c" | tr A-Z a-z >"$work/large"
sed 's/^MPI_//; /_c$/d' "$work/c" | tr A-Z a-z >"$work/stems"
{
    sed 's/.*/mpi_&\nmpi_&_\nmpi_&__\nmpi_&_f08_\nmpi_&_f08ts_/' "$work/stems"
    sed 's/.*/mpi_&_f08_large_\nmpi_&_f08ts_large_\nmpi_&_c_f08_\nmpi_&_c_f08ts_/' "$work/large"
    for stem in win_allocate win_allocate_shared win_shared_query; do
        printf 'mpi_%s_cptr\nmpi_%s_cptr_\nmpi_%s_cptr__\n' $stem $stem $stem
        echo mpi_${stem}_cptr | tr a-z A-Z
    done
    sed 's/.*/MPI_&/' "$work/stems" | tr a-z A-Z
} | sort >"$work/fortran"

{ cat "$work/c" "$work/fortran"; echo sched_yield; echo ucp_worker_progress; ! grep -q "define HAVE_PMIX" "$HS_TEST_BUILDDIR/config.h" || printf "PMIx_%s\n" Commit Put; } | sort >"$work/all"
grep -v '^hs_' "$work/preload" | diff "$work/all" - || fail "the preload library exports other names than it should"
grep -q '^hs__' "$work/preload" && fail "internal functions are exported"
[ -z "${HS_TEST_PRELOAD:-}" ] || exit $failed
exports "$HS_TEST_BUILDDIR/.libs/libheteroslice.so" | diff "$work/preload" - || fail "the two libraries have different functions"
exit $failed
