# SPDX-License-Identifier: BSD-3-Clause
# Forests of quadrants and octants.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
[ "$HS_TEST_FLAVOUR" = openmpi ] || skip "Debian's p4est is Open MPI's"
printf '#include <p4est.h>\nint main(void) { return 0; }\n' >"$work/try.c"
"$MPICC" -o "$work/try" "$work/try.c" -lp4est -lsc 2>/dev/null || skip "no p4est (libp4est-dev)"
for kind in square cube; do
    [ $kind = square ] && flag='' dimension=4 || flag=-DCUBES dimension=8
    "$MPICC" $flag -w -o "$work/$kind" "$here/p4est.c" -lp4est -lsc || fail "$kind: does not compile"
    cut 6 off "$work/$kind"
    sized even 0.01 1 "$equal"
    grep 'coarsened' "$work/out" >"$work/coarsened"
    cut 6 on "$work/$kind"
    for way in even refined weighted; do
        sized $way 0.01 1 "$by_speed"
    done
    sized given 0 1 "1 0 0 0 0 0"
    sized coarsening 0.02 1 "$by_speed"
    grep -e shipped -e asked -e damaged "$work/out" && fail "$kind"
    grep 'coarsened' "$work/out" | diff "$work/coarsened" - || fail "$kind: families are on several ranks"
    told p${dimension}est_partition_ext 6 'e["given"] is not None' 'e["times"] == 4' 'sum(e["reached"]) > 0'
    cut 6 on "$work/$kind" weights # sizes in the report are weights, too
    told p${dimension}est_partition_ext 6 'e["times"] == 5' 'abs(e["gain"] - 2.25) < 0.15' \
        'all(abs(r / sum(e["reached"]) - g) < 0.01 for r, g in zip(e["reached"], e["given"]))'
    "$MPICC" $flag -Dmain=part -shared -fPIC -w -o "$work/lib$kind.so" "$here/p4est.c" -lp4est -lsc
    load_late "$work/lib$kind.so"
    for way in even refined weighted; do
        sized $way 0.01 1 "$by_speed"
    done
    BALANCE=on cut 6 on "$work/$kind"
    sized even 0.01 1 "$by_speed"
    HOSTS=$work/off.xml cut 6 on "$work/$kind"
    sized even 0.01 1 "8 6 4 4 3 0"
done
exit $failed
