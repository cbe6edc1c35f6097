/* SPDX-License-Identifier: BSD-3-Clause */
/* What the caller's waitio_req_t holds: the way to the request, and its result once it has ended. */
#ifndef WAITIO_HANDLE_H
#define WAITIO_HANDLE_H

#include "waitio/request.h"

void waitio__handle_set(waitio_req_t *req, uint64_t id);
/* *r NULL with 0: it has ended before. */
int waitio__handle_get(waitio__instance *in, const waitio_req_t *req, waitio__request **r);
/* The request copies its result into the handle, and goes. Answers its code. */
int waitio__handle_end(waitio_req_t *req, waitio__request *r);
/* Of one that has ended. */
int waitio__handle_status(const waitio_req_t *req, waitio_status_t *status);

#endif
