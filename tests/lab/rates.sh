# SPDX-License-Identifier: BSD-3-Clause
# Every link is a bucket of the file's bandwidth, shared by a class per flow, and every flow passes the buckets of its route
# and no others. bench/lab/rates.sh measures what that comes to.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
command -v python3 >/dev/null || skip "no python3"

# Of every class of every bucket: link, class, rate and limit in bit/s, bytes that have passed.
classes() {
    hs lab status --name "$LAB" --json | tr '{' '\n' |
        sed -n 's/^"link":"\([^"]*\)".*"namespace":"\([^"]*\)","device":"\([^"]*\)".*/\1 \2 \3/p' |
        while read -r link namespace device; do
            ip netns exec "$namespace" tc -s class show dev "$device" | awk -v link="$link" '
                function bits(text) {
                    return text * (text ~ /Gbit/ ? 1e9 : text ~ /Mbit/ ? 1e6 : text ~ /Kbit/ ? 1e3 : 1)
                }
                /^class/ { class = $3; for (i = 4; i < NF; i++) value[$i] = $(i + 1) }
                $1 == "Sent" { print link, class, bits(value["rate"]), bits(value["ceil"]), $2 }'
        done
}

# LINK MBPS FLOWS: so many flows, none of which is assured more than another; a full packet of 1514 bytes carries 1448.
bucket() {
    classes | awk -v link="$1" -v mbps="$2" -v flows="$3" '
        $1 == link && $2 == "1:ffff" { whole = $3; next }
        $1 == link { n++; bad += $4 < whole || $3 != ($3 > first ? first = $3 : first); limit = $4 }
        END { right = mbps * 1e6 * 1514 / 1448; exit n != flows || bad || limit < right * 0.999 || limit > right * 1.001 }' ||
        fail "$1 is not shared by $3 flows at $2 Mbps: $(classes | grep "^$1 ")"
}

# FROM TO: carry 100000 bytes.
carry() {
    hs lab exec --name "$LAB" "$2" -- python3 -c '
import socket
connection, _ = socket.create_server(("", 7001)).accept()
while connection.recv(4096): pass' &
    hs lab exec --name "$LAB" "$1" -- python3 -c '
import socket, sys, time
for attempt in range(1200):
    try: connection = socket.create_connection((sys.argv[1], 7001))
    except ConnectionRefusedError: time.sleep(0.1)
    else: break
connection.sendall(bytes(100000))' "$2" || { fail "nothing goes from $1 to $2"; kill $!; }
    wait
}

# CLASS LINK ...: the bytes have passed these links, in this class, and no others.
passed() {
    class=$1
    shift
    got=$(classes | awk -v class="1:$class" '$2 == class && $5 >= 100000 { print $1 }' | sort | tr '\n' ' ')
    [ "$got" = "${*:+$* }" ] || fail "flow $class has passed $got, not $*"
}

hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || fail "up"
for link in la1_UP:100:3 la1_DOWN:100:3 la2_UP:80:3 lb2_DOWN:80:3 trunk:40:8; do
    rest=${link#*:}
    bucket "${link%%:*}" "${rest%:*}" "${rest#*:}"
done
carry a1 a2
carry a1 b1
carry b2 a2
passed 102 la1_UP la2_DOWN
passed 103 la1_UP lb1_DOWN trunk
passed 402 la2_DOWN lb2_UP trunk
passed 104

# LINK FACTOR: it is told at the next bucket.
change() {
    hs lab link --name "$LAB" "$1" "$2" || fail "link $1 $2"
}

# A link changes while the lab is up, and no other; a SPLITDUPLEX link in both directions or in one.
change trunk 0.5
change la1 0.25
change la2_UP 0.1
for link in la1_UP:25:3 la1_DOWN:25:3 la2_UP:8:3 la2_DOWN:80:3 lb1_UP:100:3 trunk:20:8; do
    rest=${link#*:}
    bucket "${link%%:*}" "${rest%:*}" "${rest#*:}"
done
hs lab status --name "$LAB" --json | grep -q '"link":"trunk","bandwidth":2500000.0,"factor":0.5' || fail "status: $(hs lab status --name "$LAB" --json)"
change trunk 1
bucket trunk 40 8
carry a1 b1
hs lab down --name "$LAB" || fail "down"

# A platform from standard input is kept by the lab, which finds the flows of a link in it.
hs lab up --name "$LAB" - <"$HERE/two.xml" >/dev/null || fail "up -"
change trunk 0.5
bucket trunk 20 8
hs lab down --name "$LAB" || fail "down"

hs lab up --name "$LAB" --rate-scale 0.5 "$HERE/full.xml" >/dev/null || fail "up of the Full zone"
bucket pair 30 4
bucket common 20 4
bucket wide 15 6
change wide 0.5
bucket wide 7.5 6
change common 2
bucket common 40 4
change wide 1
carry b c
carry a d
passed 203 common pair
passed 104 wide
hs lab down --name "$LAB" || fail "down"
exit $failed
