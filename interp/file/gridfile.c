/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/gridfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "interp/file/formats.h"
#include "interp/file/named/named_grid.h"
#include "interp/file/netcdf/field_mask.h"

/* Logs what was corrected in the corners. Repeated corners alone are logged at the lower level, since formats in which
 * all cells have the same number of corners use them for cells with fewer. */
static void log_grid(const char *file, const char *format, const h3ou__cells *c)
{
    char text[400];
    int level = c->report.count[H3OU__CELL_CLOCKWISE] > 0 ? H3OU__LOG_WHISPER : H3OU__LOG_LOUD;
    h3ou__log(H3OU__LOG_LOUD, "grid", "file=%s format=%s cells=%lld corners=%d cyclic=%d fold=%d", file, format,
              (long long)c->n, h3ou__cells_have_corners(c), c->cyclic, c->fold);
    if (h3ou__cell_report_text(&c->report, text, sizeof text)[0])
        h3ou__log(level, "grid", "file=%s mended='%s'", file, text);
}

static int fail_unknown(const h3ou__nc *r)
{
    int groups = 0;
    char known[512] = "";
    for (const h3ou__grid_format *const *f = h3ou__grid_formats; *f; f++)
        if ((*f)->known_by)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", nor " : "neither ",
                     (*f)->known_by);
    nc_inq_grps(r->id, &groups, NULL);
    return h3ou__nc_bad(r, "grid", "%s%s", known,
                        groups > 0 ? "; groups are not read: move their variables to the root" : "");
}

static int read_file(const char *file, const char *grid, h3ou__grid_reading *reading, h3ou__cells **out)
{
    h3ou__nc r;
    h3ou__cells *c = NULL;
    int err = h3ou__nc_open(file, &r);
    if (err)
        return err;
    r.grid = grid;
    r.reading = reading;
    const h3ou__grid_format *const *f = h3ou__grid_formats;
    while (*f && !(*f)->is(&r))
        f++;
    if (*f && grid && !(*f)->has_names)
        err = h3ou__nc_bad(&r, grid, "only files of OASIS have grids by name, this one has the form %s", (*f)->name);
    else
        err = *f ? (*f)->read(&r, reading->edges, &c) : fail_unknown(&r);
    if (err)
        h3ou__cells_free(c);
    else {
        log_grid(file, (*f)->name, c);
        c->bad = NULL; /* all were found; the list is the caller's */
        *out = c;
    }
    h3ou__nc_close(&r);
    return err;
}

/* "grids.nc:torc" is the grid torc of grids.nc, unless there is a file of that whole name. */
static int read_named(const char *name, h3ou__grid_reading *reading, h3ou__cells **out)
{
    char file[4096];
    const char *colon = strrchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : 0;
    if (length == 0 || length >= sizeof file)
        return read_file(name, NULL, reading, out);
    memcpy(file, name, length);
    file[length] = 0;
    return access(file, F_OK) == 0 ? read_file(file, colon + 1, reading, out) : read_file(name, NULL, reading, out);
}

/* A grid of CDO's names, with the mask that the user wishes. */
static int make_named(const char *name, h3ou__grid_reading *reading, h3ou__cells **out)
{
    h3ou__cells *c = NULL;
    int *mask = NULL, err = h3ou__named_grid_make(name, reading->edges, &c);
    if (!err)
        err = h3ou__wanted_mask(reading, name, (size_t)c->n, &mask);
    for (int64_t i = 0; !err && mask && i < c->n; i++)
        c->mask[i] = mask[i] != 0;
    free(mask);
    if (err)
        h3ou__cells_free(c);
    else
        *out = c;
    return err;
}

int h3ou__gridfile_read_as(const char *file, h3ou__grid_reading *reading, h3ou__cells **out)
{
    if (access(file, F_OK) == 0)
        return read_file(file, NULL, reading, out);
    if (h3ou__named_grid_is(file))
        return make_named(file, reading, out);
    return read_named(file, reading, out);
}

int h3ou__gridfile_read(const char *file, int edges, h3ou__cells **out)
{
    h3ou__grid_reading reading = {.edges = edges};
    return h3ou__gridfile_read_as(file, &reading, out);
}
