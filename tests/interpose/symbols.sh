# SPDX-License-Identifier: BSD-3-Clause
# The libraries export every wrapper under every name compilers use, and nothing else; the table leaves no call out.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
command -v nm >/dev/null || { echo "skipped: no nm"; exit 77; }
exports() {
    nm -D --defined-only "$HS_TEST_BUILDDIR/.libs/$1" | sed 's/.* //; s/@.*//' | grep -v '^__odr_asan' | sort
}
[ -e "$HS_TEST_BUILDDIR/.libs/libheteroslice.so" ] || { echo "skipped: built without MPI"; exit 77; }
exports libheteroslice.so >"$work/linked"
exports libheteroslice-preload.so >"$work/preload"
{ sed -n 's/^\(MPI_[A-Za-z_]*\) .*/\1/p' "$HS_TEST_SRCDIR/src/interpose/calls.txt"; echo MPI_Pcontrol; } | sort >"$work/c"
sed 's/^MPI_//' "$work/c" | tr A-Z a-z >"$work/stems"
{
    sed 's/.*/mpi_&\nmpi_&_\nmpi_&__\nmpi_&_f08_\nmpi_&_f08ts_/' "$work/stems"
    for stem in win_allocate win_allocate_shared win_shared_query; do
        printf 'mpi_%s_cptr\nmpi_%s_cptr_\nmpi_%s_cptr__\n' $stem $stem $stem
    done
    tr a-z A-Z <"$work/c"
} | sort >"$work/fortran"

{ cat "$work/c" "$work/fortran"; echo sched_yield; echo ucp_worker_progress; } | sort >"$work/all"
for library in linked preload; do
    grep -v '^hs_' "$work/$library" | diff "$work/all" - || fail "the $library library exports other names than the table's"
done
grep '^hs_' "$work/linked" >"$work/own"
grep '^hs_' "$work/preload" | diff "$work/own" - || fail "the two libraries have different functions of their own"
grep -q '^hs__' "$work/own" && fail "internal functions are exported"

# Every function of the MPI library that takes a communicator, window, file, request or message is in the table, but for
# conversions of handles, tools and what came after MPI-3.1.
header=$(printf '#include <mpi.h>\n' | ${CC:-cc} -E ${MPI_CFLAGS:-} - 2>/dev/null | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*int \(MPI_[A-Za-z_0-9]*\) *(\(.*MPI_\(Comm\|Win\|File\|Request\|Message\) .*\)).*/\1/p' | sort -u |
    grep -v -E 'c2f|f2c|_c$|MPI_T_|(create|free)_(errhandler|keyval)|Session|Pready|Parrived|P(send|recv)_init' |
    grep -v -E '(all|barrier|bcast|exscan|gather|reduce|scan|scatter).*_init$' |
    grep -v -E 'MPI_(Allreduce|Alltoall|Barrier|Bcast|Exscan|Gather|Reduce|Scan|Scatter|Neighbor|Allgather).*_init$' |
    grep -v -E 'idup_with_info|from_group|_keyval$|Grequest_start|Test_cancelled|Isendrecv')
[ -n "$header" ] || fail "no function is found in mpi.h"
for name in $header; do
    grep -qx "$name" "$work/c" || fail "$name is not in the table"
done
exit $failed
