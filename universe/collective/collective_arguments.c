/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/collective/collective_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "universe/collective/held_operation.h"

static bool is_predefined(abi_Datatype type)
{
    return (intptr_t)type >= 0 && (intptr_t)type < HUB_PREDEFINED;
}

/* A type of one element: MPI_Type_dup would call the program's functions that copy attributes. */
static int hold_type(abi_Datatype *type)
{
    abi_Datatype held;
    if (is_predefined(*type))
        return H3OU__OK;
    if (universe.mpi->Type_contiguous(1, *type, &held) || universe.mpi->Type_commit(&held))
        return h3ou__fail(H3OU__EMPI, "a type of a collective call cannot be held");
    *type = held;
    return H3OU__OK;
}

static void release_type(abi_Datatype *type)
{
    if (!is_predefined(*type))
        universe.mpi->Type_free(type);
}

static int copy_numbers(universe_numbers *numbers, int n)
{
    size_t bytes = (size_t)n * (numbers->are_long ? sizeof(int64_t) : sizeof(int));
    void *copy;
    if (!numbers->at)
        return H3OU__OK;
    if (!(copy = malloc(bytes + 1)))
        return h3ou__no_memory("a collective call");
    numbers->at = memcpy(copy, numbers->at, bytes);
    return H3OU__OK;
}

static int hold_side(universe_side *side, int n)
{
    const abi_Datatype *given = side->types;
    universe_side copy = *side;
    copy.types = NULL;
    int err = copy_numbers(&copy.counts, n);
    if (err)
        copy.counts.at = NULL;
    if (!err && (err = copy_numbers(&copy.places, n)))
        copy.places.at = NULL;
    if (!err && !given)
        err = hold_type(&copy.type);
    if (!err && given) {
        abi_Datatype *types = calloc((size_t)n + 1, sizeof *types); /* zeros are predefined */
        err = types ? H3OU__OK : h3ou__no_memory("a collective call");
        for (int i = 0; i < n && !err; i++) {
            types[i] = given[i];
            err = hold_type(&types[i]);
        }
        copy.types = types;
    }
    *side = copy;
    return err;
}

static void release_side(universe_side *side, int n)
{
    abi_Datatype *types = (abi_Datatype *)(uintptr_t)side->types;
    free((void *)(uintptr_t)side->counts.at);
    free((void *)(uintptr_t)side->places.at);
    for (int i = 0; i < n && types; i++)
        release_type(&types[i]);
    if (!types)
        release_type(&side->type);
    free(types);
}

/* A side that the call does not use has a type that stands for none, and no arrays. */
static void clear_side(universe_side *side)
{
    *side = (universe_side){.buf = side->buf, .type = (abi_Datatype)ABI_DATATYPE_NULL};
}

static int elements_of(int given, const universe_comm *c)
{
    return given ? (given > 0 ? given : 0) : c->size;
}

int universe_arguments_hold(universe_arguments *a, const universe_comm *c)
{
    int nsend = elements_of(a->nsend, c), nrecv = elements_of(a->nrecv, c);
    if (universe_is_in_place(a->send.buf) || (a->send_is_for_root && c->rank != a->root))
        clear_side(&a->send);
    if (universe_is_in_place(a->recv.buf) || (a->recv_is_for_root && c->rank != a->root))
        clear_side(&a->recv);
    int err = hold_side(&a->send, nsend);
    if (err)
        clear_side(&a->recv); /* what is released then is not the program's */
    else
        err = hold_side(&a->recv, nrecv);
    if (err)
        a->op = 0;
    if (!err && a->op)
        universe_operation_hold(a->op);
    return err;
}

void universe_arguments_release(universe_arguments *a, const universe_comm *c)
{
    release_side(&a->send, elements_of(a->nsend, c));
    release_side(&a->recv, elements_of(a->nrecv, c));
    if (a->op)
        universe_operation_release(a->op);
}
