# SPDX-License-Identifier: BSD-3-Clause
if HAVE_MPI
TESTS += %D%/jobs.sh
endif
EXTRA_DIST += %D%/jobs.sh %D%/cluster.sh %D%/cluster.xml
