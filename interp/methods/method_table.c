/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/methods/method_table.h"

#include <stddef.h>
#include <string.h>

/* A new method is a new file and a line here. */
#define METHODS(X)                                                                                                     \
    X(conservative)                                                                                                    \
    X(conservative2)                                                                                                   \
    X(laf)                                                                                                             \
    X(bilinear)                                                                                                        \
    X(bicubic)                                                                                                         \
    X(barycentric)                                                                                                     \
    X(nearest)                                                                                                         \
    X(distance)                                                                                                        \
    X(average)                                                                                                         \
    X(gauss)                                                                                                           \
    X(radial)                                                                                                          \
    X(creep)                                                                                                           \
    X(value)                                                                                                           \
    X(file)

#define DECLARE(name) extern const h3ou__method h3ou__method_##name;
METHODS(DECLARE)

#define LIST(name) &h3ou__method_##name,
const h3ou__method *const h3ou__methods[] = {METHODS(LIST) NULL};

const h3ou__method *h3ou__method_find(const char *text)
{
    size_t length = strcspn(text, "(,");
    for (int i = 0; h3ou__methods[i]; i++)
        if (strlen(h3ou__methods[i]->name) == length && !strncmp(h3ou__methods[i]->name, text, length))
            return h3ou__methods[i];
    return NULL;
}
