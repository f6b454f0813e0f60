/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_REPORT_SCRIPT_H
#define HS_CLI_REPORT_SCRIPT_H

#include <stddef.h>

/** What a page needs to draw plots: the build folder's script.c has it of script.css, script.js and uPlot. Without HAVE_UPLOT there
 * is none. */
extern const unsigned char report_style[], report_script[];
extern const size_t report_style_size, report_script_size;

#endif
