/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An observer that keeps the values of the fields with a key `monitor`, as they are put, sent, received and got. Each process
 * appends those of its cells to a file of its own (raw_format.h), and waits for nobody; libnetcdf, which has no protection from two
 * threads that call it and which the model may use itself, is not called while the run is under way (docs/adr/0029-fields-to-files.md).
 */
#ifndef H3OU_COUPLER_MONITOR_FIELD_FILES_H
#define H3OU_COUPLER_MONITOR_FIELD_FILES_H

#include "comm/comm.h"
#include "coupler/exchange/observer.h"

/* Adds the observer if some field of my component is monitored. Collective over the component; borrows all. */
int h3ou__field_files_observe(h3ou__observers *to, const h3ou__config *config, h3ou__world *world);
/* Returns whether the configuration has a field that `component`, as the configuration names it, keeps values of. */
bool h3ou__field_files_are_kept(const h3ou__config *config, const char *component);

#endif
