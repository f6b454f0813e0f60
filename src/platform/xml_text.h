/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_XML_TEXT_H
#define HS_PLATFORM_XML_TEXT_H

#include <stddef.h>
#include <stdio.h>

/** Write the first `length` bytes of a text so that XML reads them back, in text and in attributes in double quotes. */
static inline void hs__xml_put(FILE *stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(text[i], stream);
        }
}

#endif
