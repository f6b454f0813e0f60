# SPDX-License-Identifier: BSD-3-Clause
hs_SOURCES += %D%/lab.c %D%/lab_run.c %D%/lab_run.h
hs_SOURCES += %D%/program_mpi.c %D%/program_mpi.h
hs_SOURCES += %D%/run.c %D%/run.h %D%/run_launch.c %D%/run_platform.c
