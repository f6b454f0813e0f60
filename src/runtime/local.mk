# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
endif
