# SPDX-License-Identifier: BSD-3-Clause
# A lab whose start was killed at any time can be removed, or started again without removing it first.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null 2>&1 &
    victim=$!
    # 1 to 61 ms: up takes some 40.
    sleep "0.0$(((round * 4 - 3) / 10))$(((round * 4 - 3) % 10))"
    kill -KILL $victim 2>/dev/null
    wait $victim 2>/dev/null
    if [ $((round % 4)) = 0 ]; then
        hs lab status --name "$LAB" --json 2>/dev/null | grep -q '"ready":true' ||
            hs lab up --name "$LAB" "$HERE/two.xml" >/dev/null || fail "up after a killed up"
        [ "$(hs lab exec --name "$LAB" a1 -- hostname)" = a1 ] || fail "the lab after a killed up"
    fi
    hs lab down --name "$LAB" >/dev/null 2>&1
    expect_nothing "$LAB" "down after a kill in round $round"
done
exit $failed
