/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/suggest.h"
#include "util/assert.h"
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int edit_distance(const char *a, int n, const char *b, int m)
{
    int rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];
    for (int j = 0; j <= m; j++)
        last[j] = j;
    for (int i = 1; i <= n; i++) {
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[m];
}

void hs__suggest(hs__suggestion *s, const char *candidate)
{
    size_t n = strlen(s->word), m = strlen(candidate);
    if (n == 0 || n > LONGEST || m > LONGEST)
        return;
    int distance = edit_distance(s->word, (int)n, candidate, (int)m);
    HS_ASSERT((distance == 0) == (strcmp(s->word, candidate) == 0) && distance <= (int)(n > m ? n : m));
    HS_ASSERT(distance == edit_distance(candidate, (int)m, s->word, (int)n));
    if (distance > (m < 3 ? 1 : (int)m / 3) || (s->nearest && distance >= s->distance))
        return;
    s->nearest = candidate;
    s->distance = distance;
}
