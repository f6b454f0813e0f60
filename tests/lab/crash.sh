# SPDX-License-Identifier: BSD-3-Clause
# A lab whose start was killed at any time can be removed, or started again without removing it first. Benchmarks that are told to
# end leave none.
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
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$HS_TEST_SRCDIR/bench/lab" python3 -c 'import sys, time
from cluster import Cluster
with Cluster(*sys.argv[1:]):
    print("it is up", flush=True)
    time.sleep(60)' "$HS_TEST_BUILDDIR" "$LAB" "$HERE/two.xml" >"$LAB.said" 2>&1 &
victim=$!
for tick in $(seq 600); do
    grep -q "it is up" "$LAB.said" && break
    sleep 0.1
done
kill $victim
wait $victim
grep -q "it is up" "$LAB.said" || fail "a benchmark's lab: $(cat "$LAB.said")"
rm -f "$LAB.said"
expect_nothing "$LAB" "a benchmark that was told to end"
exit $failed
