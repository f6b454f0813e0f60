# SPDX-License-Identifier: BSD-3-Clause
# The library as a plug-in that is loaded and unloaded while MPI runs.
[ -n "${MPIEXEC:-}" ] || { echo "skipped: no mpiexec was found"; exit 77; }
export HS_LOG=error
library=$HS_TEST_BUILDDIR/.libs/libheteroslice.so
[ -e "$library" ] || { echo "skipped: no shared library"; exit 77; }
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # MPI libraries leak
for ranks in 1 3; do
    done=$("$LAUNCH" -n "$ranks" "$HS_TEST_BUILDDIR/tests/runtime/loaded" "$library" | grep -c done)
    [ "$done" = "$ranks" ] || { echo "FAILED: of $ranks ranks $done ended well"; exit 1; }
done
