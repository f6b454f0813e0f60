# SPDX-License-Identifier: BSD-3-Clause
"""Programs of a build, for benchmarks that start them."""
import os
import sys


def built(build, *path):
    """The path of a program there; ends with one line where it is missing."""
    program = os.path.join(os.path.abspath(build), *path)
    if not os.access(program, os.X_OK):
        sys.exit(f"{program} is not there: `make bench` builds the programs of benchmarks")
    return program
