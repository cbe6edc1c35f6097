/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_adaptor/piece/kept.h"

#include <pthread.h>
#include <stdlib.h>

#include "mpi_adaptor/hub/complaint.h"

struct kept {
    struct kept *next;
    void *memory;
    intptr_t request;
};

int kept_count;
static struct kept *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void kept_until(void *memory, intptr_t request)
{
    struct kept *kept = malloc(sizeof *kept);
    if (!kept)
        hub_end("no memory for what a request keeps");
    pthread_mutex_lock(&lock);
    *kept = (struct kept){all, memory, request};
    all = kept;
    kept_count++;
    pthread_mutex_unlock(&lock);
}

void kept_release(intptr_t request)
{
    pthread_mutex_lock(&lock);
    for (struct kept **link = &all; *link;) {
        struct kept *kept = *link;
        if (kept->request != request) {
            link = &kept->next;
            continue;
        }
        *link = kept->next;
        kept_count--;
        free(kept->memory);
        free(kept);
    }
    pthread_mutex_unlock(&lock);
}
