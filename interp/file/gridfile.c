/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/gridfile.h"

#include "base/error.h"
#include "base/log.h"
#include "interp/file/formats.h"

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
    nc_inq_grps(r->id, &groups, NULL);
    return h3ou__nc_bad(r, "grid",
                        "neither grid_center_lat (SCRIP), nor a mesh_topology (UGRID), nor nodeCoords (ESMF), nor "
                        "longitudes and latitudes (units degrees_east and degrees_north, or standard names)%s",
                        groups > 0 ? "; groups are not read: move their variables to the root" : "");
}

int h3ou__gridfile_read(const char *file, int edges, h3ou__cells **out)
{
    h3ou__nc r;
    h3ou__cells *c = NULL;
    int err = h3ou__nc_open(file, &r);
    if (err)
        return err;
    const h3ou__grid_format *const *f = h3ou__grid_formats;
    while (*f && !(*f)->is(&r))
        f++;
    if (*f)
        err = (*f)->read(&r, edges, &c);
    else
        err = fail_unknown(&r);
    if (err)
        h3ou__cells_free(c);
    else {
        log_grid(file, (*f)->name, c);
        *out = c;
    }
    h3ou__nc_close(&r);
    return err;
}
