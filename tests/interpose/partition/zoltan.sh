# SPDX-License-Identifier: BSD-3-Clause
# Zoltan: parts that are equal by default, and those of the program's own sizes.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
[ "$HS_TEST_FLAVOUR" = openmpi ] || skip "Debian's Zoltan is Open MPI's"
"$MPICC" -w -I"$HS_TEST_SRCDIR" -I/usr/include/trilinos -o "$work/zoltan" "$here/zoltan.c" -ltrilinos_zoltan -lm 2>/dev/null ||
    skip "no Zoltan (libtrilinos-zoltan-dev)"
cut 6 off "$work/zoltan" RCB
sized RCB 0.01 1 "$equal"
cut 6 on "$work/zoltan" RCB BLOCK GRAPH balance sizes copy assign
for way in RCB BLOCK balance; do
    sized $way 0.01 1 "$by_speed"
done
sized GRAPH 0.12 1 "$by_speed"
for way in sizes copy assign; do
    sized $way 0.01 1 "1 2 1 2 1 2"
done
# reached CALL TOLERANCE TIMES: and the report knows it
reached() {
    told $1 6 "e['times'] == $3" 'e["given"] is not None' 'sum(e["reached"]) == 2700' \
        "all(abs(r - 2700 * g) <= $2 for r, g in zip(e['reached'], e['given']))"
}
reached Zoltan_LB_Partition 54 3
reached Zoltan_LB_Balance 6 1

# Whatever lists of what moves the program asks for; where it asks for none, nobody knows.
for lists in IMPORT EXPORT PARTS; do
    cut 6 on "$work/zoltan" BLOCK:$lists balance:$lists
    reached Zoltan_LB_Partition 6 1
    reached Zoltan_LB_Balance 6 1
done
cut 6 on "$work/zoltan" RCB:NONE
told Zoltan_LB_Partition 6 'e["given"] is not None' 'e["reached"] is None'
HOSTS=$work/equal.xml cut 6 on "$work/zoltan" RCB
told Zoltan_LB_Partition 6 'e["given"] is None' 'e["reached"] == [450] * 6'

# Loaded late, for the program's library alone.
"$MPICC" -Dmain=part -shared -fPIC -w -I"$HS_TEST_SRCDIR" -I/usr/include/trilinos -o "$work/liblate.so" "$here/zoltan.c" -ltrilinos_zoltan -lm
load_late "$work/liblate.so" RCB balance
for way in RCB balance; do
    sized $way 0.01 1 "$by_speed"
done

HOSTS=$work/off.xml cut 6 on "$work/zoltan" RCB BLOCK balance
for way in RCB BLOCK balance; do
    sized $way 0.01 1 "8 6 4 4 3 0"
done

# With weights 3 and 1 the first host's 8/27 of them are 533 points, and so they are with two such weights each. How much weight
# a part has is not known.
cut 6 on "$work/zoltan" two weights
told Zoltan_LB_Partition 6 'e["times"] == 2' 'e["given"] is not None' 'e["reached"] is None' 'e["gain"] == 2.25'
for way in weights two; do
    [ "$(sed -n "s/^$way: //p" "$work/out" | awk '$1 > 527 && $1 < 539 && $6 > 394 && $6 < 406')" ] || { cat "$work/out"; fail "$way: sizes"; }
done

BALANCE=on
cut 6 on "$work/zoltan" RCB balance sizes
sized RCB 0.01 1 "$by_speed"
sized balance 0.01 1 "$by_speed"
sized sizes 0.01 1 "1 2 1 2 1 2"
exit $failed
