# SPDX-License-Identifier: BSD-3-Clause
"""Starts a program and reads its metrics while it runs: read_metrics.py FILE RANKS ITERATIONS READINGS COMMAND...

Every reading must be OpenMetrics text 1.0 of all ranks, with the types alone that node_exporter's parser knows, too, since it refuses a
file with another one; READINGS of them must differ."""
import re
import subprocess
import sys
import time

NAME, LABEL = r"[a-zA-Z_:][a-zA-Z0-9_:]*", r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
SUFFIX = {"counter": "_total", "gauge": ""}


def parse(text):
    """Samples by name and labels. Fails where the text is not what the standard wants."""
    assert text.endswith("# EOF\n") and text.count("# EOF") == 1, text[-80:]
    families, samples, family = {}, {}, None
    for line in text.splitlines()[:-1]:
        if line.startswith("#"):
            word, name, value = re.fullmatch(rf"# (TYPE|UNIT|HELP) ({NAME}) (.+)", line).groups()
            if word == "TYPE":
                assert name not in families and value in SUFFIX, line
                family, families[name] = name, {}
            assert name == family and word not in families[name], line  # before the samples, once, one family after the other
            families[name][word] = value
            assert word != "UNIT" or name.endswith("_" + value), line
            continue
        name, labels, value = SAMPLE.fullmatch(line).groups()
        assert name == family + SUFFIX[families[family]["TYPE"]] and "HELP" in families[family], line
        key = name, frozenset(re.findall(LABEL, labels))
        assert key not in samples, line
        samples[key] = float(value)
    assert all(set(facts) >= {"TYPE", "HELP"} for facts in families.values()), families
    return samples


def label(key, name):
    return next((text.split('"')[1] for text in key[1] if text.startswith(name + "=")), None)


def check(samples, ranks, before):
    for name, kinds in (("hs_time_seconds_total", {"compute", "transfer", "wait", "library"}), ("hs_mpi_calls_total", {None}),
                        ("hs_moves_total", {None}), ("hs_moves_seconds_total", {None}), ("hs_updated_timestamp_seconds", {None})):
        found = {(label(key, "rank"), label(key, "kind")) for key in samples if key[0] == name}
        assert found == {(str(rank), kind) for rank in range(ranks) for kind in kinds}, (name, found)
    info, = (key for key in samples if key[0] == "hs_program_info")
    assert label(info, "ranks") == str(ranks) and label(info, "name") == "watched", info
    for key, value in samples.items():
        assert value >= before.get(key, 0), (key, value, before[key])


def main():
    path, ranks, iterations, readings, command = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5:]
    last, seen = {}, 0
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as program:
        while program.poll() is None:
            try:
                samples = parse(open(path, encoding="utf-8").read())
            except FileNotFoundError:
                samples = last
            if samples != last:
                check(samples, ranks, last)
                last, seen = samples, seen + 1
            time.sleep(0.02)
    assert program.returncode == 0, program.returncode
    assert seen >= readings, f"read {seen} times in {iterations} iterations"


main()
