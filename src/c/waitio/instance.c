/* SPDX-License-Identifier: BSD-3-Clause */
/* The instance of this process, and the public calls about it. */
#include "waitio/instance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"

static const double DEFAULT_PATIENCE = 3600.0;
enum { DEFAULT_EAGER = 16 * 1024, DEFAULT_SEGMENT = 256 * 1024 };

waitio__instance *waitio__me;
static char my_name[128]; /* may be set before there is an instance */

int waitio__instance_create(waitio__instance **out)
{
    int64_t eager, segment;
    waitio__instance *w = calloc(1, sizeof *w);
    if (!w || !(w->stage = malloc(WAITIO__STAGE))) {
        free(w);
        return h3ou__fail(H3OU__ENOMEM, "out of memory");
    }
    w->listener.fd = w->master.fd = w->epoll = -1;
    int err = h3ou__env_int("WAITIO_EAGER_LIMIT", 0, 1 << 24, DEFAULT_EAGER, &eager);
    if (!err)
        err = h3ou__env_int("WAITIO_SEGMENT", 4096, 1 << 30, DEFAULT_SEGMENT, &segment);
    if (!err)
        err = h3ou__env_real("WAITIO_PATIENCE", DEFAULT_PATIENCE, &w->patience);
    if (!err)
        err = waitio__progress_open(w);
    if (err) {
        waitio__instance_free(w);
        return err;
    }
    w->eager_limit = (uint64_t)eager;
    w->segment = (uint64_t)segment;
    memcpy(w->name, my_name, sizeof w->name);
    *out = w;
    return H3OU__OK;
}

void waitio__instance_free(waitio__instance *w)
{
    for (waitio__conn *c = w->conns; c; c = c->next)
        waitio__conn_close(c);
    waitio__conns_sweep(w);
    if (w->listener.fd >= 0)
        w->listener.conduit->close(&w->listener);
    if (w->master.fd >= 0)
        w->master.conduit->close(&w->master);
    waitio__requests_free(w);
    waitio__peers_free(w);
    if (w->epoll >= 0)
        waitio__unwatch(w, -1);
    free(w->first);
    free(w->endpoint);
    free(w->stage);
    free(w);
}

void waitio__fail_instance(waitio__instance *w, int code, const char *format, ...)
{
    if (w->failed)
        return; /* the first cause is the one to tell */
    va_list args;
    va_start(args, format);
    vsnprintf(w->failure, sizeof w->failure, format, args);
    va_end(args);
    w->failed = code;
}

int waitio__check(void)
{
    if (!waitio__me)
        return h3ou__fail(H3OU__ESTATE, "WaitIO: waitio_init comes first");
    if (waitio__me->failed)
        return h3ou__fail(waitio__me->failed, "%s", waitio__me->failure);
    return H3OU__OK;
}

int waitio__pb_of(const waitio__instance *w, int rank)
{
    int low = 0, high = w->npb;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (rank >= w->first[middle])
            low = middle;
        else
            high = middle;
    }
    return low;
}

int waitio__endpoint(const waitio__instance *w, int rank, h3ou__addr *out)
{
    return h3ou__addr_read(w->endpoint + (size_t)rank * H3OU__ADDR_BYTES, out);
}

const char *waitio_error(void)
{
    return h3ou__fail_text();
}

const char *waitio_strerror(int code)
{
    return h3ou__strerror(code);
}

int waitio_set_name(const char *name)
{
    snprintf(my_name, sizeof my_name, "%s", name);
    if (waitio__me)
        memcpy(waitio__me->name, my_name, sizeof my_name);
    return H3OU__OK;
}

int waitio_set_patience(double seconds)
{
    int err = waitio__check();
    if (!err)
        waitio__me->patience = seconds;
    return err;
}

int waitio_pb_rank(int *rankp)
{
    int err = waitio__check();
    if (!err)
        *rankp = waitio__me->pb;
    return err;
}

int waitio_pb_size(int *sizep)
{
    int err = waitio__check();
    if (!err)
        *sizep = waitio__me->npb;
    return err;
}

int waitio_get_nprocs_fill(int *array)
{
    int err = waitio__check();
    for (int pb = 0; !err && pb < waitio__me->npb; pb++)
        array[pb] = waitio__me->first[pb + 1] - waitio__me->first[pb];
    return err;
}

int waitio_get_nprocs_alloc(int **array)
{
    int err = waitio__check();
    if (err)
        return err;
    *array = malloc(sizeof **array * (size_t)waitio__me->npb);
    return *array ? waitio_get_nprocs_fill(*array) : h3ou__fail(H3OU__ENOMEM, "out of memory");
}

int waitio_progress(double seconds)
{
    int err = waitio__check();
    if (!err)
        err = waitio__progress(waitio__me, seconds, NULL);
    return err ? err : waitio__check();
}
