/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/types.h"

int h3ou__type_size(int type)
{
    static const int size[H3OU__TYPES] = {1, 4, 8, 4, 8};
    return size[type];
}
