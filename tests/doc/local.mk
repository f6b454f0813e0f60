# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/figures.sh %D%/pages.sh %D%/headers.sh %D%/reference.sh %D%/words.sh %D%/layers.sh
dist_noinst_SCRIPTS += %D%/figures.sh %D%/pages.sh %D%/headers.sh %D%/reference.sh %D%/words.sh %D%/layers.sh
EXTRA_DIST += %D%/layers.py %D%/words.py %D%/words.txt
