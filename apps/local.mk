# SPDX-License-Identifier: BSD-3-Clause
include apps/stencil/local.mk
