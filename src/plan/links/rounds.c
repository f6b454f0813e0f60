/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/links/links.h"

enum { NEIGHBOURS = 2, MOST_FOLDS = HS__LINK_MAX_ROUNDS - NEIGHBOURS };

/* Places at which the ring can be folded: with an even number of hosts those that leave nobody without a partner. */
static int places(int hosts)
{
    return hosts % 2 ? hosts : hosts / 2;
}

static int folds(int hosts)
{
    return hosts < 3 ? 0 : places(hosts) < MOST_FOLDS ? places(hosts) : MOST_FOLDS;
}

int hs__link_rounds(int hosts)
{
    return hosts < 2 ? 0 : hosts == 2 ? 1 : NEIGHBOURS + folds(hosts);
}

/* Pairs of neighbours from the first place, or the second, on. With an odd number the last has none. */
static int neighbour(int hosts, int first, int place)
{
    int from = (place - first + hosts) % hosts, other = from ^ 1;
    return other < hosts ? (other + first) % hosts : place;
}

int hs__link_partner(int hosts, int round, int place)
{
    if (round < NEIGHBOURS)
        return neighbour(hosts, round, place);
    int fold = (round - NEIGHBOURS) * places(hosts) / folds(hosts) * (hosts / places(hosts));
    return (hosts - 1 + fold - place) % hosts;
}
