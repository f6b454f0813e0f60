/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a binding is one. */
#include "plan/binding/binding.h"
#include <stddef.h>

hs_status hs__binding_check(const hs__binding_node *node, const char *set, hs_error *error)
{
    for (int r = 0; r < node->ranks; r++) {
        size_t mine = (size_t)r * (size_t)node->cores;
        for (int c = 0; c < node->cores; c++)
            if (set[mine + (size_t)c] && !node->allowed[mine + (size_t)c])
                return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d is bound to core %d, where it may not run", r,
                                    c);
        if (hs__binding_has(node, set, r, 0))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d is bound to no core", r);
    }
    return HS_OK;
}
