# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/abi.sh
dist_noinst_SCRIPTS += %D%/abi.sh
EXTRA_DIST += %D%/libheteroslice.abi %D%/public.suppr

# After a change of the public interface; DEVELOPERS.md says when the SONAME's number goes up.
abi: libheteroslice.la
	HS_TEST_SRCDIR='$(abs_srcdir)' HS_TEST_BUILDDIR='$(abs_builddir)' $(SHELL) $(srcdir)/%D%/abi.sh --update
.PHONY: abi
