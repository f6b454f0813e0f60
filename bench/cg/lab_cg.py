#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients on unequal rows and unequal hosts: prints CSV, one row a run, and the medians of the claims at the end.

usage: lab_cg.py BUILD_DIR [--repeats N] [--scale X]

The last quarter of the rows has some eight times as many elements as the others."""
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
import halves

halves.main(__doc__, "bench-cg", "hs-cg", ["--rows", 4000, "--width", 400, "--intensity", 300], "rows", 24,
            ("both", "on"))
