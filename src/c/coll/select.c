/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of the algorithm. A new algorithm is a new file and a line here, before the one of its collective that has
 * no limit: the first line that fits is taken. */
#include <stddef.h>

#include "coll/schedule.h"

static const struct {
    int collective;
    long long most; /* bytes; -1: any number */
    const char *name;
    h3ou__algorithm *algorithm;
} table[] = {
    {H3OU__COLL_BCAST, -1, "binomial", h3ou__bcast_binomial},
    {H3OU__COLL_REDUCE, -1, "linear", h3ou__reduce_linear},
};

h3ou__algorithm *h3ou__coll_select(int collective, long long bytes, const char **name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].collective == collective && (table[i].most < 0 || bytes <= table[i].most)) {
            *name = table[i].name;
            return table[i].algorithm;
        }
    return NULL;
}
