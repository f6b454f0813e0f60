# SPDX-License-Identifier: BSD-3-Clause
# Where both shells look first; each file asks the installed hs for its verbs.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
dist_bashcompletion_DATA = %D%/completion/hs.bash
dist_zshcompletion_DATA = %D%/completion/_hs
