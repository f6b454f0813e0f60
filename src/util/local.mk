# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += %D%/libutil.la
%C%_libutil_la_SOURCES = %D%/advice.c %D%/advice.h %D%/assert.c %D%/assert.h %D%/array.c %D%/array.h %D%/backoff.c %D%/backoff.h %D%/brought.c %D%/brought.h %D%/clock.h \
	%D%/double_bits.h %D%/elf.c %D%/elf.h %D%/file.c %D%/file.h %D%/hash.h %D%/heap.h %D%/index.c %D%/index.h %D%/letters.h %D%/linker.c %D%/linker.h %D%/median.c %D%/median.h %D%/message.c %D%/message.h %D%/mpi_flavour.c %D%/mpi_flavour.h %D%/options.c %D%/options.h \
	%D%/pages.c %D%/pages.h %D%/path.c %D%/path.h %D%/plural.h %D%/pool.c %D%/pool.h %D%/printable.h %D%/processors.c %D%/processors.h %D%/random.h %D%/reserved.c %D%/reserved.h %D%/speed.c %D%/speed.h %D%/speed_window.c %D%/speed_window.h %D%/sort.c %D%/sort.h %D%/status.c %D%/status.h %D%/strtod.c %D%/suggest.c \
	%D%/suggest.h %D%/units.c %D%/units.h %D%/version.c %D%/words.c %D%/words.h
