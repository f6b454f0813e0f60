# SPDX-License-Identifier: BSD-3-Clause
# Forty random runs on 2 to 13 ranks.
[ -n "${MPIEXEC:-}" ] || { echo "skipped: no mpiexec was found"; exit 77; }
run() {
    "$LAUNCH" -n "$1" "$HS_TEST_BUILDDIR/tests/runtime/random/random" "$2" "$3" || exit 1
}
run 13 1 6
run 7 101 10
run 4 201 12
run 2 301 12
