/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of formats. A new format is a new file and a line here. */
#ifndef H3OU_INTERP_FILE_FORMATS_H
#define H3OU_INTERP_FILE_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "interp/file/netcdf/reader.h"
#include "interp/file/weightfile.h"

/* A file is read by the first grid format in this list that recognises it. */
#define H3OU__GRID_FORMATS(X)                                                                                          \
    X(scrip)                                                                                                           \
    X(ugrid)                                                                                                           \
    X(esmf)                                                                                                            \
    X(oasis)                                                                                                           \
    X(rotated)                                                                                                         \
    X(cf)

/* A file is read by the last weight format in this list that recognises it, so that a format whose files look like
 * those of another one stands behind that. The first is written when the user names none. */
#define H3OU__WEIGHT_FORMATS(X)                                                                                        \
    X(scrip)                                                                                                           \
    X(esmf)                                                                                                            \
    X(oasis)                                                                                                           \
    X(yac)

typedef struct h3ou__grid_format {
    const char *name;
    const char *known_by; /* what its files have and others do not, for messages; NULL: another format says it */
    bool (*is)(const h3ou__nc *r);
    int (*read)(const h3ou__nc *r, int edges, h3ou__cells **out);
    bool has_names; /* a file may hold several grids, r->grid is the name of the one to be read */
} h3ou__grid_format;

typedef struct h3ou__weight_format {
    const char *name;     /* that the commands take, "scrip" */
    const char *known_by; /* as above */
    bool (*is)(const h3ou__nc *r);
    int (*read)(const h3ou__nc *r, h3ou__weightfile *out); /* what it leaves in out after an error is freed */
    bool holds_fixed, holds_gradient;                      /* cells of fixed values; what limits a second order */
    int (*write)(const char *file, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target);
} h3ou__weight_format;

#define H3OU__DECLARE_GRID_FORMAT(name)   extern const h3ou__grid_format h3ou__grid_##name;
#define H3OU__DECLARE_WEIGHT_FORMAT(name) extern const h3ou__weight_format h3ou__weight_##name;
H3OU__GRID_FORMATS(H3OU__DECLARE_GRID_FORMAT)
H3OU__WEIGHT_FORMATS(H3OU__DECLARE_WEIGHT_FORMAT)

/* Both are ended by NULL. */
extern const h3ou__grid_format *const h3ou__grid_formats[];
extern const h3ou__weight_format *const h3ou__weight_formats[];

/* Writes the names of the weight formats, with | between, in the order of h3ou__weight_formats; returns text. */
enum { H3OU__WEIGHT_FORMAT_NAMES = 128 };
char *h3ou__weight_format_names(char text[H3OU__WEIGHT_FORMAT_NAMES]);

#endif
