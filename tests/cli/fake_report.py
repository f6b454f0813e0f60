# SPDX-License-Identifier: BSD-3-Clause
"""Writes a report as HS_REPORT does, of a ring of ranks with made-up times: fake_report.py RANKS HOSTS [FACTOR [NAME]]

FACTOR multiplies all times. Hosts are NAME0, NAME1 ...; "six" stands for those of examples/two-switches.xml."""
import json
import sys

ranks, hosts = int(sys.argv[1]), int(sys.argv[2])
factor = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
name = sys.argv[4] if len(sys.argv) > 4 else "n"
SIX = ("a1", "a2", "a3", "b1", "b2", "b3")
FUNCTIONS = ("MPI_Allreduce", "MPI_Waitall", "MPI_Isend", "MPI_Irecv", "MPI_Bcast", "MPI_Barrier", "MPI_Send", "MPI_Recv")


def rank_of(r):
    host = r * hosts // ranks
    compute = factor * (1 + (r * 7919 % 101) / 100)
    wait = factor * 2.2 - compute
    times = {"startup": 0.1 * factor, "compute": compute, "wait": wait, "transfer": 0.05 * factor, "library": 0.01 * factor}
    neighbours = {(r + d) % ranks for d in (-1, 1, 8)} - {r}
    sent = [{"rank": n, "world": n, "messages": 100, "bytes": 100 * (1000 + n)} for n in sorted(neighbours)]
    return {"rank": r, "host": SIX[host] if name == "six" else f"{name}{host}", "pid": 1000 + r, "processors": 1,
            "speed": 1e9 * (1 + host % 3), **times, "mpi": wait + times["transfer"],
            "run": sum(times.values()) - times["startup"], "calls": 1234, "measuring": 0.001 * factor, "queue": 0, "decisions": 9 if r == 0 else 0,
            "iterations": {"count": 100, "calls": 4, "time": 0.02, "compute_first": 0.01, "compute_last": 0.01, "drifts": 0},
            "communicators": [{"name": "MPI_COMM_WORLD", "size": ranks, "rank": r, "collectives": 100,
                               "collective_bytes": 800, "sent": sent}],
            "functions": [{"name": f, "calls": 100, "time": wait / 2 ** (k + 1)} for k, f in enumerate(FUNCTIONS)],
            "phases": [{"level": 16, "count": 100, "compute": compute, "mpi": wait}]}


every = [rank_of(r) for r in range(ranks)]
run = max(r["run"] for r in every)
compute = [r["compute"] for r in every]
mean, longest = sum(compute) / ranks, max(compute)
json.dump({"report": "heteroslice", "version": 1, "run": run,
           "efficiency": {"parallel": mean / run, "load_balance": mean / longest, "communication": longest / run},
           "lost_to_imbalance": (longest - mean) / run, "balanced_run": run - longest + mean,
           "program": {"command": ["./solver", "a <b> & 'c'", "--steps=100"], "started": "2026-11-22T17:40:54Z", "heteroslice": "0.1.0",
                       "mpi": "Open MPI v4.1.4", "settings": [{"name": "HS_REPORT", "value": f"run-{factor:g}.json"}]},
           "drifts": [{"of": "host", "rank": 1, "iteration": 40, "before": 0.001, "after": 0.0025},
                      {"of": "messages", "rank": 0, "iteration": 55, "before": 0.01, "after": 0.02},
                      {"of": "link", "rank": 0, "iteration": 55, "before": 7.5e6, "after": 3.75e6, "link": "trunk<1>"}],
           "partitions": [{"call": "METIS_PartGraphKway", "caller": "libsolver<1>.so", "first": 0, "ranks": 1, "parts": 3, "times": 7,
                           "wished": [1 / 3] * 3, "given": [0.5, 0.25, 0.25], "reached": [501, 250, 249], "speeds": [2, 1, 1],
                           "edges_cut": 45, "gain": 1.33},
                          {"call": "Zoltan_LB_Partition", "caller": "", "first": 0, "ranks": ranks, "parts": ranks, "times": 1,
                           "wished": [1 / ranks] * ranks, "given": None, "reached": None, "speeds": [1] * ranks,
                           "edges_cut": None, "gain": None}],
           "linked_partitioners": ["SCOTCH_graphPart", "DMSetUp"], "ranks": every}, sys.stdout)
