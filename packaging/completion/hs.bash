# SPDX-License-Identifier: BSD-3-Clause
# Completion of hs for bash, read at the first Tab: the program knows its verbs and their options.
eval "$(hs completion bash)"
