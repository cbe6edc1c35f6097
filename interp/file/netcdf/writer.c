/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/netcdf/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { SLAB = 4096 }; /* values that are prepared at a time */

int h3ou__ncw_create(const char *file, h3ou__ncw *w)
{
    size_t buffer = 1 << 20;
    int old;
    *w = (h3ou__ncw){.file = file};
    if (snprintf(w->beside, sizeof w->beside, "%s.%ld.part", file, (long)getpid()) >= (int)sizeof w->beside)
        return h3ou__fail(H3OU__EFILE, "%s: the name is too long", file);
    w->code = nc__create(w->beside, NC_CLOBBER | NC_64BIT_OFFSET, 0, &buffer, &w->id);
    if (w->code)
        return h3ou__fail(H3OU__EFILE, "%s: can't be created: %s", file, nc_strerror(w->code));
    w->code = nc_set_fill(w->id, NC_NOFILL, &old); /* every value is written */
    return H3OU__OK;
}

int h3ou__ncw_close(h3ou__ncw *w)
{
    if (!w->code)
        w->code = nc_sync(w->id);
    int code = w->code ? nc_abort(w->id) : nc_close(w->id); /* a close that fails would keep the descriptor */
    w->code = w->code ? w->code : code;
    if (!w->code && rename(w->beside, w->file) != 0)
        w->code = errno;
    if (!w->code)
        return H3OU__OK;
    remove(w->beside); /* an incomplete file could be mistaken for a complete one */
    return h3ou__fail(H3OU__EFILE, "%s: can't be written; the incomplete file is removed: %s", w->file,
                      nc_strerror(w->code));
}

int h3ou__ncw_dim(h3ou__ncw *w, const char *name, int64_t size)
{
    int id = -1;
    if (!w->code)
        w->code = nc_def_dim(w->id, name, (size_t)size, &id);
    return id;
}

int h3ou__ncw_var(h3ou__ncw *w, const char *name, nc_type type, int rank, const int dims[], const char *units)
{
    int id = -1;
    if (!w->code)
        w->code = nc_def_var(w->id, name, type, rank, dims, &id);
    if (units)
        h3ou__ncw_text(w, id, "units", units);
    return id;
}

void h3ou__ncw_text(h3ou__ncw *w, int variable, const char *name, const char *text)
{
    if (!w->code)
        w->code = nc_put_att_text(w->id, variable, name, strlen(text), text);
}

void h3ou__ncw_begin(h3ou__ncw *w)
{
    if (!w->code)
        w->code = nc_enddef(w->id);
}

void h3ou__ncw_doubles(h3ou__ncw *w, int id, const double value[])
{
    if (!w->code)
        w->code = nc_put_var_double(w->id, id, value);
}

void h3ou__ncw_chars(h3ou__ncw *w, int id, const char value[])
{
    if (!w->code)
        w->code = nc_put_var_text(w->id, id, value);
}

void h3ou__ncw_bytes(h3ou__ncw *w, int id, const signed char value[])
{
    if (!w->code)
        w->code = nc_put_var_schar(w->id, id, value);
}

/* The leading dimension from `at` on; one after it has size 1 or is not there. */
static void put_slab(h3ou__ncw *w, int id, size_t at, size_t n, const int value[])
{
    const size_t start[2] = {at, 0}, count[2] = {n, 1};
    if (!w->code)
        w->code = nc_put_vara_int(w->id, id, start, count, value);
}

void h3ou__ncw_ints(h3ou__ncw *w, int id, int64_t n, const int32_t value[], int add)
{
    int slab[SLAB];
    for (int64_t at = 0; at < n && !w->code; at += SLAB) {
        int64_t some = n - at < SLAB ? n - at : SLAB;
        for (int64_t i = 0; i < some; i++)
            slab[i] = value[at + i] + add;
        put_slab(w, id, (size_t)at, (size_t)some, slab);
    }
}

void h3ou__ncw_flags(h3ou__ncw *w, int id, int64_t n, const unsigned char value[])
{
    int slab[SLAB];
    for (int64_t at = 0; at < n && !w->code; at += SLAB) {
        int64_t some = n - at < SLAB ? n - at : SLAB;
        for (int64_t i = 0; i < some; i++)
            slab[i] = value[at + i] != 0;
        put_slab(w, id, (size_t)at, (size_t)some, slab);
    }
}

void h3ou__ncw_counts(h3ou__ncw *w, int id, int64_t n, const int64_t start[])
{
    int slab[SLAB];
    for (int64_t at = 0; at < n && !w->code; at += SLAB) {
        int64_t some = n - at < SLAB ? n - at : SLAB;
        for (int64_t i = 0; i < some; i++)
            slab[i] = (int)(start[at + i + 1] - start[at + i]);
        put_slab(w, id, (size_t)at, (size_t)some, slab);
    }
}

void h3ou__ncw_rows(h3ou__ncw *w, int id, int64_t n, const int64_t start[], int add)
{
    int slab[SLAB];
    size_t at = 0, filled = 0;
    for (int64_t i = 0; i < n && !w->code; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++) {
            slab[filled++] = (int)i + add;
            if (filled < SLAB)
                continue;
            put_slab(w, id, at, filled, slab);
            at += filled;
            filled = 0;
        }
    if (filled > 0 && !w->code)
        put_slab(w, id, at, filled, slab);
}

void h3ou__ncw_scaled(h3ou__ncw *w, int id, int64_t n, const double value[], double factor)
{
    double slab[SLAB];
    for (int64_t at = 0; at < n && !w->code; at += SLAB) {
        int64_t some = n - at < SLAB ? n - at : SLAB;
        for (int64_t i = 0; i < some; i++)
            slab[i] = value[at + i] * factor;
        const size_t start = (size_t)at, count = (size_t)some;
        w->code = nc_put_vara_double(w->id, id, &start, &count, slab);
    }
}
