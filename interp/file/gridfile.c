/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/gridfile.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "interp/file/formats.h"
#include "interp/file/named/named_grid.h"

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

static int read_file(const char *file, const char *grid, int edges, h3ou__cells **out)
{
    h3ou__nc r;
    h3ou__cells *c = NULL;
    int err = h3ou__nc_open(file, &r);
    if (err)
        return err;
    r.grid = grid;
    const h3ou__grid_format *const *f = h3ou__grid_formats;
    while (*f && !(*f)->is(&r))
        f++;
    if (*f && grid && !(*f)->has_names)
        err = h3ou__nc_bad(&r, grid, "only files of OASIS have grids by name, this one has the form %s", (*f)->name);
    else
        err = *f ? (*f)->read(&r, edges, &c) : fail_unknown(&r);
    if (err)
        h3ou__cells_free(c);
    else {
        log_grid(file, (*f)->name, c);
        *out = c;
    }
    h3ou__nc_close(&r);
    return err;
}

/* "grids.nc:torc" is the grid torc of grids.nc, unless there is a file of that whole name. */
static int read_named(const char *name, int edges, h3ou__cells **out)
{
    char file[4096];
    const char *colon = strrchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : 0;
    if (length == 0 || length >= sizeof file)
        return read_file(name, NULL, edges, out);
    memcpy(file, name, length);
    file[length] = 0;
    return access(file, F_OK) == 0 ? read_file(file, colon + 1, edges, out) : read_file(name, NULL, edges, out);
}

int h3ou__gridfile_read(const char *file, int edges, h3ou__cells **out)
{
    if (access(file, F_OK) == 0)
        return read_file(file, NULL, edges, out);
    if (h3ou__named_grid_is(file))
        return h3ou__named_grid_make(file, edges, out);
    return read_named(file, edges, out);
}
