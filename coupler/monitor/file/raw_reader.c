/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/file/raw_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/grow.h"

enum { MOST_LAYERS = 1 << 24, MOST_COMPONENTS = 3, MOST_CORNERS = 1000 };

bool h3ou__raw_find(const char *text, const char *key, char value[H3OU__RAW_TEXT])
{
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (!strncmp(line, key, length) && line[length] == '=') {
            const char *from = line + length + 1;
            snprintf(value, H3OU__RAW_TEXT, "%.*s", (int)strcspn(from, "\n"), from);
            return true;
        }
    *value = '\0';
    return false;
}

int64_t h3ou__raw_number(const char *text, const char *key)
{
    char value[H3OU__RAW_TEXT];
    return h3ou__raw_find(text, key, value) ? strtoll(value, NULL, 10) : 0;
}

static int fail_bad(const h3ou__raw_part *p, const char *why)
{
    return h3ou__fail(H3OU__EFILE, "%s: is no file of monitored fields, or damaged: %s", p->name, why);
}

/* Reads all of n bytes; false: the file has not so many. */
static bool read_bytes(const h3ou__raw_part *p, int64_t at, void *to, int64_t n)
{
    for (int64_t done = 0; done < n;) {
        ssize_t got = pread(p->fd, (char *)to + done, (size_t)(n - done), (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += got;
    }
    return true;
}

/* Copies n numbers of 64 bits, of whatever type, to new memory. */
static void *copy_numbers(const unsigned char *from, int64_t n)
{
    uint64_t *to = malloc(sizeof *to * (size_t)(n + 1));
    for (int64_t i = 0; to && i < n; i++)
        to[i] = h3ou__get64(from + 8 * i);
    return to;
}

static int take_text(const h3ou__raw_part *p, const unsigned char *from, int64_t n, char text[H3OU__RAW_TEXT])
{
    if (n < 0 || n >= H3OU__RAW_TEXT)
        return fail_bad(p, "a text is too long");
    memcpy(text, from, (size_t)n);
    text[n] = '\0';
    return H3OU__OK;
}

/* Returns whether the cells' indices are those of a grid. */
static bool is_index(const h3ou__raw_grid *g)
{
    for (int64_t i = 0; i < g->n; i++)
        if (g->index[i] < 1 || g->index[i] > g->last)
            return false;
    return true;
}

static int take_grid(h3ou__raw_part *p, int number, const unsigned char *from, int64_t bytes)
{
    int64_t length = bytes < 4 ? bytes : (int64_t)h3ou__get32(from);
    if (number != p->ngrid || bytes < 4 || length > bytes - 4)
        return fail_bad(p, "a grid");
    if (!h3ou__resize(&p->grid, sizeof *p->grid, p->ngrid + 1))
        return h3ou__no_memory("%s", p->name);
    h3ou__raw_grid *g = &p->grid[p->ngrid++];
    *g = (h3ou__raw_grid){0};
    int err = take_text(p, from + 4, length, g->text);
    if (err)
        return err;
    g->n = h3ou__raw_number(g->text, "cells");
    g->last = h3ou__raw_number(g->text, "last");
    g->nx = (int)h3ou__raw_number(g->text, "nx");
    g->ny = (int)h3ou__raw_number(g->text, "ny");
    int64_t corners = h3ou__raw_number(g->text, "corners"), centres = h3ou__raw_number(g->text, "centres");
    from += 4 + length;
    bool fits = g->n >= 0 && g->n <= INT32_MAX && g->last <= INT32_MAX && corners >= 0 && corners <= MOST_CORNERS && (centres == 0 || centres == 1) &&
                g->nx >= 0 && g->ny >= 0 && 8 * g->n * (1 + 2 * centres + 2 * corners) == bytes - 4 - length;
    if (!fits)
        return fail_bad(p, "the length of a grid");
    g->most = (int)corners;
    g->index = copy_numbers(from, g->n);
    g->lon = centres ? copy_numbers(from + 8 * g->n, g->n) : NULL;
    g->lat = centres ? copy_numbers(from + 16 * g->n, g->n) : NULL;
    from += 8 * g->n * (1 + 2 * centres);
    g->corner_lon = corners ? copy_numbers(from, g->n * corners) : NULL;
    g->corner_lat = corners ? copy_numbers(from + 8 * g->n * corners, g->n * corners) : NULL;
    if (!g->index || (centres && (!g->lon || !g->lat)) || (corners && (!g->corner_lon || !g->corner_lat)))
        return h3ou__no_memory("%s", p->name);
    return is_index(g) ? H3OU__OK : fail_bad(p, "the index of a cell");
}

static int take_field(h3ou__raw_part *p, int number, const unsigned char *from, int64_t bytes)
{
    if (number != p->nfield + 1)
        return fail_bad(p, "the number of a field");
    if (!h3ou__resize(&p->field, sizeof *p->field, p->nfield + 1))
        return h3ou__no_memory("%s", p->name);
    h3ou__raw_field *f = &p->field[p->nfield++];
    *f = (h3ou__raw_field){0};
    int err = take_text(p, from, bytes, f->text);
    if (err)
        return err;
    int64_t grid = h3ou__raw_number(f->text, "grid"), layers = h3ou__raw_number(f->text, "layers");
    int64_t components = h3ou__raw_number(f->text, "components");
    if (grid < 0 || grid >= p->ngrid || layers < 1 || layers > MOST_LAYERS || components < 1 || components > MOST_COMPONENTS)
        return fail_bad(p, "a field");
    f->grid = (int)grid;
    f->layers = (int)layers;
    f->components = (int)components;
    f->is_single = h3ou__raw_number(f->text, "single") == 1;
    return H3OU__OK;
}

/* Notes where a record of values stands. at: behind its head. */
static int take_values(h3ou__raw_part *p, int number, int64_t at, int64_t bytes)
{
    unsigned char time[8];
    uint64_t bits;
    if (number < 1 || number > p->nfield)
        return fail_bad(p, "values of an unknown field");
    h3ou__raw_field *f = &p->field[number - 1];
    int64_t n = p->grid[f->grid].n * f->layers * f->components;
    if (bytes != 8 + n * (f->is_single ? 4 : 8))
        return fail_bad(p, "the length of values");
    if (!read_bytes(p, at, time, sizeof time))
        return fail_bad(p, "it can't be read");
    int64_t room = f->room;
    if (!h3ou__grow(&f->time, sizeof *f->time, &room, f->n + 1) || !h3ou__resize(&f->at, sizeof *f->at, room))
        return h3ou__no_memory("%s", p->name);
    f->room = room;
    bits = h3ou__get64(time);
    memcpy(&f->time[f->n], &bits, sizeof bits);
    f->at[f->n++] = at + 8;
    return H3OU__OK;
}

/* Takes a record that is read whole. */
static int take_record(h3ou__raw_part *p, int kind, int number, int64_t at, int64_t bytes)
{
    if (kind == H3OU__RAW_VALUES)
        return take_values(p, number, at, bytes);
    unsigned char *all = malloc((size_t)bytes + 1);
    if (!all)
        return h3ou__no_memory("%s", p->name);
    int err = read_bytes(p, at, all, bytes) ? H3OU__OK : fail_bad(p, "it can't be read");
    if (!err && kind == H3OU__RAW_RUN)
        err = take_text(p, all, bytes, p->run);
    else if (!err && kind == H3OU__RAW_GRID)
        err = take_grid(p, number, all, bytes);
    else if (!err && kind == H3OU__RAW_FIELD)
        err = take_field(p, number, all, bytes);
    else if (!err && kind == H3OU__RAW_END)
        p->has_ended = true;
    free(all);
    return err;
}

int h3ou__raw_read(const char *name, h3ou__raw_part *p)
{
    unsigned char head[H3OU__RAW_HEAD];
    struct stat s;
    *p = (h3ou__raw_part){.fd = open(name, O_RDONLY | O_CLOEXEC)};
    snprintf(p->name, sizeof p->name, "%s", name);
    if (p->fd < 0 || fstat(p->fd, &s))
        return h3ou__fail(H3OU__EFILE, "%s: can't be opened: %s", name, strerror(errno));
    int64_t size = s.st_size, at = H3OU__RAW_HEAD;
    p->is_cut = size < at;
    if (size < at)
        return H3OU__OK;
    if (!read_bytes(p, 0, head, sizeof head) || memcmp(head, H3OU__RAW_MAGIC, sizeof H3OU__RAW_MAGIC) != 0)
        return fail_bad(p, "its beginning");
    if (h3ou__get32(head + 8) != H3OU__RAW_VERSION)
        return h3ou__fail(H3OU__EFILE, "%s: is of version %" PRIu32 ", this h3ou reads version %d: use the h3ou of the run", name,
                          h3ou__get32(head + 8), H3OU__RAW_VERSION);
    int err = H3OU__OK;
    while (!err && at < size) {
        uint64_t bytes = 0;
        p->is_cut = size - at < H3OU__RAW_RECORD || !read_bytes(p, at, head, H3OU__RAW_RECORD) ||
                    (bytes = h3ou__get64(head + 8)) > (uint64_t)(size - at - H3OU__RAW_RECORD);
        if (p->is_cut)
            break;
        at += H3OU__RAW_RECORD;
        err = take_record(p, (int)h3ou__get32(head), (int)h3ou__get32(head + 4), at, (int64_t)bytes);
        at += (int64_t)bytes;
    }
    return err;
}

void h3ou__raw_part_free(h3ou__raw_part *p)
{
    for (int i = 0; i < p->ngrid; i++) {
        free(p->grid[i].index);
        free(p->grid[i].lon);
        free(p->grid[i].lat);
        free(p->grid[i].corner_lon);
        free(p->grid[i].corner_lat);
    }
    for (int i = 0; i < p->nfield; i++) {
        free(p->field[i].time);
        free(p->field[i].at);
    }
    free(p->grid);
    free(p->field);
    if (p->fd >= 0)
        close(p->fd);
    *p = (h3ou__raw_part){.fd = -1};
}

int h3ou__raw_layer(const h3ou__raw_part *p, const h3ou__raw_field *f, int64_t record, int component, int layer, double value[])
{
    int64_t n = p->grid[f->grid].n, width = f->is_single ? 4 : 8;
    unsigned char *bytes = (unsigned char *)value;
    if (!read_bytes(p, f->at[record] + ((int64_t)component * f->layers + layer) * n * width, bytes, n * width))
        return fail_bad(p, "it can't be read");
    for (int64_t i = n - 1; i >= 0; i--) { /* from the end on, since a float takes less room than a double */
        uint64_t bits = f->is_single ? h3ou__get32(bytes + 4 * i) : h3ou__get64(bytes + 8 * i);
        uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, sizeof single);
        if (f->is_single)
            value[i] = (double)single;
        else
            memcpy(&value[i], &bits, sizeof bits);
    }
    return H3OU__OK;
}
