# SPDX-License-Identifier: BSD-3-Clause
# Two seconds of fuzzing a target, with the same inputs each time as far as they get. `make fuzz` takes longer.
cd "$HS_TEST_BUILDDIR" || exit 1
rm -rf tests/fuzz/*.found
exec bash "$HS_TEST_SRCDIR/tests/fuzz/run" --build "$HS_TEST_BUILDDIR" --seconds 2 --seed 1
