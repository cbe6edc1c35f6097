/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/collective/held_operation.h"

#include <stdlib.h>

#include "universe/world/layer.h"
#include "universe/world/waiting.h"

typedef struct held {
    abi_Op op;
    int calls;
    bool is_freed; /* by the program */
    struct held *next;
} held;

static held *all;

static held **find(abi_Op op)
{
    held **h = &all;
    while (*h && (*h)->op != op)
        h = &(*h)->next;
    return h;
}

static bool is_predefined(abi_Op op)
{
    return (intptr_t)op >= 0 && (intptr_t)op < HUB_PREDEFINED;
}

void universe_operation_hold(abi_Op op)
{
    held **h = find(op);
    if (is_predefined(op))
        return;
    if (!*h && (*h = calloc(1, sizeof **h)))
        (*h)->op = op;
    if (*h)
        (*h)->calls++;
}

void universe_operation_release(abi_Op op)
{
    held **h = find(op), *one = *h;
    if (!one || --one->calls)
        return;
    *h = one->next;
    if (one->is_freed)
        universe.mpi->Op_free(&op);
    free(one);
}

int universe_Op_free(abi_Op *op)
{
    universe_enter();
    held *one = *find(*op);
    if (one) {
        one->is_freed = true;
        *op = (abi_Op)ABI_OP_NULL;
    }
    universe_exit();
    return one ? 0 : universe.mpi->Op_free(op);
}
