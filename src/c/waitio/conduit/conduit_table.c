/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "waitio/conduit/conduit.h"

const waitio__conduit *const waitio__conduits[] = {&waitio__tcp,  &waitio__unix,   &waitio__shm,
                                                   &waitio__file, &waitio__inproc, NULL};

const waitio__conduit *waitio__conduit_find(const char *name)
{
    for (int i = 0; waitio__conduits[i]; i++)
        if (!strcmp(waitio__conduits[i]->name, name))
            return waitio__conduits[i];
    return NULL;
}
