#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Time to read a platform file and find one route, as a user sees it: the whole `hs show --route`.
# usage: reading.sh BUILD_DIR [FILE ...]      without files: big ones of the shapes found in practice
# Prints CSV: file, hosts, links, bytes, median seconds of 11 runs, peak memory in KiB.
set -eu
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
    make -s -C "$build" tests/platform/make_platform >/dev/null
    "$build/tests/platform/make_platform" sites 1528 1 >"$work/sites-1528.xml"
    "$build/tests/platform/make_platform" sites 20000 1 >"$work/sites-20000.xml"
    "$build/tests/platform/make_platform" explicit 90 3 >"$work/explicit-90.xml"
    "$build/tests/platform/make_platform" explicit 400 3 >"$work/explicit-400.xml"
    "$build/tests/platform/make_platform" graph 1000 1 >"$work/graph-1000.xml"
    set -- "$work"/*.xml
fi
echo "file,hosts,links,bytes,median_s,memory_KiB"
python3 - "$build/hs" "$@" <<'PYTHON'
import json, os, statistics, subprocess, sys, time
hs = sys.argv[1]
for path in sys.argv[2:]:
    shown = json.loads(subprocess.run([hs, "show", path, "--json"], check=True, stdout=subprocess.PIPE).stdout)
    ends = [shown["hosts"][0]["id"], shown["hosts"][-1]["id"]]
    times, memory = [], 0
    for _ in range(11):
        start = time.monotonic()
        child = subprocess.Popen([hs, "show", path, "--route", *ends, "--json"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        times.append(time.monotonic() - start)
        memory = max(memory, usage.ru_maxrss)
        if status:
            sys.exit(f"{path}: hs show failed")
    print(os.path.basename(path), len(shown["hosts"]), len(shown["links"]), os.path.getsize(path),
          f"{statistics.median(times):.4f}", memory, sep=",", flush=True)
PYTHON
