/* SPDX-License-Identifier: BSD-3-Clause */
/* Only in the library that is preloaded; see hooks.c. */
extern const char hs__preloaded;
const char hs__preloaded __attribute__((visibility("hidden"))) = 1;
