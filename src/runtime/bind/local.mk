# SPDX-License-Identifier: BSD-3-Clause
src_runtime_libruntime_la_SOURCES += %D%/bind.c %D%/bind.h %D%/cores.c %D%/cores.h %D%/load.c %D%/load.h \
	%D%/rebind.c %D%/rebind.h
