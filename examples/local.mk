# SPDX-License-Identifier: BSD-3-Clause
# One copy in the tree: the demo, the tests and the benchmarks read these files from here.
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = %D%/Makefile %D%/two-switches.xml %D%/master-workers.xml
# Shares for programs and libraries that move their own data: compiled by a test where the libraries are installed.
adoptiondir = $(examplesdir)/adoption
dist_adoption_DATA = %D%/adoption/mpi_scatterv.c %D%/adoption/parmetis_weights.c %D%/adoption/petsc_ownership.c %D%/adoption/zoltan_parts.c
# A small solver that checks its own answer, run by "make installcheck".
cexamplesdir = $(examplesdir)/c
dist_cexamples_DATA = %D%/c/life.c
# Containers of the program's own, in C++: run by tests/bindings/cxx.sh.
cxxexamplesdir = $(examplesdir)/cxx
dist_cxxexamples_DATA = %D%/cxx/cells.cc
# The solver of apps/stencil in other languages, run by tests/bindings.
fortranexamplesdir = $(examplesdir)/fortran
dist_fortranexamples_DATA = %D%/fortran/jacobi.f90
pythonexamplesdir = $(examplesdir)/python
dist_pythonexamples_DATA = %D%/python/jacobi.py
