/* SPDX-License-Identifier: BSD-3-Clause */
/* The method file: rows from a file of weights that the user gives. */
#ifndef H3OU_COUPLER_WEIGHTS_WEIGHTS_FROM_FILE_H
#define H3OU_COUPLER_WEIGHTS_WEIGHTS_FROM_FILE_H

#include "coupler/search/cell_search.h"
#include "coupler/weights/weights_cache.h"

/* The receiving component's rank 0 reads the file and keeps its links and fixed values in rows, others have none. Both
 * grids are compared with the file where the cells are, in rounds of H3OU_PLAN_CHUNK cells: sizes, and as far as file
 * and model tell them masks and centres. Collective over both components. H3OU__EFILE, H3OU__EARG saying what differs.
 */
int h3ou__weights_from_file_read(const h3ou__cell_search_task *task, const char *file, h3ou__cache_rows *rows);

#endif
