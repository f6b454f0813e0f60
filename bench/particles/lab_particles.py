#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Particles that gather, on unequal hosts: prints CSV, one row a run, and the medians of the claims at the end.

usage: lab_particles.py BUILD_DIR [--repeats N] [--scale X]

Particles begin evenly and gather around a centre that moves: work wanders from rank to rank, and weights tell it. Variants
without weights see it as hosts that change their speeds; planned once, "both" is the cut of the start."""
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
import halves

halves.main(__doc__, "bench-particles", "hs-particles", ["--cells", 300, "--particles", 60000, "--intensity", 3000],
            "cells", 80, ("on",))
