# SPDX-License-Identifier: BSD-3-Clause
# Scotch and PT-Scotch of each width of SCOTCH_Num: parts by the hosts' speeds, in every way that they offer.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
system=$(ls -d /usr/lib/*-linux-gnu/scotch-int32 2>/dev/null | head -1)
[ -n "$system" ] || skip "no PT-Scotch (libptscotch-dev) of Debian"
[ "$HS_TEST_FLAVOUR" = openmpi ] || skip "Debian's PT-Scotch is Open MPI's"
tried=0
for width in int32 int64 long; do
    libraries=${system%32}${width#int}
    [ "$width" != long ] || libraries=${system%-int32}-long
    headers=/usr/include/scotch-$width program=$work/scotch-$width
    [ -e "$libraries/libptscotch.so" ] && [ -e "$headers/ptscotch.h" ] || continue
    "$MPICC" -I"$headers" -o "$program" "$here/scotch.c" -L"$libraries" "-Wl,-rpath,$libraries" -lptscotch -lptscotcherr \
        -lscotch -lscotcherr -lpthread -lm || { fail "$width: does not compile"; continue; }
    tried=$((tried + 1))
    export LD_LIBRARY_PATH="$libraries"

    # Debian's PT-Scotch of long integers fails with distributed graphs, with and without this library.
    distributed=distributed sub=sub
    [ "$width" != long ] || distributed='' sub=''

    cut 6 off "$program" serial wrong
    sized serial 0.05 1 "$equal"
    grep wrong: "$work/out" >"$work/wrong"
    cut 6 on "$program" wrong serial arch same weighted halves threads $distributed $sub
    grep wrong: "$work/out" | diff "$work/wrong" - || fail "$width: wrong arguments: answers differ"
    for way in serial:1 arch:2 same:2 threads:12; do
        sized ${way%:*} 0.06 ${way#*:} "$by_speed"
    done
    told SCOTCH_graphPart 1 'sum(e["reached"]) == 2700' 'abs(e["given"][0] - 8 / 27) < 1e-6' 'e["times"] in (1, 13)' \
        'e["caller"].startswith("scotch-")' 'e["edges_cut"] >= 5' 'abs(e["gain"] - 2.2) < 0.3' \
        'abs(e["wished"][0] - 1 / 6) < 1e-6'

    # Equal weights are a wish for equal parts; unequal ones are left alone, or multiplied by speed.
    sized weighted 0.06 2 "1 2 1 2 1 2"
    told SCOTCH_graphMap 1 'sum(e["reached"]) == 2700' '(e["given"] is None) == (e["wished"][0] < e["wished"][1])'
    told SCOTCH_graphMapCompute 1 'sum(e["reached"]) == 2700'

    # Parts that nobody is known to own pass through, and a line says so.
    sized halves 0.05 1 "1 1"
    lines 6 'SCOTCH_archCmplt: 2 parts for 6 ranks.*passes through'
    if [ -n "$distributed" ]; then
        sized distributed 0.08 3 "$by_speed"
        sized sub 0.08 3 "2 3 4" # ranks 5, 4, 3 by themselves
        for call in SCOTCH_dgraphPart SCOTCH_dgraphMap SCOTCH_dgraphMapCompute; do
            told $call 6 'e["first"] == 0' 'sum(e["reached"]) == 2700'
            told $call 3 'e["edges_cut"] is None' 'e["first"] == 5' 'sum(e["reached"]) == 2700'
        done
        BALANCE=on cut 6 on "$program" distributed sub
        sized distributed 0.08 3 "$by_speed"
        sized sub 0.08 3 "2 3 4"

        # Threads of versions before 7.0.5 may make it hang; on one rank they do not.
        lines 0 'may hang in threads'
        races=$(grep -c -m1 '(SCOTCH_VERSION != 7) || (SCOTCH_RELEASE != 0) || (SCOTCH_PATCHLEVEL != [0-4])' "$headers/ptscotch.h")
        SCOTCH_PTHREAD_NUMBER=2 cut 1 on "$program" distributed
        lines "$races" 'PT-Scotch .* may hang in threads of its own'
    fi

    cut 6 scale "$program" weighted
    sized weighted 0.06 2 "8 12 4 8 3 4"
    HOSTS=$work/equal.xml cut 6 on "$program" serial
    sized serial 0.05 1 "$equal"
    told SCOTCH_graphPart 1 'e["given"] is None'
    HOSTS=$work/off.xml cut 6 on "$program" serial $distributed
    sized serial 0.08 1 "8 6 4 4 3 0"
done
[ $tried -gt 0 ] || skip "no PT-Scotch (libptscotch-dev)"
exit $failed
