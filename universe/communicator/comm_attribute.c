/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/communicator/comm_attribute.h"

#include <stdlib.h>

#include "base/error.h"
#include "universe/communicator/keyval.h"
#include "universe/world/layer.h"
#include "universe/world/member_exchange.h"

struct universe_attribute {
    universe_keyval *key; /* held */
    void *value;
    struct universe_attribute *next;
};

static struct {
    int tag_ub, io, host, wtime_is_global, universe_size, appnum, has_universe_size;
} predefined;
/* Keys of MPI_COMM_SELF, the newest first: MPI_Finalize deletes these attributes while the world still stands. */
static struct universe_attribute *of_self;

/* Returns a predefined attribute of the job's MPI, or `without`. */
static int number_of_job(int keyval, int without)
{
    int *value = NULL, flag = 0;
    return !universe.mpi->Comm_get_attr((abi_Comm)ABI_COMM_WORLD, keyval, &value, &flag) && flag ? *value : without;
}

int universe_attributes_begin(void)
{
    enum { TAG, SIZE, APP, NUMBERS };
    int mine[NUMBERS] = {number_of_job(ABI_TAG_UB, 32767), number_of_job(ABI_UNIVERSE_SIZE, -1), number_of_job(ABI_APPNUM, 0)};
    int *all = malloc((size_t)universe.size * sizeof mine);
    int err = all ? universe_exchange(universe.comm, mine, sizeof mine, all) : h3ou__fail(H3OU__ENOMEM, "no memory for attributes");
    predefined.tag_ub = mine[TAG];
    predefined.io = ABI_ANY_SOURCE;
    predefined.host = ABI_PROC_NULL;
    predefined.has_universe_size = 1;
    for (int job = 0; job < universe.njob && !err; job++) {
        int applications = 1;
        for (int r = universe.first[job]; r < universe.first[job + 1]; r++) {
            const int *of = all + (size_t)r * NUMBERS;
            if (of[TAG] < predefined.tag_ub)
                predefined.tag_ub = of[TAG];
            if (of[APP] >= applications)
                applications = of[APP] + 1;
        }
        int slots = all[(size_t)universe.first[job] * NUMBERS + SIZE];
        predefined.has_universe_size = predefined.has_universe_size && slots > 0;
        predefined.universe_size += slots;
        if (job < universe.job)
            predefined.appnum += applications;
    }
    predefined.appnum += mine[APP];
    universe.tag_ub = predefined.tag_ub;
    free(all);
    return err;
}

static int *predefined_get(int keyval)
{
    switch (keyval) {
    case ABI_TAG_UB:
        return &predefined.tag_ub;
    case ABI_IO:
        return &predefined.io;
    case ABI_HOST:
        return &predefined.host;
    case ABI_WTIME_IS_GLOBAL:
        return &predefined.wtime_is_global;
    case ABI_UNIVERSE_SIZE:
        return predefined.has_universe_size ? &predefined.universe_size : NULL;
    case ABI_APPNUM:
        return &predefined.appnum;
    default:
        return NULL;
    }
}

static bool is_predefined(int keyval)
{
    return keyval >= ABI_TAG_UB && keyval <= ABI_LASTUSEDCODE;
}

static struct universe_attribute **attribute_find(struct universe_attribute **list, int keyval)
{
    while (*list && (*list)->key->number != keyval)
        list = &(*list)->next;
    return list;
}

static int attribute_add(struct universe_attribute **list, universe_keyval *key, void *value)
{
    struct universe_attribute *a = malloc(sizeof *a);
    if (!a)
        return ABI_ERR_NO_MEM;
    *a = (struct universe_attribute){key, value, *list};
    universe_keyval_hold(key);
    *list = a;
    return 0;
}

static void attribute_remove(struct universe_attribute **at)
{
    struct universe_attribute *a = *at;
    *at = a->next;
    universe_keyval_drop(a->key);
    free(a);
}

static int delete_call(universe_comm *c, const struct universe_attribute *a)
{
    return a->key->delete ? a->key->delete(universe_comm_handle(c), a->key->number, a->value, a->key->state) : 0;
}

