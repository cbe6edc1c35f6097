/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file in which a process keeps the values of the fields that are monitored, until NetCDF files are made of those of all
 * processes. Numbers are little-endian. The file begins with the magic, a version (u32) and four bytes of 0; records follow:
 *
 *   u32 kind, u32 number, u64 bytes that follow
 *   RUN      text: component, rank, size, run (a number that all processes of a run have), calendar, start
 *   GRID     number: of the grid; u32 length of the text, text: name, cells, last, nx, ny, corners, centres (0 or 1); then i64 index of
 *            each cell, f64 longitude and latitude of the centres (radians), f64 longitudes, latitudes of the corners
 *   FIELD    number: of the field; text: grid (its number), side, field, partner, partner_field, layers, components, single (0 or 1);
 *            where they are known units, standard_name, long_name
 *   VALUES   number: of the field; f64 time in seconds since the start, then [component][layer][cell] f64 or, with single=1, f32; NaN
 *            is missing
 *   END      the component has ended in order
 *
 * A text has lines key=value. A reader leaves out what stands behind the last whole record.
 */
#ifndef H3OU_COUPLER_MONITOR_FILE_RAW_FORMAT_H
#define H3OU_COUPLER_MONITOR_FILE_RAW_FORMAT_H

#define H3OU__RAW_MAGIC "H3OUFLD"                                  /* with the 0 behind it 8 bytes */
#define H3OU__RAW_FOLDER "monitor/raw"                             /* in the folder of the run */
enum { H3OU__RAW_VERSION = 1, H3OU__RAW_HEAD = 16, H3OU__RAW_RECORD = 16 };
enum h3ou__raw_kind { H3OU__RAW_RUN = 1, H3OU__RAW_GRID, H3OU__RAW_FIELD, H3OU__RAW_VALUES, H3OU__RAW_END };

#endif
