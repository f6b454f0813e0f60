# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/check.c %D%/cores.c %D%/cores.h %D%/order.c %D%/placement.c %D%/placement.h
