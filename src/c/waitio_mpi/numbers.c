/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/numbers.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "waitio_mpi.h"

enum { WORLD = -1 }; /* WAITIO_MPI_COMM_WORLD of waitio_mpif.h */

static struct {
    pthread_mutex_t lock;
    waitio_group_t *group; /* number 1 is at index 0 */
    int n;
    int64_t room;
} numbers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int append_group(waitio_group_t group)
{
    if (!h3ou__grow(&numbers.group, sizeof *numbers.group, &numbers.room, numbers.n + 1))
        return h3ou__no_memory("the number of a group");
    numbers.group[numbers.n++] = group;
    return H3OU__OK;
}

int waitio__numbers_add(waitio_group_t group, int *number)
{
    *number = 0;
    if (!group)
        return H3OU__OK;
    pthread_mutex_lock(&numbers.lock);
    int code = append_group(group);
    if (!code)
        *number = numbers.n;
    pthread_mutex_unlock(&numbers.lock);
    return code;
}

waitio_group_t waitio__numbers_find(int number)
{
    if (number == WORLD)
        return waitio_mpi_comm_world();
    pthread_mutex_lock(&numbers.lock);
    waitio_group_t group = number > 0 && number <= numbers.n ? numbers.group[number - 1] : NULL;
    pthread_mutex_unlock(&numbers.lock);
    return group;
}
