/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of a classic NetCDF file, read before libnetcdf does: it copies names of any length into room for 256
 * bytes, and reads zeros where a file was cut. */
#ifndef H3OU_INTERP_FILE_NETCDF3_LENGTH_H
#define H3OU_INTERP_FILE_NETCDF3_LENGTH_H

/* H3OU__EFILE when the header makes no sense, or places values behind the file's end. Files that can't be opened, and
 * other formats, pass: opening them tells. */
int h3ou__classic_check(const char *file);

#endif
