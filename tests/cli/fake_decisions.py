# SPDX-License-Identifier: BSD-3-Clause
"""Writes a log of decisions as HS_LOG_DECISIONS does, of slices that move now and then: fake_decisions.py RANKS PHASES EVERY

A phase is ten iterations of 1 s; after each EVERY of them units move between neighbours in rank."""
import json
import random
import sys

ranks, phases, every = map(int, sys.argv[1:])
units = [100] * ranks
random.seed(1)
print(json.dumps({"event": "layout", "layout": 0, "ranks": ranks, "first_cycle": [1.0] * ranks, "world": list(range(ranks)),
                  "slices": {"units": 100 * ranks, "minimum": 1, "model": "serial",
                             "memberships": [{"traffic": 0.0, "comm": [0.0] * ranks}]}}))
for phase in range(1, phases + 1):
    moves = phase % every == 0
    print(json.dumps({"event": "phase", "layout": 0, "iteration": 10 * phase, "iterations": 10, "cycle": [0.01] * ranks, "units": units,
                      "step": 1.0, "left": -1, "move_fixed": 0.5, "move_unit": 0, "now": 1.0, "best": 0.75, "loss": 0.25, "price": 0.5,
                      "error": 0, "moved": 17, "verdict": "move" if moves else "stay"}))
    for r in range(ranks - 1 if moves else 0):
        moved = random.randint(-min(9, units[r]), min(9, units[r + 1]))
        units[r] += moved
        units[r + 1] -= moved
