# SPDX-License-Identifier: BSD-3-Clause
include bindings/fortran/local.mk
include bindings/python/local.mk
