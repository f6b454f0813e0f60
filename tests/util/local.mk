# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/units.t %D%/file.t %D%/options.t %D%/assert.t %D%/suggest.t %D%/version.t %D%/backoff.t %D%/pool.t %D%/message.t \
	%D%/array.t %D%/elf.t %D%/index.t %D%/median.t %D%/mpi_flavour.t %D%/pages.t %D%/path.t %D%/speed.t %D%/sort.t %D%/speed_window.t \
	%D%/advice.t %D%/brought.t %D%/linker.t %D%/reserved.t %D%/words.t
TESTS += %D%/units.t %D%/file.t %D%/options.t %D%/assert.t %D%/suggest.t %D%/version.t %D%/backoff.t %D%/pool.t %D%/message.t \
	%D%/array.t %D%/elf.t %D%/index.t %D%/median.t %D%/mpi_flavour.t %D%/pages.t %D%/path.t %D%/speed.t %D%/sort.t %D%/speed_window.t \
	%D%/advice.t %D%/brought.t %D%/linker.t %D%/reserved.t %D%/words.t
endif
%C%_advice_t_SOURCES = %D%/advice.c tests/unit.h
%C%_advice_t_LDADD = $(UNIT_LIBS)
%C%_brought_t_SOURCES = %D%/brought.c tests/unit.h
%C%_brought_t_LDADD = $(UNIT_LIBS)
%C%_linker_t_SOURCES = %D%/linker.c tests/unit.h
%C%_linker_t_LDADD = $(UNIT_LIBS)
%C%_array_t_SOURCES = %D%/array.c tests/unit.h
%C%_array_t_LDADD = $(UNIT_LIBS)
%C%_index_t_SOURCES = %D%/index.c tests/unit.h
%C%_index_t_LDADD = $(UNIT_LIBS)
%C%_sort_t_SOURCES = %D%/sort.c tests/unit.h
%C%_sort_t_LDADD = $(UNIT_LIBS)
%C%_median_t_SOURCES = %D%/median.c tests/unit.h
%C%_median_t_LDADD = $(UNIT_LIBS)
%C%_mpi_flavour_t_SOURCES = %D%/mpi_flavour.c tests/unit.h
%C%_mpi_flavour_t_LDADD = $(UNIT_LIBS)
%C%_units_t_SOURCES = %D%/units.c tests/comma_locale.h tests/unit.h
%C%_units_t_LDADD = $(UNIT_LIBS)
%C%_elf_t_SOURCES = %D%/elf.c tests/unit.h
%C%_elf_t_LDADD = $(UNIT_LIBS)
%C%_backoff_t_SOURCES = %D%/backoff.c tests/unit.h
%C%_backoff_t_LDADD = $(UNIT_LIBS)
%C%_file_t_SOURCES = %D%/file.c tests/short_of_memory.h tests/unit.h
%C%_file_t_LDFLAGS = -Wl,--wrap=umask
%C%_file_t_LDADD = $(UNIT_LIBS)
%C%_assert_t_SOURCES = %D%/assert.c tests/unit.h
%C%_assert_t_LDADD = $(UNIT_LIBS)
%C%_options_t_SOURCES = %D%/options.c tests/unit.h
%C%_options_t_LDADD = $(UNIT_LIBS)
%C%_version_t_SOURCES = %D%/version.c tests/unit.h
%C%_version_t_LDADD = $(UNIT_LIBS)
%C%_suggest_t_SOURCES = %D%/suggest.c tests/unit.h
%C%_suggest_t_LDADD = $(UNIT_LIBS)
%C%_speed_t_SOURCES = %D%/speed.c tests/unit.h
%C%_speed_t_LDADD = $(UNIT_LIBS)
%C%_speed_window_t_SOURCES = %D%/speed_window.c tests/unit.h
%C%_speed_window_t_LDADD = $(UNIT_LIBS)
%C%_pages_t_SOURCES = %D%/pages.c tests/unit.h
%C%_pages_t_LDADD = $(UNIT_LIBS)
%C%_path_t_SOURCES = %D%/path.c tests/unit.h
%C%_path_t_LDADD = $(UNIT_LIBS)
%C%_pool_t_SOURCES = %D%/pool.c tests/unit.h
%C%_pool_t_LDADD = $(UNIT_LIBS)
%C%_message_t_SOURCES = %D%/message.c tests/unit.h
%C%_message_t_LDADD = $(UNIT_LIBS)
%C%_reserved_t_SOURCES = %D%/reserved.c tests/unit.h
%C%_reserved_t_LDADD = $(UNIT_LIBS)
%C%_words_t_SOURCES = %D%/words.c tests/short_of_memory.h tests/unit.h
%C%_words_t_LDADD = $(UNIT_LIBS)
