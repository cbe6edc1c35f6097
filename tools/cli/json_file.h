/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing JSON, beyond jansson's own calls. */
#ifndef H3OU_TOOL_JSON_FILE_H
#define H3OU_TOOL_JSON_FILE_H

#include <jansson.h>

/* Returns a number, or null where it is not finite, which JSON cannot express. */
json_t *json_file_number(double x);
/* Returns a string. Bytes that are not UTF-8, which a file's name may have, become U+FFFD. */
json_t *json_file_text(const char *text);
/* Writes the file and releases root; NULL for root means that there was no memory for it. digits: significant digits of
 * the numbers. On an error there is no file, and h3ou__fail_text() names it. */
int json_file_write(json_t *root, int digits, const char *file);

#endif
