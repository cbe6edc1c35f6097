/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/world/handlers.h"

#include <pthread.h>
#include <stdlib.h>

#include "universe/world/jobs.h"

static universe_handler *handlers; /* kept until the process ends: communicators inside a job may still have one that was freed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

universe_handler *universe_handler_find(abi_Errhandler handle)
{
    pthread_mutex_lock(&lock);
    universe_handler *h = handlers;
    while (h && h->handle != handle)
        h = h->next;
    pthread_mutex_unlock(&lock);
    return h;
}

bool universe_handler_add(abi_Errhandler handle, abi_Comm_errhandler_function *function)
{
    universe_handler *h = universe_handler_find(handle);
    if (!h) {
        h = calloc(1, sizeof *h);
        if (!h)
            return false;
        h->handle = handle;
        pthread_mutex_lock(&lock);
        h->next = handlers;
        handlers = h;
        pthread_mutex_unlock(&lock);
    }
    h->function = function;
    h->refs = 1;
    return true;
}

void universe_handler_hold(abi_Errhandler handle)
{
    universe_handler *h = universe_handler_find(handle);
    if (h)
        __atomic_add_fetch(&h->refs, 1, __ATOMIC_RELAXED);
}

void universe_handler_drop(abi_Errhandler handle)
{
    universe_handler *h = universe_handler_find(handle);
    if (h && __atomic_sub_fetch(&h->refs, 1, __ATOMIC_RELAXED) == 0)
        universe.mpi->Errhandler_free(&handle);
}
