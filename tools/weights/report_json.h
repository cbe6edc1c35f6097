/* SPDX-License-Identifier: BSD-3-Clause */
/* What h3ou weights report measures, as JSON (RFC 8259). */
#ifndef H3OU_TOOL_REPORT_JSON_H
#define H3OU_TOOL_REPORT_JSON_H

#include <jansson.h>

#include "tools/weights/measure.h"

/* Numbers that are not known are null; cells count from 1; angles are degrees. NULL: out of memory. The caller releases it. */
json_t *report_to_json(const char *file, const h3ou__weightfile *w, const measure *m);
/* Writes it. H3OU__EFILE, and then no file. */
int report_json(const char *json, const char *file, const h3ou__weightfile *w, const measure *m);

#endif
