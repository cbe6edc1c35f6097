/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plot/page.h"

#include <cairo-pdf.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "tools/cli/command_group.h"

static const double points = 0.5; /* of a PDF, for each pixel */

static bool ends_in(const char *file, const char *suffix)
{
    size_t length = strlen(file), tail = strlen(suffix);
    return length > tail && !strcasecmp(file + length - tail, suffix);
}

int page_check(const char *file)
{
    if (ends_in(file, ".png") || ends_in(file, ".pdf"))
        return H3OU__OK;
    return h3ou__fail(H3OU__EARG, "%s: a picture is a PNG or a PDF: let its name end in .png or .pdf", file);
}

cairo_t *page_begin(const char *file, int width, int height)
{
    bool is_pdf = ends_in(file, ".pdf");
    cairo_surface_t *surface = is_pdf ? cairo_pdf_surface_create(file, points * width, points * height)
                                      : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *cr = cairo_create(surface);
    cairo_surface_destroy(surface); /* cr holds it */
    if (is_pdf)
        cairo_scale(cr, points, points);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    return cr;
}

int page_end(cairo_t *cr, const char *file, int err)
{
    cairo_surface_t *surface = cairo_surface_reference(cairo_get_target(cr));
    cairo_status_t status = cairo_status(cr);
    bool is_pdf = cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_PDF; /* the file is open since page_begin */
    if (!err && status == CAIRO_STATUS_SUCCESS && !is_pdf)
        status = cairo_surface_write_to_png(surface, file);
    cairo_destroy(cr);
    cairo_surface_finish(surface); /* a PDF is written now */
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (is_pdf ? err || status != CAIRO_STATUS_SUCCESS : !err && status != CAIRO_STATUS_SUCCESS)
        discard_file(file);
    if (!err && status != CAIRO_STATUS_SUCCESS)
        err = h3ou__fail(H3OU__EFILE, "%s: %s", file, cairo_status_to_string(status));
    return err;
}
