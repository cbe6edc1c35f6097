/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of the model itself between processes of a coupled run, beside the exchange of fields. A part of h3ou.h, which
 * includes it; what is said there of all calls holds here, too.
 */
#ifndef H3OU_MESSAGES_H
#define H3OU_MESSAGES_H

#include "h3ou.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Broadcasts from rank 0 of one component to every process of every component.
 *   ctx: the context
 *   source: name of the component whose rank 0 sends
 *   data: in on rank 0 of source, elsewhere out, [count]
 *   count: number of elements, the same on all sides
 *   type: enum h3ou_type
 * Collective: all processes of all components.
 * Errors: H3OU_ENAME: no such component; H3OU_ESIZE, H3OU_ETRUNC: the sizes differ; H3OU_EPEER, H3OU_ETIMEOUT: the other process.
 */
H3OU_API int h3ou_bcast_global(h3ou_ctx *ctx, const char *source, void *data, int64_t count, int type);

/* Broadcasts from rank 0 of one component to every process of two components.
 *   ctx: the context
 *   source, target: names of the component whose rank 0 sends, and of the other one
 *   data: in on rank 0 of source, elsewhere out, [count]
 *   count: number of elements, the same on all sides
 *   type: enum h3ou_type
 * Collective: all processes of both components.
 * Errors: H3OU_ENAME: no such component; H3OU_ESIZE, H3OU_ETRUNC: the sizes differ; H3OU_EPEER, H3OU_ETIMEOUT: the other process.
 */
H3OU_API int h3ou_bcast_model(h3ou_ctx *ctx, const char *source, const char *target, void *data, int64_t count,
                              int type);

/* Broadcasts inside my component.
 *   ctx: the context
 *   source_rank: rank that sends, from 0
 *   data: in on that rank, elsewhere out, [count]
 *   count: number of elements, the same on all sides
 *   type: enum h3ou_type
 * Collective: all processes of my component.
 * Errors: H3OU_EARG: no such rank; H3OU_EMPI.
 */
H3OU_API int h3ou_bcast_local(h3ou_ctx *ctx, int source_rank, void *data, int64_t count, int type);

/* Sends from rank 0 of my component to every process of another one, which calls h3ou_recv.
 *   ctx: the context
 *   target: name of the component that receives
 *   data: in, [count]; what rank 0 passes counts
 *   count: number of elements, the same on all sides
 *   type: enum h3ou_type
 * Collective: all processes of both components.
 * Errors: H3OU_ENAME: no such component; H3OU_ESIZE, H3OU_ETRUNC: the sizes differ; H3OU_EPEER, H3OU_ETIMEOUT: the other process.
 */
H3OU_API int h3ou_send(h3ou_ctx *ctx, const char *target, const void *data, int64_t count, int type);

/* Receives what another component sends with h3ou_send, on every process of mine.
 *   ctx: the context
 *   source: name of the component that sends
 *   data: out, [count]
 *   count: number of elements, the same on all sides
 *   type: enum h3ou_type
 * Collective: all processes of both components.
 * Errors: H3OU_ENAME: no such component; H3OU_ESIZE, H3OU_ETRUNC: the sizes differ; H3OU_EPEER, H3OU_ETIMEOUT: the other process.
 */
H3OU_API int h3ou_recv(h3ou_ctx *ctx, const char *source, void *data, int64_t count, int type);

/* Sends to one process of another component, or of mine. h3ou_isend_model only starts: h3ou_isend_waitall completes it, and
 * borrows data until then.
 *   ctx: the context
 *   target: name of the component that receives
 *   rank: rank in it, from 0
 *   data: in, [count]
 *   count: number of elements, the same on all sides
 *   type: enum h3ou_type
 * Collective: no.
 * Errors: H3OU_ENAME: no such component; H3OU_ESIZE, H3OU_ETRUNC: the sizes differ; H3OU_EPEER, H3OU_ETIMEOUT: the other process.
 */
H3OU_API int h3ou_send_model(h3ou_ctx *ctx, const char *target, int rank, const void *data, int64_t count, int type);
H3OU_API int h3ou_isend_model(h3ou_ctx *ctx, const char *target, int rank, const void *data, int64_t count, int type);

/* Receives from one process of another component, or of mine. h3ou_irecv_model only starts: h3ou_irecv_waitall completes it, and
 * borrows data until then.
 *   ctx: the context
 *   source: name of the component that sends
 *   rank: rank in it, from 0
 *   data: out, [count]
 *   count: number of elements, the same on all sides
 *   type: enum h3ou_type
 * Collective: no.
 * Errors: H3OU_ENAME: no such component; H3OU_ESIZE, H3OU_ETRUNC: the sizes differ; H3OU_EPEER, H3OU_ETIMEOUT: the other process.
 */
H3OU_API int h3ou_recv_model(h3ou_ctx *ctx, const char *source, int rank, void *data, int64_t count, int type);
H3OU_API int h3ou_irecv_model(h3ou_ctx *ctx, const char *source, int rank, void *data, int64_t count, int type);

/* Sends to one process of my component, which calls h3ou_recv_local.
 *   ctx: the context
 *   rank: rank in my component, from 0
 *   data: in, [count]
 *   count: number of elements, the same on both sides
 *   type: enum h3ou_type
 * Collective: no.
 * Errors: H3OU_EARG: no such rank; H3OU_ETRUNC: the sizes differ; H3OU_EMPI.
 */
H3OU_API int h3ou_send_local(h3ou_ctx *ctx, int rank, const void *data, int64_t count, int type);

/* Receives from one process of my component, which calls h3ou_send_local.
 *   ctx: the context
 *   rank: rank in my component, from 0
 *   data: out, [count]
 *   count: number of elements, the same on both sides
 *   type: enum h3ou_type
 * Collective: no.
 * Errors: H3OU_EARG: no such rank; H3OU_ESIZE, H3OU_ETRUNC: the sizes differ; H3OU_EMPI.
 */
H3OU_API int h3ou_recv_local(h3ou_ctx *ctx, int rank, void *data, int64_t count, int type);

/* Complete what h3ou_isend_model and h3ou_irecv_model have started.
 *   ctx: the context
 * Collective: no.
 * Errors: H3OU_EPEER, H3OU_ETIMEOUT: the other process; H3OU_ETRUNC: a message is longer than its array.
 */
H3OU_API int h3ou_isend_waitall(h3ou_ctx *ctx);
H3OU_API int h3ou_irecv_waitall(h3ou_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