int universe_Comm_get_attr(abi_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_get_attr(comm, comm_keyval, attribute_val, flag);
    if (comm_keyval == ABI_LASTUSEDCODE)
        return universe.mpi->Comm_get_attr((abi_Comm)ABI_COMM_WORLD, comm_keyval, attribute_val, flag);
    if (is_predefined(comm_keyval)) {
        int *value = predefined_get(comm_keyval);
        *flag = value != NULL;
        if (value)
            *(int **)attribute_val = value;
        return 0;
    }
    if (!universe_keyval_find(comm_keyval))
        return universe_fail(c, ABI_ERR_KEYVAL, "MPI_Comm_get_attr", "the keyval was not created by MPI_Comm_create_keyval");
    struct universe_attribute *a = *attribute_find(&c->attributes, comm_keyval);
    *flag = a != NULL;
    if (a)
        *(void **)attribute_val = a->value;
    return 0;
}

int universe_Comm_set_attr(abi_Comm comm, int comm_keyval, void *attribute_val)
{
    universe_comm *c = universe_comm_of(comm);
    universe_keyval *key = universe.comm ? universe_keyval_find(comm_keyval) : NULL;
    if (!c) {
        int code = universe.mpi->Comm_set_attr(comm, comm_keyval, attribute_val);
        if (!code && key && (intptr_t)comm == ABI_COMM_SELF && !*attribute_find(&of_self, comm_keyval))
            code = attribute_add(&of_self, key, NULL);
        return code;
    }
    if (!key)
        return universe_fail(c, ABI_ERR_KEYVAL, "MPI_Comm_set_attr", "the keyval was not created by MPI_Comm_create_keyval");
    struct universe_attribute *a = *attribute_find(&c->attributes, comm_keyval);
    int code = a ? delete_call(c, a) : 0;
    if (code)
        return universe_fail(c, code, "MPI_Comm_set_attr", "the delete function of the attribute returned %d", code);
    if (a)
        a->value = attribute_val;
    else
        code = attribute_add(&c->attributes, key, attribute_val);
    return code ? universe_fail(c, code, "MPI_Comm_set_attr", "no memory for an attribute") : 0;
}

int universe_Comm_delete_attr(abi_Comm comm, int comm_keyval)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_delete_attr(comm, comm_keyval);
    struct universe_attribute **at = attribute_find(&c->attributes, comm_keyval);
    if (!*at) {
        if (universe_keyval_find(comm_keyval))
            return 0;
        return universe_fail(c, ABI_ERR_KEYVAL, "MPI_Comm_delete_attr", "the keyval was not created by MPI_Comm_create_keyval");
    }
    int code = delete_call(c, *at);
    if (code)
        return universe_fail(c, code, "MPI_Comm_delete_attr", "the delete function of the attribute returned %d", code);
    attribute_remove(attribute_find(&c->attributes, comm_keyval));
    return 0;
}

int universe_attributes_copy(universe_comm *from, universe_comm *to)
{
    struct universe_attribute **end = &to->attributes;
    for (const struct universe_attribute *a = from->attributes; a; a = a->next) {
        void *value = a->value;
        int flag = universe_keyval_is_dup(a->key), code = 0;
        if (!flag && a->key->copy)
            code = a->key->copy(universe_comm_handle(from), a->key->number, a->key->state, a->value, &value, &flag);
        if (!code && flag)
            code = attribute_add(end, a->key, value);
        if (code)
            return code;
        while (*end)
            end = &(*end)->next;
    }
    return 0;
}

int universe_attributes_delete(universe_comm *c)
{
    while (c->attributes) {
        int code = delete_call(c, c->attributes);
        if (code)
            return code;
        attribute_remove(&c->attributes);
    }
    return 0;
}

void universe_attributes_end(void)
{
    while (of_self) {
        void *value;
        int flag = 0;
        if (!universe.mpi->Comm_get_attr((abi_Comm)ABI_COMM_SELF, of_self->key->number, &value, &flag) && flag)
            universe.mpi->Comm_delete_attr((abi_Comm)ABI_COMM_SELF, of_self->key->number);
        attribute_remove(&of_self);
    }
    universe_attributes_delete(universe.comm);
}
