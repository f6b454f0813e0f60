# SPDX-License-Identifier: BSD-3-Clause
noinst_LTLIBRARIES += %D%/libplatform.la
%C%_libplatform_la_SOURCES =
