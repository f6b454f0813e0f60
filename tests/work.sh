# SPDX-License-Identifier: BSD-3-Clause
# Sourced by scripts that have a folder of their own, $work, tell each thing that is wrong, and end with 'exit $failed'.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
