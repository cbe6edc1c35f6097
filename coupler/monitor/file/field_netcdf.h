/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the NetCDF file of one side of a field. */
#ifndef H3OU_COUPLER_MONITOR_FILE_FIELD_NETCDF_H
#define H3OU_COUPLER_MONITOR_FILE_FIELD_NETCDF_H

#include "coupler/monitor/file/raw_reader.h"
#include "coupler/monitor/file/whole_grid.h"

/* A field in the files of all processes. */
typedef struct h3ou__kept_field {
    int n;                            /* processes */
    const h3ou__raw_part *part;       /* [n] */
    const h3ou__raw_field *const *of; /* [n] the field in each */
    const h3ou__whole_grid *grid;
    int ntime;
    const int64_t *record; /* [ntime] of those processes that have records */
    const double *time;    /* [ntime] */
} h3ou__kept_field;

/* H3OU__EFILE when the file cannot be written: then there is none of that name, or the one that was there before. */
int h3ou__field_netcdf_write(const char *file, const h3ou__kept_field *f);

#endif
