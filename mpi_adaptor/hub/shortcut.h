/* SPDX-License-Identifier: BSD-3-Clause */
/* What a front needs to call the real MPI without the back between, for the functions that functions.txt marks with a plus. A back fills it
 * when it is opened; a front keeps a copy. A layer that stands before a back sets `inside`, and is passed by no call but those. */
#ifndef H3OU_MPI_ADAPTOR_SHORTCUT_H
#define H3OU_MPI_ADAPTOR_SHORTCUT_H

#include "hub_table.h"
#include "mpi_adaptor/hub/inside.h"

struct shortcut {
    /* Functions of the real MPI. A handle, which there is an int or a pointer, is the intptr_t of its value, which the calling conventions of
     * machines with 64 bits pass alike. */
    struct shortcut_calls call;
    const intptr_t *own_of;  /* the real MPI's predefined handle for each of the hub */
    int (*error_hub)(int);   /* from a code of the real MPI */
    int (*rank_own)(int);    /* to a rank of the real MPI */
    int (*tag_own)(int);
    const int *kept_count;   /* requests that the back has to hear of while it is not 0 */
    void *status_ignore;     /* of the real MPI, for one status and for several */
    int is_number;           /* the real MPI's handles are ints, negative when they were created */
    int is_pointer;          /* they are pointers */
    const struct inside *inside; /* of a layer before the back; NULL: there is none */
};

#endif
