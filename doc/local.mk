# SPDX-License-Identifier: BSD-3-Clause
# One line a page:
dist_man_MANS += %D%/man/hs.1
dist_man_MANS += %D%/man/hs-cache.1
dist_man_MANS += %D%/man/hs-columns.1
dist_man_MANS += %D%/man/hs-completion.1
dist_man_MANS += %D%/man/hs-env.1
dist_man_MANS += %D%/man/hs-generate.1
dist_man_MANS += %D%/man/hs-grid.1
dist_man_MANS += %D%/man/hs-rebalance.1
dist_man_MANS += %D%/man/hs-lab.1
dist_man_MANS += %D%/man/hs-metrics.5
dist_man_MANS += %D%/man/hs-platform.5
dist_man_MANS += %D%/man/hs-probe.1
dist_man_MANS += %D%/man/hs-reduce.1
dist_man_MANS += %D%/man/hs-replay.1
dist_man_MANS += %D%/man/hs-report.1
dist_man_MANS += %D%/man/hs-ring.1
dist_man_MANS += %D%/man/hs-show.1
dist_man_MANS += %D%/man/hs-matmul.1
dist_man_MANS += %D%/man/hs-cg.1
dist_man_MANS += %D%/man/hs-particles.1
dist_man_MANS += %D%/man/hs-stencil.1
dist_man_MANS += %D%/man/hs-scatter.1
dist_man_MANS += %D%/man/hs-run.1
dist_man_MANS += %D%/man/hs-trace.5
dist_man_MANS += %D%/man/hs-weights.1
# One line a document, installed beside README.md in the folders that its links name:
nobase_dist_doc_DATA += %D%/adoption.md
nobase_dist_doc_DATA += %D%/getting-started.md
nobase_dist_doc_DATA += %D%/algorithms.md
nobase_dist_doc_DATA += %D%/languages.md
nobase_dist_doc_DATA += %D%/partitioners.md
nobase_dist_doc_DATA += %D%/planning.md
nobase_dist_doc_DATA += %D%/slurm.md
nobase_dist_doc_DATA += %D%/solver.md
nobase_dist_doc_DATA += %D%/unmodified.md
nobase_dist_doc_DATA += %D%/algorithms/balance.md
nobase_dist_doc_DATA += %D%/algorithms/binding.md
nobase_dist_doc_DATA += %D%/algorithms/boxes.md
nobase_dist_doc_DATA += %D%/algorithms/discover.md
nobase_dist_doc_DATA += %D%/algorithms/drift.md
nobase_dist_doc_DATA += %D%/algorithms/mapping.md
nobase_dist_doc_DATA += %D%/algorithms/membership.md
nobase_dist_doc_DATA += %D%/algorithms/monitor.md
nobase_dist_doc_DATA += %D%/algorithms/moves.md
nobase_dist_doc_DATA += %D%/algorithms/platform.md
nobase_dist_doc_DATA += %D%/algorithms/probe.md
nobase_dist_doc_DATA += %D%/algorithms/reduction.md
nobase_dist_doc_DATA += %D%/algorithms/ring.md
nobase_dist_doc_DATA += %D%/algorithms/slices.md
nobase_dist_doc_DATA += %D%/algorithms/weights.md
nobase_dist_doc_DATA += %D%/figures/columns_quality.svg %D%/figures/rebalance_cost.svg
nobase_dist_doc_DATA += %D%/figures/ring_curve.svg %D%/figures/ring_refinements.svg %D%/figures/ring_size.svg
nobase_dist_doc_DATA += %D%/decisions.schema.json %D%/report.schema.json
nobase_dist_doc_DATA += %D%/algorithms/columns.md
nobase_dist_doc_DATA += %D%/algorithms/rebalance.md
nobase_dist_doc_DATA += %D%/algorithms/divisible.md
nobase_dist_doc_DATA += %D%/algorithms/placement.md
nobase_dist_doc_DATA += %D%/figures/sport-tables.svg %D%/figures/two-switches.svg
nobase_dist_doc_DATA += %D%/algorithms/matmul.md
# Where documents are installed the folders of the sources are not there: links to their files become words.
install-data-hook: source_links
source_links:
	cd "$(DESTDIR)$(docdir)" && for page in README.md `find %D% -name '*.md'`; do \
		sed -E 's,\[([^]]*)\]\((\.\./)*((apps|bench|examples|include|src|tests)/[^)]*)\),\1 (\3 of the sources),g' "$$page" >"$$page.new" && \
			cat "$$page.new" >"$$page" && rm "$$page.new" || exit 1; \
	done
.PHONY: source_links
# Section 3 of the manual, a page for every public function: made from all headers, with MPI or without. They are shipped.
EXTRA_DIST += %D%/gen_man3.py %D%/man3
MAINTAINERCLEANFILES += %D%/man3/*.3 %D%/man3/list
noinst_DATA += %D%/man3/list
%D%/man3: %D%/man3/list
%D%/man3/list: %D%/gen_man3.py $(heterosliceinclude_HEADERS)
	$(AM_V_GEN)rm -rf $(@D) && python3 $(srcdir)/%D%/gen_man3.py $(@D) $(PACKAGE_VERSION) $(srcdir)/include/heteroslice/*.h
referencedir = $(mandir)/man3
MAN3_FOLDER = `test -e %D%/man3/list || echo $(srcdir)/`%D%/man3
install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(referencedir)" && cd $(MAN3_FOLDER) && $(INSTALL_DATA) `cat list` "$(DESTDIR)$(referencedir)"
uninstall-hook: uninstall_man3
uninstall_man3:
	cd $(MAN3_FOLDER) && for page in `cat list`; do rm -f "$(DESTDIR)$(referencedir)/$$page"; done
.PHONY: uninstall_man3 doxygen
# The same as HTML, in api/, where Doxygen is installed.
EXTRA_DIST += %D%/Doxyfile
doxygen:
	HS_API_HEADERS=$(srcdir)/include/heteroslice HS_API_OUTPUT=%D% HS_API_VERSION=$(PACKAGE_VERSION) doxygen $(srcdir)/%D%/Doxyfile
clean-local: clean_api
clean_api:
	rm -rf %D%/api
.PHONY: clean_api
