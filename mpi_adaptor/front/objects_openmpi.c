/* SPDX-License-Identifier: BSD-3-Clause */
/* The data objects of libmpi.so.40 whose addresses are predefined handles: of the size that programs have copied (copy relocations), and with the
 * hub's handle as first word; the second becomes the real MPI's when its back was chosen. */
#include <stdint.h>

#ifndef FRONT_BESIDE
#define OBJECT(name, size, value)                                                                                                          \
    extern struct object_##name name __attribute__((visibility("default")));                                                               \
    struct object_##name {                                                                                                                 \
        intptr_t hub, real;                                                                                                                \
        char rest[(size) - 2 * sizeof(intptr_t)];                                                                                          \
    } name = {value, 0, {0}};
#include "objects_openmpi.h"
#endif
