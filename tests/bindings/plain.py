# SPDX-License-Identifier: BSD-3-Clause
"""A program that knows nothing of the library."""
from mpi4py import MPI

for _ in range(5):
    MPI.COMM_WORLD.Barrier()
