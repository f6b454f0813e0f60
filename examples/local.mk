# SPDX-License-Identifier: BSD-3-Clause
# One copy in the tree: the demo, the tests and the benchmarks read these files from here.
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = %D%/two-switches.xml
