/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_PRINTABLE_H
#define HS_UTIL_PRINTABLE_H

/** Replace control bytes in a message by '?': a name in a file must not end the line or steer a terminal. */
static inline void hs__make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = '?';
}

/** Whether a text has no control bytes. */
static inline int hs__is_printable(const char *text)
{
    while (*text && (unsigned char)*text >= ' ' && *text != 127)
        text++;
    return !*text;
}

#endif
