/* SPDX-License-Identifier: BSD-3-Clause */
/* What the caller's waitio_req_t holds: the way to the request, and its result once it has ended. */
#ifndef WAITIO_HANDLE_H
#define WAITIO_HANDLE_H

#include "waitio/request.h"

void waitio__handle_set(waitio_req_t *req, uint64_t id);
/* Of a message that left at once: there is no request. */
void waitio__handle_sent(waitio_req_t *req, int rank, int64_t tag, uint64_t length);
/* It did, and its end has not been told yet. */
bool waitio__handle_is_sent(const waitio_req_t *req);
/* *r NULL with 0: it has ended, and that is told now, or was before. */
int waitio__handle_get(waitio__instance *in, waitio_req_t *req, waitio__request **r);
/* The request copies its result into the handle, and goes. Answers its code. */
int waitio__handle_end(waitio_req_t *req, waitio__request *r);
/* Of one that has ended. */
int waitio__handle_status(const waitio_req_t *req, waitio_status_t *status);

#endif
