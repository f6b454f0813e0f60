# SPDX-License-Identifier: BSD-3-Clause
include apps/stencil/local.mk
include apps/scatter/local.mk
include apps/matmul/local.mk
include apps/cg/local.mk
include apps/particles/local.mk
