# SPDX-License-Identifier: BSD-3-Clause
# Zoltan: parts that are equal by default, and those of the program's own sizes.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
[ "$HS_TEST_FLAVOUR" = openmpi ] || skip "Debian's Zoltan is Open MPI's"
"$MPICC" -w -I"$HS_TEST_SRCDIR" -I/usr/include/trilinos -o "$work/zoltan" "$here/zoltan.c" -ltrilinos_zoltan -lm 2>/dev/null ||
    skip "no Zoltan (libtrilinos-zoltan-dev)"
cut 6 off "$work/zoltan" RCB
sized RCB 0.01 1 "$equal"
cut 6 on "$work/zoltan" RCB BLOCK GRAPH balance sizes
for way in RCB BLOCK balance; do
    sized $way 0.01 1 "$by_speed"
done
sized GRAPH 0.12 1 "$by_speed"
sized sizes 0.01 1 "1 2 1 2 1 2"
told Zoltan_LB_Partition 6 'e["times"] == 3' 'e["given"] is not None'
told Zoltan_LB_Balance 6 'e["times"] == 1'
BALANCE=on
cut 6 on "$work/zoltan" RCB balance sizes
sized RCB 0.01 1 "$by_speed"
sized balance 0.01 1 "$by_speed"
sized sizes 0.01 1 "1 2 1 2 1 2"
exit $failed
