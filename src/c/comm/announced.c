/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/announced.h"

#include <string.h>

#include "base/error.h"

static struct {
    int n; /* names announced */
    char name[H3OU__OWN_MOST][H3OU__NAME + 1];
    h3ou__world *world[H3OU__OWN_MOST]; /* world[0] alone when none is announced */
    bool is_open[H3OU__OWN_MOST];
    int nclosed;
} own;

int h3ou__world_announce(int n, const char *const name[])
{
    const char *const call = "h3ou_announce";
    if (own.world[0])
        return h3ou__fail(H3OU__ESTATE,
                          "%s comes after h3ou_init: call it before this process opens its first component", call);
    if (n < 1 || n > H3OU__OWN_MOST)
        return h3ou__fail(H3OU__EARG, "%s: %d components: a process opens 1 to %d", call, n, H3OU__OWN_MOST);
    own.n = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            if (!strcmp(name[i], name[j]))
                return h3ou__fail(H3OU__EARG, "%s: component '%s' is named twice", call, name[i]);
        memset(own.name[i], 0, sizeof own.name[i]);
        memcpy(own.name[i], name[i], strnlen(name[i], H3OU__NAME));
    }
    own.n = n;
    return H3OU__OK;
}

int h3ou__announced(void)
{
    return own.n;
}

const char *h3ou__announced_name(int i)
{
    return own.name[i];
}

static int find_name(const char *name)
{
    int i = own.n - 1;
    while (i >= 0 && strcmp(own.name[i], name) != 0)
        i--;
    return i;
}

int h3ou__announced_check(const char *name, int nensemble, bool *first)
{
    int i = find_name(name);
    *first = own.world[0] == NULL;
    if (own.n == 0 && !*first)
        return h3ou__fail(
            H3OU__ESTATE,
            "h3ou_init: component '%s' is the second one of this process: a process that opens several components "
            "names all of them to h3ou_announce before it opens the first",
            name);
    if (own.n > 0 && i < 0)
        return h3ou__fail(H3OU__ENAME, "h3ou_init: component '%s' is not among those that h3ou_announce named", name);
    if (own.n > 0 && own.is_open[i])
        return h3ou__fail(H3OU__ESTATE, "h3ou_init: component '%s' is opened twice", name);
    if (own.n > 1 && nensemble > 1)
        return h3ou__fail(
            H3OU__EUNSUPPORTED,
            "h3ou_init: nensemble=%d of component '%s': members of an ensemble in a process that opens several "
            "components are not part of this version",
            nensemble, name);
    return H3OU__OK;
}

void h3ou__announced_keep(int i, h3ou__world *w)
{
    own.world[i] = w;
}

h3ou__world *h3ou__announced_open(const char *name)
{
    int i = find_name(name);
    i = i < 0 ? 0 : i;
    own.is_open[i] = true;
    return own.world[i];
}

bool h3ou__announced_close(void)
{
    bool is_last = ++own.nclosed >= own.n;
    if (is_last)
        memset(&own, 0, sizeof own);
    return is_last;
}

int h3ou__world_own(void)
{
    return own.n > 0 ? own.n : 1;
}

const char *h3ou__world_unopened(void)
{
    for (int i = 0; i < own.n; i++)
        if (!own.is_open[i])
            return own.name[i];
    return NULL;
}
