/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/verbs.h"
#include "config.h"

const cli_verb cli_verbs[] = {
    {NULL, NULL, NULL, NULL},
};
