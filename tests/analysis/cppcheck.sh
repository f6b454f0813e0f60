# SPDX-License-Identifier: BSD-3-Clause
# Static analysis: cppcheck finds nothing in src/ and apps/ but what cppcheck.suppressions allows with a reason.
command -v cppcheck >/dev/null || { echo "skipped: no cppcheck (package cppcheck)"; exit 77; }
cd "${HS_TEST_SRCDIR:-$(dirname "$0")/../..}" || exit 1
found=$(cppcheck --quiet --std=c11 --enable=warning,performance,portability -I include -I src --suppress=missingIncludeSystem \
    --suppressions-list=tests/analysis/cppcheck.suppressions --template='{file}:{line}: {id}: {message}' src apps 2>&1)
[ -z "$found" ] || { echo "$found"; exit 1; }
