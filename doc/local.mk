# SPDX-License-Identifier: BSD-3-Clause
# One line a page:
dist_man_MANS += %D%/man/hs.1
dist_man_MANS += %D%/man/hs-columns.1
dist_man_MANS += %D%/man/hs-env.1
dist_man_MANS += %D%/man/hs-generate.1
dist_man_MANS += %D%/man/hs-grid.1
dist_man_MANS += %D%/man/hs-rebalance.1
dist_man_MANS += %D%/man/hs-lab.1
dist_man_MANS += %D%/man/hs-platform.5
dist_man_MANS += %D%/man/hs-probe.1
dist_man_MANS += %D%/man/hs-reduce.1
dist_man_MANS += %D%/man/hs-ring.1
dist_man_MANS += %D%/man/hs-show.1
dist_man_MANS += %D%/man/hs-matmul.1
dist_man_MANS += %D%/man/hs-stencil.1
dist_man_MANS += %D%/man/hs-scatter.1
dist_man_MANS += %D%/man/hs-run.1
# One line a document:
EXTRA_DIST += %D%/adoption.md
EXTRA_DIST += %D%/algorithms.md
EXTRA_DIST += %D%/algorithms/balance.md
EXTRA_DIST += %D%/algorithms/binding.md
EXTRA_DIST += %D%/algorithms/mapping.md
EXTRA_DIST += %D%/algorithms/platform.md
EXTRA_DIST += %D%/algorithms/probe.md
EXTRA_DIST += %D%/algorithms/reduction.md
EXTRA_DIST += %D%/algorithms/ring.md
EXTRA_DIST += %D%/algorithms/slices.md
EXTRA_DIST += %D%/figures/columns_quality.svg %D%/figures/rebalance_cost.svg
EXTRA_DIST += %D%/figures/ring_curve.svg %D%/figures/ring_refinements.svg %D%/figures/ring_size.svg
dist_doc_DATA += %D%/report.schema.json
EXTRA_DIST += %D%/algorithms/columns.md
EXTRA_DIST += %D%/algorithms/rebalance.md
EXTRA_DIST += %D%/algorithms/divisible.md
EXTRA_DIST += %D%/algorithms/placement.md
EXTRA_DIST += %D%/figures/sport-tables.svg
EXTRA_DIST += %D%/algorithms/matmul.md
