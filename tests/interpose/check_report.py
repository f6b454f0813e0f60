# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a report of HS_REPORT keeps what every report must: check_report.py FILE"""
import json
import sys

ROUNDING = 1e-6  # of the decimals that are written, in seconds


def close(a, b):
    assert abs(a - b) <= ROUNDING + 1e-8 * abs(b), (a, b)


report = json.load(open(sys.argv[1], encoding="utf-8"))
ranks, efficiency = report["ranks"], report["efficiency"]
for rank in ranks:
    times = [rank[key] for key in ("compute", "transfer", "wait", "library")]
    assert min(times + [rank["startup"], rank["queue"]]) >= 0, rank
    assert 0 <= rank["measuring"] <= rank["library"] + ROUNDING, rank
    in_functions = sum(function["time"] for function in rank["functions"])
    assert in_functions <= rank["mpi"] + rank["measuring"] + ROUNDING, (in_functions, rank["mpi"])
    close(sum(times), rank["run"])
    close(rank["transfer"] + rank["wait"], rank["mpi"])
    assert rank["run"] <= report["run"] + ROUNDING, (rank["run"], report["run"])
compute = [rank["compute"] for rank in ranks]
assert all(-1e-9 <= value <= 1 + 1e-9 for value in efficiency.values()), efficiency
assert abs(efficiency["parallel"] - efficiency["load_balance"] * efficiency["communication"]) <= 1e-7, efficiency
close(efficiency["parallel"] * report["run"], sum(compute) / len(compute))
close(report["lost_to_imbalance"] * report["run"], max(compute) - sum(compute) / len(compute))
