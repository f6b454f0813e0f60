# SPDX-License-Identifier: BSD-3-Clause
hs_SOURCES += %D%/bands.c %D%/bands.h %D%/calls.c %D%/changes.c %D%/drifts.c %D%/hosts.c %D%/html.c %D%/html.h %D%/messages.c %D%/partitions.c %D%/ranks.c %D%/report.c %D%/run.c \
	%D%/run.h %D%/script.h %D%/sections.h %D%/slices.c %D%/source.c %D%/source.h %D%/summary.c
# What draws over the pictures of a page on a screen: styles and scripts, after the licence of uPlot.
report_script = %D%/script.css %D%/script.js
report_uplot = %D%/uplot/package.json %D%/uplot/package-lock.json
EXTRA_DIST += $(report_script) $(report_uplot)
if HAVE_UPLOT
nodist_hs_SOURCES = %D%/script.c
CLEANFILES += %D%/script.c
%D%/script.c: $(report_script) $(report_uplot) config.status
	$(AM_V_GEN)$(MKDIR_P) $(@D) && uplot=%D%/uplot/node_modules/uplot && \
	embed() { printf 'const unsigned char report_%s[] = {\n' $$1 && od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g' && \
		printf '};\nconst size_t report_%s_size = sizeof report_%s;\n' $$1 $$1; } && \
	{ echo '#include "cli/report/script.h"' && cat $$uplot/dist/uPlot.min.css $(srcdir)/%D%/script.css | embed style && \
	{ echo '/* uPlot:' && cat $$uplot/LICENSE && echo && echo '*/' && cat $$uplot/dist/uPlot.iife.min.js $(srcdir)/%D%/script.js; } | embed script; } \
	>$@.new && mv $@.new $@
endif
# npm's, and the copies by which it was told what to bring.
distclean-local: distclean_uplot
distclean_uplot:
	rm -rf %D%/uplot/node_modules
	test . = "$(srcdir)" || rm -f $(report_uplot)
.PHONY: distclean_uplot
