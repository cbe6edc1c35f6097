/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plot/draw.h"

void draw_text(cairo_t *cr, double x, double y, double size, bool is_bold, enum draw_align align, const char *text)
{
    cairo_text_extents_t box;
    cairo_select_font_face(cr, "sans", CAIRO_FONT_SLANT_NORMAL,
                           is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
    cairo_text_extents(cr, text, &box);
    cairo_move_to(cr, align == ALIGN_LEFT ? x : align == ALIGN_RIGHT ? x - box.x_advance : x - box.x_advance / 2, y);
    cairo_show_text(cr, text);
}

void draw_colour(cairo_t *cr, uint32_t rgb)
{
    cairo_set_source_rgb(cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}
