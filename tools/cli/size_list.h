/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of messages as a command's option lists them. */
#ifndef H3OU_TOOLS_SIZE_LIST_H
#define H3OU_TOOLS_SIZE_LIST_H

#include <stdint.h>

#define SIZE_LIST_BYTES_MOST ((int64_t)1 << 30)

/* Reads "8-64M" (by doubling) or "8,1K,65536", also mixed, into size[], of `most` elements, in ascending order.
 * H3OU__EARG with a sentence that begins with the option. */
int size_list_read(const char *option, const char *text, int most, int64_t size[], int *n);

#endif
