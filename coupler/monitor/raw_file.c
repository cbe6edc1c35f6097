/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/raw_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/single_precision.h"
#include "coupler/config/leniency.h"
#include "coupler/monitor/append.h"

/* Says why the file ends here. */
static void give_up(h3ou__raw_file *f, const char *why)
{
    h3ou__warn(NULL, "%s: can't be written: %s; the values that follow are not kept, and the run goes on", f->name, why);
    h3ou__raw_close(f);
}

void h3ou__raw_close(h3ou__raw_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
    free(f->buffer);
    f->buffer = NULL;
    f->used = f->room = 0;
}

static void append(h3ou__raw_file *f)
{
    int code = f->fd < 0 ? 0 : h3ou__append(f->fd, f->buffer, f->used, &f->length);
    if (code)
        give_up(f, strerror(code));
}

void h3ou__raw_open(h3ou__raw_file *f, const char *folder, const char *component, int rank)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%d", component, rank);
    *f = (h3ou__raw_file){0};
    f->fd = h3ou__append_open(folder, H3OU__RAW_FOLDER, name, f->name);
    if (f->fd < 0) {
        give_up(f, strerror(errno));
        return;
    }
    if (!(f->buffer = calloc(1, H3OU__RAW_HEAD))) {
        give_up(f, "out of memory");
        return;
    }
    f->used = f->room = H3OU__RAW_HEAD;
    memcpy(f->buffer, H3OU__RAW_MAGIC, sizeof H3OU__RAW_MAGIC);
    h3ou__put32(f->buffer + sizeof H3OU__RAW_MAGIC, H3OU__RAW_VERSION);
    append(f);
}

/* Returns where n more bytes of the record stand, or NULL. */
static unsigned char *extend(h3ou__raw_file *f, size_t n)
{
    if (f->fd < 0 || f->is_short_of_memory)
        return NULL;
    if (f->used + n > f->room) {
        size_t room = f->used + n + f->room / 2;
        unsigned char *larger = realloc(f->buffer, room);
        f->is_short_of_memory = !larger;
        if (!larger)
            return NULL;
        f->buffer = larger;
        f->room = room;
    }
    f->used += n;
    return f->buffer + f->used - n;
}

void h3ou__raw_begin(h3ou__raw_file *f, int kind, int number)
{
    f->used = 0;
    unsigned char *to = extend(f, H3OU__RAW_RECORD);
    if (!to)
        return;
    h3ou__put32(to, (uint32_t)kind);
    h3ou__put32(to + 4, (uint32_t)number);
}

void h3ou__raw_u32(h3ou__raw_file *f, uint32_t value)
{
    unsigned char *to = extend(f, 4);
    if (to)
        h3ou__put32(to, value);
}

void h3ou__raw_text(h3ou__raw_file *f, const char *format, ...)
{
    char text[1024];
    va_list a;
    va_start(a, format);
    int n = vsnprintf(text, sizeof text, format, a);
    va_end(a);
    unsigned char *to = n > 0 && n < (int)sizeof text ? extend(f, (size_t)n) : NULL;
    if (to)
        memcpy(to, text, (size_t)n);
}

void h3ou__raw_integers(h3ou__raw_file *f, int64_t n, const int64_t value[])
{
    unsigned char *to = extend(f, 8 * (size_t)n);
    for (int64_t i = 0; to && i < n; i++)
        h3ou__put64(to + 8 * i, (uint64_t)value[i]);
}

void h3ou__raw_reals(h3ou__raw_file *f, int64_t n, const double value[], bool single)
{
    unsigned char *to = extend(f, (single ? 4 : 8) * (size_t)n);
    for (int64_t i = 0; to && i < n; i++) {
        uint64_t bits;
        uint32_t half;
        float narrow = single ? h3ou__quiet_single(&value[i]) : 0.0F;
        memcpy(&bits, &value[i], sizeof bits);
        memcpy(&half, &narrow, sizeof half);
        if (single)
            h3ou__put32(to + 4 * i, half);
        else
            h3ou__put64(to + 8 * i, bits);
    }
}

void h3ou__raw_end(h3ou__raw_file *f)
{
    if (f->fd < 0)
        return;
    if (f->is_short_of_memory) {
        give_up(f, "out of memory");
        return;
    }
    h3ou__put64(f->buffer + 8, f->used - H3OU__RAW_RECORD);
    append(f);
}
