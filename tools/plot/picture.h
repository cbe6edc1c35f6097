/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps beside each other with their scales, and a page of text, as PNG or PDF (page.h). */
#ifndef H3OU_TOOLS_PLOT_PICTURE_H
#define H3OU_TOOLS_PLOT_PICTURE_H

#include "tools/plot/colours.h"
#include "tools/plot/region.h"

enum { PICTURE_WIDTH = 860, PICTURE_HEIGHT = 430 }; /* pixels of a map */

enum picture_state { PICTURE_VALUE, PICTURE_MASKED, PICTURE_UNMAPPED };

typedef struct picture_map {
    const char *title, *scale_title;
    const int64_t *cell;        /* [PICTURE_HEIGHT * PICTURE_WIDTH] number of the cell, -1: none */
    const double *value;        /* of each cell; NaN: unmapped */
    const unsigned char *state; /* of each cell: enum picture_state */
    double least, most;         /* of the scale */
    bool is_logarithmic;
    enum colours colours;
} picture_map;

typedef struct picture {
    const char *title, *subtitle;
    region box; /* of all maps */
    picture_map map[3];
    const char *text; /* lines; a tab begins a column */
} picture;

/* H3OU__EFILE, and then there is no file. */
int picture_write(const char *file, const picture *p);

#endif
