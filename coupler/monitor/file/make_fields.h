/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes NetCDF files by the CF conventions of what all processes of a component kept of their fields. May be done while the component
 * runs, after it, and after it was killed: the file has the times that all processes have. */
#ifndef H3OU_COUPLER_MONITOR_FILE_MAKE_FIELDS_H
#define H3OU_COUPLER_MONITOR_FILE_MAKE_FIELDS_H

#include <stdbool.h>

/* Is told a sentence of each file that was made, or of what could not be made. */
typedef void (*h3ou__fields_told)(void *user, bool is_problem, const char *sentence);

/* folder: of the run; component: one, or NULL: all. Files of a component whose processes all ended in order, and of which everything
 * was made, are removed unless keep. Of several programs that do so in one folder one waits for the other. H3OU__EFILE when something could not be made; everything else was. */
int h3ou__fields_make(const char *folder, const char *component, bool keep, h3ou__fields_told told, void *user);

#endif
