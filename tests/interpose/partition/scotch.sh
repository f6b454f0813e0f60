# SPDX-License-Identifier: BSD-3-Clause
# Scotch and PT-Scotch of each width of SCOTCH_Num: parts by the hosts' speeds, in every way that they offer.
. "$HS_TEST_SRCDIR/tests/interpose/partition/common.sh"
system=$(ls -d /usr/lib/*-linux-gnu/scotch-int32 2>/dev/null | head -1)
[ -n "$system" ] || skip "no PT-Scotch (libptscotch-dev) of Debian"
[ "$HS_TEST_FLAVOUR" = openmpi ] || skip "Debian's PT-Scotch is Open MPI's"
tried=0

# sites BANDWIDTH SPEED...: a platform file of hosts h0 h1 ... at two sites, in turn, and a link of this bandwidth between the sites
sites() {
    between=$1
    shift
    printf '%s\n' '<?xml version="1.0"?>' '<platform version="4.1"><zone id="z" routing="Floyd">'
    h=0
    for speed; do
        printf '<host id="h%d" speed="%dGf"/>' $h "$speed"
        h=$((h + 1))
    done
    printf '<router id="even"/><router id="odd"/><link id="between" bandwidth="%s" latency="0"/>' "$between"
    for h in 0 1 2 3 4 5; do
        printf '<link id="l%d" bandwidth="1GBps" latency="0"/>' $h
    done
    for way in h0:even:l0 h1:odd:l1 h2:even:l2 h3:odd:l3 h4:even:l4 h5:odd:l5 even:odd:between; do
        link=${way##*:} ends=${way%:*}
        printf '<route src="%s" dst="%s"><link_ctn id="%s"/></route>' "${ends%:*}" "${ends#*:}" "$link"
    done
    printf '</zone></platform>\n'
}
sites 1TBps $by_speed >"$work/near.xml"
sites 50MBps $by_speed >"$work/far.xml"
sites 50MBps $equal >"$work/far_equal.xml"

# edges WHAT: the numbers that the last run printed of edges between the sites, by SCOTCH_graphPart and by SCOTCH_graphMap
edges() {
    sed -n "s/^$1-between: //p" "$work/out"
}

# fewer WHAT BEFORE: the last run cut fewer edges than the numbers BEFORE
fewer() {
    [ "$(printf '%s %s ' $2 $(edges "$1") | awk '{ print NF == 4 && $3 < $1 && $4 < $2 }')" = 1 ] ||
        fail "$width: $1: edges between the sites: $(edges "$1" | tr '\n' ' '), before: $2"
}

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

        # PT-Scotch bears weights of few digits only, with others its parts are far off and ragged. Speeds need not be round.
        cut 6 off "$program" cube
        plain=$(sed -n 's/^cube-cut: //p' "$work/out")
        sed 's/"8Gf/"7.313Gf/; s/"3Gf/"3.011Gf/' "$work/hosts.xml" >"$work/odd.xml"
        HOSTS=$work/odd.xml cut 6 on "$program" cube
        sized cube 0.01 1 "7.313 6 4 4 3.011 2"
        [ "$(sed -n 's/^cube-cut: //p' "$work/out")" -lt $((plain * 6 / 5)) ] ||
            fail "$width: parts by speed cut $(sed -n 's/^cube-cut: //p' "$work/out") edges, equal ones $plain"

        # Threads of versions before 7.0.5 may make it hang; on one rank they do not.
        lines 0 'may hang in threads'
        races=$(grep -c -m1 '(SCOTCH_VERSION != 7) || (SCOTCH_RELEASE != 0) || (SCOTCH_PATCHLEVEL != [0-4])' "$headers/ptscotch.h")
        SCOTCH_PTHREAD_NUMBER=2 cut 1 on "$program" distributed
        lines "$races" 'PT-Scotch .* may hang in threads of its own'
    fi

    # As many parts as there are ranks, on a communicator of three; and three that one rank makes by itself beside it.
    if [ -n "$distributed" ]; then
        cut 6 on "$program" more
        sized more 0.05 2 "$equal"
        sized fewer 0.05 1 "1 1 1"
        lines 1 'SCOTCH_archCmplt: 6 parts for 3 ranks.*passes through'
    fi

    # Another architecture at the address of one is itself.
    for links in hosts far; do
        HOSTS=$work/$links.xml cut 6 on "$program" reused
        sized reused 0.05 1 "$equal"
        told SCOTCH_graphMap 1 'e["times"] == 1'
    done

    # Of functions that are not wrapped the report tells the targets.
    cut 6 on "$program" fixed
    sized fixed 0.06 1 "$by_speed"
    told SCOTCH_archCmplt 1 'e["times"] == 1' 'e["reached"] is None' 'abs(e["given"][0] - 8 / 27) < 1e-6'

    "$MPICC" -Dmain=part -shared -fPIC -w -I"$headers" -o "$work/liblate.so" "$here/scotch.c" -L"$libraries" "-Wl,-rpath,$libraries" \
        -lptscotch -lptscotcherr -lscotch -lscotcherr -lpthread -lm || fail "$width: no library"
    load_late "$work/liblate.so" serial arch $distributed
    for way in serial:1 arch:2 ${distributed:+distributed:3}; do
        sized ${way%:*} 0.08 ${way#*:} "$by_speed"
    done

    cut 6 scale "$program" weighted
    sized weighted 0.06 2 "8 12 4 8 3 4"
    HOSTS=$work/equal.xml cut 6 on "$program" serial
    sized serial 0.05 1 "$equal"
    told SCOTCH_graphPart 1 'e["given"] is None'

    # Links that differ become distances: as many vertices as before, fewer edges over the slow link. Not where costs would overflow,
    # nor for PT-Scotch, which knows none.
    cut 6 on "$program" grid heavy
    sed 's/between.*//' "$work/out" >"$work/linkless"
    HOSTS=$work/near.xml cut 6 on "$program" grid heavy
    sed 's/between.*//' "$work/out" | diff "$work/linkless" - || fail "$width: equal links change the parts"
    near=$(edges grid) near_heavy=$(edges heavy)
    HOSTS=$work/far.xml cut 6 on "$program" grid heavy $distributed
    sized grid 0.06 2 "$by_speed"
    sized heavy 0.06 2 "$by_speed"
    fewer grid "$near"
    [ "$(edges heavy)" = "$near_heavy" ] || fail "$width: heavy edges over distances"
    [ -z "$distributed" ] || sized distributed 0.08 3 "$by_speed"
    HOSTS=$work/far.xml cut 6 off "$program" grid
    fewest=$(edges grid)
    HOSTS=$work/far_equal.xml cut 6 on "$program" grid
    sized grid 0.06 2 "$equal"
    fewer grid "$fewest"
    HOSTS=$work/off.xml cut 6 on "$program" serial $distributed
    sized serial 0.08 1 "8 6 4 4 3 0"
    [ -z "$distributed" ] || sized distributed 0.08 3 "8 6 4 4 3 0"
done
[ $tried -gt 0 ] || skip "no PT-Scotch (libptscotch-dev)"
exit $failed
