/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/request_handle.h"

#include <string.h>

/* Places in the handle's words. ENDED: 0, a request exists, and its number is at ID; 1, it has ended; 2, the message
 * was copied and put on its way at once without a request, and the program has not asked for its end yet: PEER is then
 * the receiver's number, and END the position in the stream behind the message. */
enum {
    MARK = 0,
    ENDED = 1,
    ID = 2,
    ARRIVED = 4,
    LENGTH = 6,
    TAG = 8,
    SOURCE = 10,
    CODE = 11,
    CANCELLED = 12,
    PEER = 13,
    END = 14
};
static const int mark = 0x57494f52;

void waitio__request_handle_set(waitio_req_t *req, uint64_t id)
{
    req->opaque[MARK] = mark;
    req->opaque[ENDED] = 0;
    memcpy(&req->opaque[ID], &id, sizeof id);
}

void waitio__request_handle_sent(waitio_req_t *req, int rank, int64_t tag, uint64_t length, int peer, uint64_t end)
{
    req->opaque[MARK] = mark;
    req->opaque[ENDED] = 2;
    req->opaque[CODE] = 0;
    req->opaque[CANCELLED] = 0;
    memcpy(&req->opaque[ARRIVED], &length, sizeof length);
    memcpy(&req->opaque[LENGTH], &length, sizeof length);
    memcpy(&req->opaque[TAG], &tag, sizeof tag);
    req->opaque[SOURCE] = rank;
    req->opaque[PEER] = peer;
    memcpy(&req->opaque[END], &end, sizeof end);
}

int waitio__request_handle_sent_to(const waitio_req_t *req, uint64_t *end)
{
    memcpy(end, &req->opaque[END], sizeof *end);
    return req->opaque[PEER];
}

void waitio__request_handle_describe(const waitio_req_t *req, int64_t *tag, uint64_t *length)
{
    memcpy(tag, &req->opaque[TAG], sizeof *tag);
    memcpy(length, &req->opaque[LENGTH], sizeof *length);
}

int waitio__request_handle_end_sent(waitio_req_t *req, int code)
{
    req->opaque[ENDED] = 1;
    req->opaque[CODE] = code;
    return code;
}

bool waitio__request_handle_is_sent(const waitio_req_t *req)
{
    return req && req->opaque[MARK] == mark && req->opaque[ENDED] == 2;
}

int waitio__request_handle_end(waitio_req_t *req, waitio__request *r)
{
    bool is_receive = r->kind == WAITIO__RECV;
    uint64_t arrived = is_receive ? r->arrived : r->length, length = is_receive ? r->expected : r->length;
    int code = r->code;
    if (r->unit)
        waitio__request_reverse(r->data, (size_t)r->arrived, r->unit);
    req->opaque[ENDED] = 1;
    memcpy(&req->opaque[ARRIVED], &arrived, sizeof arrived);
    memcpy(&req->opaque[LENGTH], &length, sizeof length);
    memcpy(&req->opaque[TAG], &r->tag, sizeof r->tag);
    req->opaque[SOURCE] = r->rank;
    req->opaque[CODE] = code;
    req->opaque[CANCELLED] = r->is_cancelled;
    if (code)
        h3ou__fail(code, "%s", r->why ? r->why : h3ou__strerror(code));
    waitio__request_release(r);
    return code;
}

bool waitio__request_handle_is_ended(const waitio_req_t *req)
{
    return req && req->opaque[MARK] == mark && req->opaque[ENDED] == 1;
}

int waitio__request_handle_end_again(const waitio_req_t *req)
{
    int code = req->opaque[CODE];
    return code ? h3ou__fail(code, "the request has ended with this error before: %s", h3ou__strerror(code)) : H3OU__OK;
}

int waitio__request_handle_get(waitio__instance *in, waitio_req_t *req, waitio__request **r)
{
    uint64_t id;
    *r = NULL;
    if (!req || req->opaque[MARK] != mark)
        return h3ou__fail(H3OU__EARG, "the request was not made by waitio_isend or waitio_irecv");
    if (req->opaque[ENDED])
        return H3OU__OK;
    memcpy(&id, &req->opaque[ID], sizeof id);
    *r = waitio__request_find(in, id);
    if (!*r)
        return h3ou__fail(H3OU__EARG,
                          "the request has been completed by another copy of it, or is of an earlier instance");
    return H3OU__OK;
}

int waitio__request_handle_status(const waitio_req_t *req, waitio_status_t *status)
{
    uint64_t length;
    if (!waitio__request_handle_is_ended(req))
        return h3ou__fail(H3OU__EARG, "the request is not complete");
    if (!status)
        return H3OU__OK;
    memcpy(&length, &req->opaque[LENGTH], sizeof length);
    memcpy(&status->tag, &req->opaque[TAG], sizeof status->tag);
    status->length = (size_t)length;
    status->source = req->opaque[SOURCE];
    status->error = req->opaque[CODE];
    status->is_cancelled = req->opaque[CANCELLED];
    return H3OU__OK;
}

int waitio_get_status(const waitio_req_t *req, waitio_status_t *status)
{
    if (!status)
        return h3ou__fail(H3OU__EARG, "waitio_get_status: status is NULL");
    return waitio__request_handle_status(req, status);
}

int waitio_received(const waitio_req_t *req, size_t *len)
{
    uint64_t arrived;
    if (!len || !waitio__request_handle_is_ended(req))
        return h3ou__fail(H3OU__EARG, "waitio_received: %s", len ? "the request is not complete" : "len is NULL");
    memcpy(&arrived, &req->opaque[ARRIVED], sizeof arrived);
    *len = (size_t)arrived;
    return H3OU__OK;
}
