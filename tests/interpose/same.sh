# SPDX-License-Identifier: BSD-3-Clause
# Programs in C, C++ and Fortran by its three interfaces: preloading changes nothing, and every call is counted once.
. "$HS_TEST_SRCDIR/tests/interpose/common.sh"
CALLS_FILE=$work/file
export CALLS_FILE
same 3 "$HERE/calls" files
HS_TEST_MODES=pmpi
[ -x "$HERE/calls_cxx" ] && same 3 "$HERE/calls_cxx" files
[ -x "$HERE/exceptions" ] && same 2 "$HERE/exceptions"
[ -x "$HERE/fortran_module" ] && same 3 "$HERE/fortran_module"
HS_TEST_MODES="pmpi next"
[ -x "$HERE/fortran_include" ] && same 3 "$HERE/fortran_include"
[ -x "$HERE/fortran_2008" ] && same 3 "$HERE/fortran_2008"
[ -e "$HERE/late_part.so" ] && same 2 "$HERE/late" "$HERE/late_part.so"
exit $failed
