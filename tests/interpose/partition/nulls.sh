# SPDX-License-Identifier: BSD-3-Clause
# Pointers that are NULL reach every function as they came, and what it answers comes back: as with no library preloaded. Stand-ins
# that tell which of their arguments are NULL take the places of the partitioners.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
"$MPICC" -DINDEX=int32_t -DREAL=float -shared -fPIC -w -o "$work/libpath.so" "$here/path_metis.c" &&
    "$MPICC" -shared -fPIC -w -o "$work/libstand_ins.so" "$here/stand_ins.c" &&
    "$MPICC" -w -o "$work/nulls" "$here/nulls.c" -L"$work" -lpath -lstand_ins "-Wl,-rpath,$work" || fail "does not compile"
cut 6 bare "$work/nulls"
cp "$work/out" "$work/bare"
[ "$(grep -c 'without [0-9]*: -\?[1-9]' "$work/bare")" -gt 100 ] || fail "the stand-ins do not tell what is NULL"
for mode in off on scale; do
    cut 6 $mode "$work/nulls"
    diff "$work/bare" "$work/out" || fail "$mode: answers differ"
done
BALANCE=on cut 6 on "$work/nulls"
diff "$work/bare" "$work/out" || fail "with phases: answers differ"
exit $failed
