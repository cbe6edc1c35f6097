/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/formats.h"

#include <stdio.h>

#define LIST_GRID(name)   &h3ou__grid_##name,
#define LIST_WEIGHT(name) &h3ou__weight_##name,

const h3ou__grid_format *const h3ou__grid_formats[] = {H3OU__GRID_FORMATS(LIST_GRID) NULL};
const h3ou__weight_format *const h3ou__weight_formats[] = {H3OU__WEIGHT_FORMATS(LIST_WEIGHT) NULL};

char *h3ou__weight_format_names(char text[H3OU__WEIGHT_FORMAT_NAMES])
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; h3ou__weight_formats[i] && used < H3OU__WEIGHT_FORMAT_NAMES; i++)
        used += (size_t)snprintf(text + used, H3OU__WEIGHT_FORMAT_NAMES - used, "%s%s", i ? "|" : "",
                                 h3ou__weight_formats[i]->name);
    return text;
}
