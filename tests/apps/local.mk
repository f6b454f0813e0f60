# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/stencil.sh
if HAVE_MPI
TESTS += %D%/stencil.sh
endif
