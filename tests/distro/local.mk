# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/other_debian.sh
EXTRA_DIST += %D%/run %D%/matrix %D%/other_debian.sh .ci/run .ci/other-debian %D%/packages %D%/trial
