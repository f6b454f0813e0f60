/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_LETTERS_H
#define HS_UTIL_LETTERS_H

/* Names in columns of a table: printf() counts bytes, and a terminal letters, of which one in UTF-8 may have up to four. */

/** Bytes of a text that continue a letter, and take no column of their own. */
static inline int hs__continuing_bytes(const char *text)
{
    int bytes = 0;
    for (; *text; text++)
        bytes += ((unsigned char)*text & 0xc0) == 0x80;
    return bytes;
}

/** The width of a column that has held nothing wider than width so far, with this text, too. */
static inline int hs__column_with(int width, const char *text)
{
    int letters = -hs__continuing_bytes(text);
    for (; *text; text++)
        letters++;
    return letters > width ? letters : width;
}

/** What printf() takes as the width of a text, "%*s" or "%-*s", that is to fill a column of this width. */
static inline int hs__field(int width, const char *text)
{
    return width + hs__continuing_bytes(text);
}

#endif
