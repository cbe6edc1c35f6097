/* SPDX-License-Identifier: BSD-3-Clause */
/* What the caller's waitio_req_t holds: the id of the request, and its result once it has ended. */
#ifndef WAITIO_REQUEST_HANDLE_H
#define WAITIO_REQUEST_HANDLE_H

#include "waitio/message/request.h"

void waitio__request_handle_set(waitio_req_t *req, uint64_t id);
/* Of a message that was copied and put on its way at once: there is no request. peer: the receiver's number over all
 * processes; end: the position of the stream to it behind the message's last byte. */
void waitio__request_handle_sent(waitio_req_t *req, int rank, int64_t tag, uint64_t length, int peer, uint64_t end);
/* True while the end of such a message has not been told to the caller. */
bool waitio__request_handle_is_sent(const waitio_req_t *req);
/* Where it goes and its end, as given to waitio__request_handle_sent. */
int waitio__request_handle_sent_to(const waitio_req_t *req, uint64_t *end);
void waitio__request_handle_describe(const waitio_req_t *req, int64_t *tag, uint64_t *length);
/* Its end is told now; returns code. */
int waitio__request_handle_end_sent(waitio_req_t *req, int code);
/* *r NULL with 0: it has ended, and that was told before. Not for a handle that is sent
 * (waitio__request_handle_is_sent). */
int waitio__request_handle_get(waitio__instance *in, waitio_req_t *req, waitio__request **r);
/* True when its end has been told: it has a status. */
bool waitio__request_handle_is_ended(const waitio_req_t *req);
/* Copies the request's result into the handle, and releases the request. Returns its code. */
int waitio__request_handle_end(waitio_req_t *req, waitio__request *r);
/* Of one that has ended: returns its code once more; the sentence of an error no longer says more than its class. */
int waitio__request_handle_end_again(const waitio_req_t *req);
/* Of one that has ended. */
int waitio__request_handle_status(const waitio_req_t *req, waitio_status_t *status);

#endif
