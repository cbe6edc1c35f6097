/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/numbers.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"

static struct {
    pthread_mutex_t lock;
    waitio_group_t *group; /* number 1 is at index 0 */
    int n, room;
} numbers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int add(waitio_group_t group)
{
    if (numbers.n == numbers.room) {
        int room = numbers.room ? 2 * numbers.room : 8;
        waitio_group_t *grown = realloc(numbers.group, sizeof *grown * (size_t)room);
        if (!grown)
            return h3ou__fail(H3OU__ENOMEM, "no memory for the number of a group");
        numbers.group = grown;
        numbers.room = room;
    }
    numbers.group[numbers.n++] = group;
    return H3OU__OK;
}

int waitio__numbers_add(waitio_group_t group, int *number)
{
    *number = 0;
    if (!group)
        return H3OU__OK;
    pthread_mutex_lock(&numbers.lock);
    int code = add(group);
    if (!code)
        *number = numbers.n;
    pthread_mutex_unlock(&numbers.lock);
    return code;
}

waitio_group_t waitio__numbers_find(int number)
{
    pthread_mutex_lock(&numbers.lock);
    waitio_group_t group = number > 0 && number <= numbers.n ? numbers.group[number - 1] : NULL;
    pthread_mutex_unlock(&numbers.lock);
    return group;
}
