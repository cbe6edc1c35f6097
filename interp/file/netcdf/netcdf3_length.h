/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the header of a classic NetCDF file before libnetcdf reads it, because libnetcdf copies names of any length
 * into 256 bytes, and reads zeros where a file was cut off. */
#ifndef H3OU_INTERP_FILE_NETCDF_NETCDF3_LENGTH_H
#define H3OU_INTERP_FILE_NETCDF_NETCDF3_LENGTH_H

/* H3OU__EFILE when the header makes no sense, or places values behind the file's end. Files that
 * can't be opened and files of other formats are accepted: opening them gives the error. */
int h3ou__classic_check(const char *file);

#endif
