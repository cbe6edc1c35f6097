/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { LEAST_ROOM = 32 };

int h3ou__no_memory(const char *what, ...)
{
    char text[H3OU__ERROR_TEXT];
    va_list args;
    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    return h3ou__fail(H3OU__ENOMEM, "out of memory for %s", text);
}

bool h3ou__resize(void *array, size_t size, int64_t room)
{
    if (room < 0 || (uint64_t)room > PTRDIFF_MAX / size)
        return false;
    void *old; /* the caller's pointer has another type than void *, hence memcpy */
    memcpy(&old, array, sizeof old);
    void *new = realloc(old, room > 0 ? size * (size_t)room : 1);
    if (new)
        memcpy(array, &new, sizeof new);
    return new != NULL;
}

int64_t h3ou__larger_room(int64_t room, int64_t need)
{
    if (need <= room)
        return room;
    int64_t doubled = room < LEAST_ROOM / 2 ? LEAST_ROOM : room > INT64_MAX / 2 ? INT64_MAX : 2 * room;
    return doubled < need ? need : doubled;
}

bool h3ou__grow_now(void *array, size_t size, int64_t *room, int64_t need)
{
    int64_t larger = h3ou__larger_room(*room, need);
    if (!h3ou__resize(array, size, larger))
        return false;
    *room = larger;
    return true;
}
