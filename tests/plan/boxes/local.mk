# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += %D%/boxes.t %D%/layers.t %D%/network.t %D%/pieces.t
TESTS += %D%/boxes.t %D%/layers.t %D%/network.t %D%/pieces.t
endif
%C%_boxes_t_SOURCES = %D%/boxes.c %D%/checked.h tests/short_of_memory.h tests/unit.h
%C%_boxes_t_LDADD = $(UNIT_LIBS)
%C%_layers_t_SOURCES = %D%/layers.c %D%/checked.h tests/short_of_memory.h tests/unit.h
%C%_layers_t_LDADD = $(UNIT_LIBS)
%C%_network_t_SOURCES = %D%/network.c tests/short_of_memory.h tests/unit.h
%C%_network_t_LDADD = $(UNIT_LIBS)
%C%_pieces_t_SOURCES = %D%/pieces.c tests/unit.h
%C%_pieces_t_LDADD = $(UNIT_LIBS)
