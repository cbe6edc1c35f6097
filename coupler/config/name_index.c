/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/name_index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/error.h"

int h3ou__names_create(int most, h3ou__names *out)
{
    int room = 16;
    while (room < 2 * most)
        room *= 2;
    *out = (h3ou__names){.room = room};
    out->name = malloc(sizeof *out->name * (size_t)(room / 2));
    out->slot = malloc(sizeof *out->slot * (size_t)room);
    if (!out->name || !out->slot)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for %d names", most);
    for (int i = 0; i < room; i++)
        out->slot[i] = -1;
    return H3OU__OK;
}

int h3ou__names_reserve(h3ou__names *names, int most)
{
    h3ou__names larger;
    if (2 * most <= names->room)
        return H3OU__OK;
    int err = h3ou__names_create(2 * most, &larger);
    for (int i = 0; i < names->n && !err; i++)
        h3ou__names_add(&larger, names->name[i]);
    h3ou__names_free(err ? &larger : names);
    if (!err)
        *names = larger;
    return err;
}

void h3ou__names_free(h3ou__names *names)
{
    free(names->name);
    free(names->slot);
    *names = (h3ou__names){0};
}

/* The slot that has the name, or the free one where it belongs. Linear probing; at most half is in use. */
static int *find_slot(const h3ou__names *names, const char *name)
{
    uint64_t hash = XXH64(name, strlen(name), 0), mask = (uint64_t)names->room - 1;
    while (names->slot[hash & mask] >= 0 && strcmp(names->name[names->slot[hash & mask]], name) != 0)
        hash++;
    return &names->slot[hash & mask];
}

int h3ou__names_add(h3ou__names *names, const char *name)
{
    int *slot = find_slot(names, name);
    if (*slot < 0) {
        *slot = names->n;
        names->name[names->n++] = name;
    }
    return *slot;
}

int h3ou__names_find(const h3ou__names *names, const char *name)
{
    return names->slot ? *find_slot(names, name) : -1;
}
