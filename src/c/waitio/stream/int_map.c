/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/int_map.h"

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { FIRST_ROOM = 16 };

/* Returns the slot where key is, or where it would go. Fibonacci hashing: ranks come in runs. */
static struct waitio__int_map_slot *map_seek(const waitio__int_map *m, int key)
{
    uint32_t at = (uint32_t)key * 2654435769u;
    uint32_t mask = (uint32_t)m->room - 1;
    at ^= at >> 16;
    while (m->slot[at & mask].key >= 0 && m->slot[at & mask].key != key)
        at++;
    return &m->slot[at & mask];
}

void *waitio__int_map_get(const waitio__int_map *m, int key)
{
    if (!m->room)
        return NULL;
    struct waitio__int_map_slot *s = map_seek(m, key);
    return s->key == key ? s->value : NULL;
}

static int map_grow(waitio__int_map *m, waitio__memory *memory)
{
    waitio__int_map larger = {.room = m->room ? 2 * m->room : FIRST_ROOM};
    larger.slot = waitio__memory_take(memory, WAITIO__USE_PEERS, (size_t)larger.room * sizeof *larger.slot);
    if (!larger.slot)
        return H3OU__ENOMEM;
    for (int i = 0; i < larger.room; i++)
        larger.slot[i].key = -1;
    for (int i = 0; i < m->room; i++)
        if (m->slot[i].key >= 0) {
            *map_seek(&larger, m->slot[i].key) = m->slot[i];
            larger.used++;
        }
    waitio__memory_give(memory, WAITIO__USE_PEERS, m->slot, (size_t)m->room * sizeof *m->slot);
    *m = larger;
    return H3OU__OK;
}

int waitio__int_map_put(waitio__int_map *m, int key, void *value, waitio__memory *memory)
{
    if (2 * m->used >= m->room) {
        int code = map_grow(m, memory);
        if (code)
            return code;
    }
    struct waitio__int_map_slot *s = map_seek(m, key);
    if (s->key < 0)
        m->used++;
    s->key = key;
    s->value = value;
    return H3OU__OK;
}

void waitio__int_map_free(waitio__int_map *m, waitio__memory *memory)
{
    waitio__memory_give(memory, WAITIO__USE_PEERS, m->slot, (size_t)m->room * sizeof *m->slot);
    *m = (waitio__int_map){0};
}
