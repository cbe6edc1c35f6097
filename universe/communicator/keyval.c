/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/communicator/keyval.h"

#include <stdlib.h>

#include "universe/world/layer.h"
#include "universe/world/waiting.h"

static const intptr_t COMM_DUP_FN = 1; /* of the hub, MPI_COMM_NULL_COPY_FN and MPI_COMM_NULL_DELETE_FN are 0 */
static universe_keyval *keyvals;

bool universe_keyval_is_dup(const universe_keyval *key)
{
    return (intptr_t)key->copy == COMM_DUP_FN;
}

universe_keyval *universe_keyval_find(int number)
{
    universe_enter();
    universe_keyval *k = keyvals;
    while (k && k->number != number)
        k = k->next;
    universe_exit();
    return k;
}

void universe_keyval_hold(universe_keyval *key)
{
    __atomic_add_fetch(&key->refs, 1, __ATOMIC_RELAXED);
}

void universe_keyval_drop(universe_keyval *key)
{
    if (__atomic_sub_fetch(&key->refs, 1, __ATOMIC_RELAXED))
        return;
    universe_enter();
    universe_keyval **at = &keyvals;
    while (*at != key)
        at = &(*at)->next;
    *at = key->next;
    universe_exit();
    universe.mpi->Comm_free_keyval(&key->number);
    free(key);
}

int universe_Comm_create_keyval(abi_Comm_copy_attr_function *comm_copy_attr_fn, abi_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval,
                                void *extra_state)
{
    int code = universe.mpi->Comm_create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
    if (code || !universe.comm)
        return code;
    universe_keyval *key = malloc(sizeof *key);
    if (!key)
        return universe_fail(NULL, ABI_ERR_NO_MEM, "MPI_Comm_create_keyval", "no memory for a keyval");
    universe_enter();
    *key = (universe_keyval){*comm_keyval, comm_copy_attr_fn, comm_delete_attr_fn, extra_state, 1, keyvals};
    keyvals = key;
    universe_exit();
    return 0;
}

int universe_Comm_free_keyval(int *comm_keyval)
{
    universe_keyval *key = universe.comm ? universe_keyval_find(*comm_keyval) : NULL;
    if (!key)
        return universe.mpi->Comm_free_keyval(comm_keyval);
    *comm_keyval = ABI_KEYVAL_INVALID;
    universe_keyval_drop(key);
    return 0;
}
