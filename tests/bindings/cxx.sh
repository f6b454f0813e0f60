# SPDX-License-Identifier: BSD-3-Clause
# C++: vectors of the program's own move by callbacks; every rank count and mode verifies.
. "$HS_TEST_SRCDIR/tests/bindings/common.sh"
[ -n "${MPICXX:-}" ] || skip "no MPI compiler for C++"
command -v pkg-config >/dev/null || skip "no pkg-config"
# As after "make install", whose folders are in the build tree. The flags are several words.
# shellcheck disable=SC2046
(cd "$work" && $MPICXX -std=c++11 -Wall -Werror -O1 -o cells "$HS_TEST_SRCDIR/examples/cxx/cells.cc" \
    $(PKG_CONFIG_PATH=$HS_TEST_BUILDDIR pkg-config --define-variable=libdir="$libraries" \
        --define-variable=includedir="$HS_TEST_SRCDIR/include" --cflags --libs heteroslice)) >"$work/said" 2>&1 ||
    { cat "$work/said"; echo "FAILED: cells.cc does not build"; exit 1; }
for run in "1 off" "2 static" "3 on" "4 on" "7 on"; do
    out=$("$LAUNCH" -n "${run% *}" "$work/cells" 60 20 300 "${run#* }" 2>&1)
    case $out in *"verified T"*) ;; *) fail "$run: $out" ;; esac
done
"$LAUNCH" -n 1 "$work/cells" >"$work/said" 2>&1
[ $? = 2 ] || fail "no argument: $(cat "$work/said")"
moves "$work/cells"
exit $failed
