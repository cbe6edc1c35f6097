/* SPDX-License-Identifier: BSD-3-Clause */
/* The page on which a picture is drawn, and the file that becomes of it: PNG or PDF, as the file's name ends. */
#ifndef H3OU_TOOL_PAGE_H
#define H3OU_TOOL_PAGE_H

#include <cairo.h>

/* H3OU__EARG when the name ends neither in .png nor in .pdf. */
int page_check(const char *file);
/* A white page of so many pixels, for page_end. Errors are kept until then. */
cairo_t *page_begin(const char *file, int width, int height);
/* Frees the page. With err (of what was drawn) or when writing fails there is no file, and the error is returned. */
int page_end(cairo_t *cr, const char *file, int err);

#endif
