# SPDX-License-Identifier: BSD-3-Clause
# One line a test:
TESTS += %D%/progress.sh
EXTRA_DIST += %D%/progress.sh %D%/terminal.py
TESTS += %D%/usage.sh
EXTRA_DIST += %D%/usage.sh
TESTS += %D%/completion.sh
EXTRA_DIST += %D%/completion.sh
TESTS += %D%/report.sh
EXTRA_DIST += %D%/report.sh %D%/check_html.py %D%/fake_decisions.py %D%/fake_report.py
TESTS += %D%/report_width.sh
EXTRA_DIST += %D%/report_width.sh %D%/check_width.py
TESTS += %D%/names.sh
EXTRA_DIST += %D%/names.sh
TESTS += %D%/ring.sh
EXTRA_DIST += %D%/ring.sh
if HAVE_MPI
TESTS += %D%/probe.sh
endif
EXTRA_DIST += %D%/probe.sh
TESTS += %D%/drawing.sh
EXTRA_DIST += %D%/drawing.sh %D%/check_drawing.py
TESTS += %D%/show.sh
EXTRA_DIST += %D%/show.sh
TESTS += %D%/scatter.sh
EXTRA_DIST += %D%/scatter.sh
EXTRA_DIST += %D%/expect.sh
TESTS += %D%/columns.sh
EXTRA_DIST += %D%/columns.sh
TESTS += %D%/rebalance.sh
EXTRA_DIST += %D%/rebalance.sh
TESTS += %D%/reduce.sh
EXTRA_DIST += %D%/reduce.sh
TESTS += %D%/weights.sh
EXTRA_DIST += %D%/weights.sh
TESTS += %D%/cache.sh
EXTRA_DIST += %D%/cache.sh
TESTS += %D%/run.sh
EXTRA_DIST += %D%/run.sh
TESTS += %D%/replay.sh
EXTRA_DIST += %D%/replay.sh
ANSWERS += %D%/answers/columns.answers %D%/answers/decisions.answers %D%/answers/grid.answers %D%/answers/platforms.answers \
	%D%/answers/rebalance.answers %D%/answers/reduce.answers %D%/answers/report.answers %D%/answers/ring.answers \
	%D%/answers/scatter.answers
EXTRA_DIST += %D%/logs/blocks.jsonl %D%/logs/chain.jsonl %D%/logs/moves.jsonl \
	%D%/logs/sizes.jsonl %D%/logs/slow-links.jsonl %D%/logs/weights.jsonl
