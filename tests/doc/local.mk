# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/pages.sh
dist_noinst_SCRIPTS += %D%/pages.sh %D%/layers.sh
EXTRA_DIST += %D%/layers.py
