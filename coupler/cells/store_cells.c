/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/store_cells.h"

#include "coupler/cells/line_values.h"
#include "os/os_clock.h"

enum { LONG_BYTES = 1 << 22, SHORT_BYTES = 1 << 16 };

void h3ou__cell_store_begin(h3ou__cell_store *s, h3ou__store_way *way, int64_t bytes)
{
    bool is_measured = bytes >= SHORT_BYTES && bytes <= LONG_BYTES;
    *s = (h3ou__cell_store){.way = is_measured ? way : NULL, .bytes = bytes};
    s->is_past = is_measured ? h3ou__store_way_is_past(way) : bytes > LONG_BYTES;
    if (is_measured)
        s->begin = h3ou__now();
}

/* What lies before and behind whole lines goes through the caches. */
void h3ou__store_past(size_t bytes, const void *from, void *to)
{
    size_t before = (LINE - (uintptr_t)to % LINE) % LINE, at = before < bytes ? before : bytes;
    line_values some;
    memcpy(to, from, at);
    for (; at + LINE <= bytes; at += LINE) {
        memcpy(&some, (const char *)from + at, LINE);
        store_line(&some, true, (double *)(void *)((char *)to + at));
    }
    memcpy((char *)to + at, (const char *)from + at, bytes - at);
}

void h3ou__cell_store_copy(const h3ou__cell_store *s, size_t bytes, const void *from, void *to)
{
    if (s->is_past)
        h3ou__store_past(bytes, from, to);
    else
        memcpy(to, from, bytes);
}

void h3ou__cell_store_end(h3ou__cell_store *s)
{
    end_lines(s->is_past);
    if (s->way)
        h3ou__store_way_took(s->way, s->bytes, h3ou__now() - s->begin);
}
