/* SPDX-License-Identifier: BSD-3-Clause */
/* What the pictures of the command h3ou are drawn with, beyond cairo's own. */
#ifndef H3OU_TOOL_DRAW_H
#define H3OU_TOOL_DRAW_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

enum draw_align { ALIGN_LEFT, ALIGN_MIDDLE, ALIGN_RIGHT };

/* y is the baseline; x the left end, the middle or the right end. */
void draw_text(cairo_t *cr, double x, double y, double size, bool is_bold, enum draw_align align, const char *text);
void draw_colour(cairo_t *cr, uint32_t rgb);

#endif
