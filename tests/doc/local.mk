# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/pages.sh
dist_noinst_SCRIPTS += %D%/pages.sh
