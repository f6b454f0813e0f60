# SPDX-License-Identifier: BSD-3-Clause
src_plan_libplan_la_SOURCES += %D%/hosts.c %D%/hosts.h
