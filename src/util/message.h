/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_MESSAGE_H
#define HS_UTIL_MESSAGE_H

/** Write "heteroslice: TEXT" as a line to standard error, which other ranks and threads share: in one piece, so that no
 * other line stands within it. Text is cut at some 600 bytes. */
void hs__message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
