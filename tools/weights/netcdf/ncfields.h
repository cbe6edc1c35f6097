/* SPDX-License-Identifier: BSD-3-Clause */
/* A NetCDF file to be remapped: which of its variables are fields on the source grid, which only describe that grid,
 * and which are copied unchanged. */
#ifndef H3OU_TOOL_NCFIELDS_H
#define H3OU_TOOL_NCFIELDS_H

#include <netcdf.h>
#include <stdbool.h>

#include "interp/grid/cells.h"

enum ncrole {
    NCROLE_COPY,  /* has no horizontal dimension: time, levels */
    NCROLE_FIELD, /* its last dimensions are the source grid's */
    NCROLE_GRID,  /* describes the source grid: coordinates, bounds, areas, meshes, projections */
    NCROLE_LEFT   /* has a horizontal dimension, but is no field that can be remapped */
};

typedef struct ncvar {
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int rank, dim[NC_MAX_VAR_DIMS], natt;
    enum ncrole role;
    int horizontal;  /* how many of a field's last dimensions are the grid's: 1 or 2 */
    const char *why; /* why a variable of role NCROLE_LEFT is left out */
    bool is_packed;  /* has scale_factor or add_offset */
    double scale, offset;
    double fill[2];   /* _FillValue, missing_value; NaN: it has none */
    double valid[2];  /* range of packed or plain numbers; infinite: none */
    nc_type unpacked; /* type of the remapped field */
} ncvar;

typedef struct ncfile {
    const char *name;
    int nc, ndim, nvar, unlimited[NC_MAX_DIMS], nunlimited, format;
    size_t length[NC_MAX_DIMS];
    char dim_name[NC_MAX_DIMS][NC_MAX_NAME + 1];
    bool is_horizontal[NC_MAX_DIMS];
    ncvar *var; /* [nvar] */
    int nfield;
} ncfile;

/* Opens the file and sorts its variables; source: the grid that fields must be on (its rank and dims when rank is 2).
 * H3OU__EFILE names file and variable; a file without a field is an error that shows the shapes it has. */
int ncfile_open(const char *name, int64_t nsource, const h3ou__cells *source, ncfile **out);
void ncfile_close(ncfile *f); /* NULL allowed */
bool ncfile_is_unlimited(const ncfile *f, int dim);
/* Fails with a sentence that names file, variable and NetCDF's reason. */
int ncfile_fail(const char *file, const char *variable, int code);
/* Reads an attribute into text, "" when there is none. Returns text. */
char *ncfile_text(int nc, int var, const char *name, char text[], size_t size);
/* Returns whether word is one of the words of text, which are separated by blanks. */
bool ncfile_has_word(const char *text, const char *word);

#endif
