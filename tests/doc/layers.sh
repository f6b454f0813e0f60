#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every folder of src/ uses only what the table in DEVELOPERS.md allows; and the check finds an include against its table.
check="python3 $HS_TEST_SRCDIR/tests/doc/layers.py"
tree=$(mktemp -d) || exit 99
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/low" "$tree/src/high"
printf '| `src/low/` | ground | nothing |\n| `src/high/` | above | low |\n' >"$tree/DEVELOPERS.md"
echo '#include "high/roof.h"' >"$tree/src/low/floor.c"
echo '#include "low/floor.h"' >"$tree/src/high/roof.c"
$check "$tree" "$tree" | grep -q 'src/low/floor.c:1: src/low/ uses src/high/' ||
    { echo "FAILED: an include against the table is not found"; exit 1; }
$check "$HS_TEST_SRCDIR" "$HS_TEST_BUILDDIR"
