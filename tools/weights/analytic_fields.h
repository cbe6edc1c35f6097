/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields with known values everywhere, by which remapping is judged: the four of S. Valcke, A. Piacentini and G.
 * Jonville, "Benchmarking regridding libraries used in Earth system modelling", Math. Comput. Appl. 27 (2022) 31. */
#ifndef H3OU_TOOL_FIELDS_H
#define H3OU_TOOL_FIELDS_H

typedef struct field {
    const char *name, *title;
    double (*value)(double lon, double lat); /* of angles in radians; dimensionless, all are positive */
} field;

enum { FIELDS = 4 };
#define FIELD_NAMES "sinusoid|harmonic|vortex|gulfstream"
extern const field fields[FIELDS]; /* in the order of FIELD_NAMES */

#endif
