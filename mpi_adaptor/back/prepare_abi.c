/* SPDX-License-Identifier: BSD-3-Clause */
/* Error codes of a library of the standard ABI: predefined classes are the hub's, other codes hold whatever the library
 * likes. A program compares with classes, so a code becomes its class, unless the program has added it. */
#include PIECE_HEADER

#include <pthread.h>

static int *added, added_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void real_prepare(bool is_beside)
{
    (void)is_beside;
}

/* The hub's number of a code that was added, 0 for others. */
static int number_find(int native)
{
    int number = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < added_count && !number; i++)
        if (added[i] == native)
            number = ABI_LASTCODE + 1 + i;
    pthread_mutex_unlock(&lock);
    return number;
}

int code_added(int native)
{
    int number = number_find(native);
    if (number)
        return number;
    pthread_mutex_lock(&lock);
    int *more = realloc(added, sizeof *added * ((size_t)added_count + 1));
    if (!more)
        hub_end("no memory for an error code");
    added = more;
    added[added_count++] = native;
    number = ABI_LASTCODE + added_count;
    pthread_mutex_unlock(&lock);
    return number;
}

int code_native(int hub)
{
    int native = ABI_ERR_UNKNOWN;
    pthread_mutex_lock(&lock);
    if (hub - ABI_LASTCODE <= added_count)
        native = added[hub - ABI_LASTCODE - 1];
    pthread_mutex_unlock(&lock);
    return native;
}

int code_hub(int native)
{
    int number = number_find(native), class = ABI_ERR_UNKNOWN;
    if (number)
        return number;
    if (native > 0 && native <= ABI_LASTCODE)
        return native;
    if (real.Error_class(native, &class) != 0)
        return ABI_ERR_UNKNOWN;
    number = number_find(class);
    return number ? number : class > 0 && class <= ABI_LASTCODE ? class : ABI_ERR_UNKNOWN;
}
