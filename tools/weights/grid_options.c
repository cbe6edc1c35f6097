/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/grid_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

int grid_options_check(const command *c, const grid_options *o)
{
    if (o->no_mask && (o->mask[0] || o->mask[1] || o->mask[2]))
        return options_wrong(c, "--no-mask and a mask are given: leave one out, or give a side the mask none");
    return 0;
}

static int64_t first_of(const h3ou__bad_cells *bad)
{
    int64_t first = bad->cell[0].number;
    for (int64_t i = 1; i < bad->n; i++)
        first = bad->cell[i].number < first ? bad->cell[i].number : first;
    return first;
}

int grid_read(const grid_options *o, int side, const char *file, int edges, h3ou__bad_cells *bad, h3ou__cells **out)
{
    const char *mask = o->no_mask ? "none" : o->mask[side] ? o->mask[side] : o->mask[2];
    h3ou__grid_reading reading = {.edges = edges, .mask = mask, .bad = o->bad ? bad : NULL};
    int err = h3ou__gridfile_read_as(file, &reading, out);
    if (!err && reading.said[0])
        fprintf(stderr, "%s: %s\n", file, reading.said);
    if (!err && reading.bad && bad->n > 0)
        fprintf(stderr, "%s: %" PRId64 " bad cells were masked (first: %" PRId64 "), %s lists them\n", file, bad->n,
                first_of(bad), o->bad);
    return err;
}

static int by_number(const void *a, const void *b)
{
    const h3ou__bad_cell *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

int grid_list_bad(const grid_options *o, const char *const file[2], const h3ou__bad_cells bad[2])
{
    if (!o->bad)
        return H3OU__OK;
    FILE *f = fopen(o->bad, "w");
    if (!f)
        return h3ou__fail(H3OU__EFILE, "%s: %s", o->bad, strerror(errno));
    for (int side = 0; side < 2; side++) {
        fprintf(f, "# %s %s: %" PRId64 " bad cells; number, longitude, latitude, what is wrong\n",
                side ? "target" : "source", file[side], bad[side].n);
        if (bad[side].n > 0)
            qsort(bad[side].cell, (size_t)bad[side].n, sizeof *bad[side].cell, by_number);
        for (int64_t i = 0; i < bad[side].n; i++) {
            const h3ou__bad_cell *c = &bad[side].cell[i];
            fprintf(f, "%s %" PRId64 " %.9g %.9g %s\n", side ? "target" : "source", c->number, c->lon, c->lat, c->why);
        }
    }
    bool failed = ferror(f) != 0;
    failed |= fclose(f) != 0;
    return failed ? h3ou__fail(H3OU__EFILE, "%s: %s", o->bad, strerror(errno)) : H3OU__OK;
}
