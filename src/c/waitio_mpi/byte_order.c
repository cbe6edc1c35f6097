/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/byte_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "waitio/request_handle.h"

bool waitio__byte_order_is_other = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/* Gives a request that has not ended what is to be done at its end. Takes copy. */
static int request_lend(waitio_req_t *req, int unit, void *copy)
{
    waitio__instance *in;
    waitio__request *r = NULL;
    int code = waitio__instance_enter(&in);
    if (!code && !waitio__request_handle_is_sent(req))
        code = waitio__request_handle_get(in, req, &r);
    if (r) {
        r->unit = unit;
        r->copy = copy;
    }
    waitio__instance_leave(in);
    if (!r)
        free(copy); /* the message was copied on its way already */
    return code;
}

int waitio__byte_order_isend(waitio_group_t group, int dst, const void *buf, size_t bytes, int unit, waitio_tag_t tag,
                             waitio_req_t *req)
{
    if (!waitio__byte_order_is_other || unit < 2 || !buf || !bytes)
        return waitio_isend(group, dst, (char *)(uintptr_t)buf, bytes, tag, req);
    char *copy = malloc(bytes);
    if (!copy)
        return h3ou__fail(H3OU__ENOMEM, "no memory for %zu bytes in the order of other machines", bytes);
    memcpy(copy, buf, bytes);
    waitio__request_reverse(copy, bytes, unit);
    int code = waitio_isend(group, dst, copy, bytes, tag, req);
    if (!code)
        return request_lend(req, 0, copy);
    free(copy);
    return code;
}

int waitio__byte_order_irecv(waitio_group_t group, int src, void *buf, size_t bytes, int unit, waitio_tag_t tag,
                             waitio_req_t *req)
{
    int code = waitio_irecv(group, src, buf, bytes, tag, req);
    return code || !waitio__byte_order_is_other || unit < 2 ? code : request_lend(req, unit, NULL);
}
