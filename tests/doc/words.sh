#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Sources have none of the old names of words.txt; and the check finds one in a file's name, in an identifier and in a
# member of a slice, but not in comments and texts.
check="python3 $HS_TEST_SRCDIR/tests/doc/words.py"
tree=$(mktemp -d) || exit 99
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src"
printf '/* a crew */\nint crew_size = 0;\nint first = slice.before;\nconst char *text = "a crew";\n' >"$tree/src/clean.c"
echo 'int none;' >"$tree/src/cut.h"
said=$($check "$tree")
[ "$(echo "$said" | cut -d"'" -f1,2 | sort | tr '\n' ' ')" = \
    "src/clean.c:2: 'crew src/clean.c:3: 'slice.before src/cut.h: 'cut " ] || { echo "FAILED: on old names: $said"; exit 1; }
$check "$HS_TEST_SRCDIR"
