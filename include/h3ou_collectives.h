/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls of the model itself, beside the exchange of fields, on four kinds of communicators: inside a job by its own MPI,
 * between jobs by WaitIO. A part of h3ou.h, which includes it; what is said there of all calls holds here, too.
 *
 * All processes of a communicator make the same calls in the same order, with the same comm, root, type, op and sizes where nothing
 * else is said. count: elements, counts and displs, too; displs may be NULL for parts that stand one after the other. Only the root
 * reads counts and displs of a gather or scatter. send and recv do not overlap unless it is said that they may be the same.
 */
#ifndef H3OU_COLLECTIVES_H
#define H3OU_COLLECTIVES_H

#include "h3ou.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Communicators. Global: all processes of all components (with members of ensembles: of the members that have the number of mine);
 * Leader: rank 0 of each component, in the order that they have in Global; Local: my component. h3ou_comm_model returns others. */
enum h3ou_comm { H3OU_COMM_GLOBAL, H3OU_COMM_LEADER, H3OU_COMM_LOCAL };

/* Operations of reductions; h3ou_op_create returns others. */
enum h3ou_op { H3OU_OP_SUM, H3OU_OP_MIN, H3OU_OP_MAX };

/* Returns the communicator of two components: the processes of the first one, then those of the second one.
 *   ctx: the context
 *   first, second: their names, one of which is mine; both sides name them in the same order
 *   comm: out, its number
 * Collective: no.
 * Errors: H3OU_ENAME: no such component; H3OU_EARG: neither is mine, or both are.
 */
H3OU_API int h3ou_comm_model(h3ou_ctx *ctx, const char *first, const char *second, int *comm);

/* Return my rank in a communicator, from 0, or -1 in Leader where I am no rank 0; and the number of its processes.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   rank: out, my rank
 *   size: out, the number of processes
 * Collective: no.
 * Errors: H3OU_EARG: no communicator has this number, or this process is in none of its components.
 */
H3OU_API int h3ou_comm_rank(h3ou_ctx *ctx, int comm, int *rank);
H3OU_API int h3ou_comm_size(h3ou_ctx *ctx, int comm, int *size);

/* A function of the program as the operation of a reduction: sets inout[i] to in[i] op inout[i], where in stands for the lower ranks.
 * It gets `count` elements at a time, of the type of the call; which elements these are is not said. user: as given to
 * h3ou_op_create. */
typedef void h3ou_function(const void *in, void *inout, int64_t count, int type, void *user);

/* Makes an operation of a function, which must be associative. It is called on processes of the communicator only while they are in a
 * reduction with it. Sums of reals have the same bits in each run with the same processes and jobs.
 *   ctx: the context
 *   function: the function, to be there until h3ou_op_free or the end of the run
 *   user: passed to it, may be NULL
 *   commutes: 0: a op b is not b op a, and the operands stand in the order of ranks
 *   op: out, the operation
 * Collective: no, but all processes that take part in a reduction with it make one.
 * Errors: H3OU_EARG: function is missing.
 */
H3OU_API int h3ou_op_create(h3ou_ctx *ctx, h3ou_function *function, void *user, int commutes, int *op);

/* Frees an operation of h3ou_op_create.
 *   ctx: the context
 *   op: the operation
 * Collective: no.
 * Errors: H3OU_EARG: op is no such operation.
 */
H3OU_API int h3ou_op_free(h3ou_ctx *ctx, int op);

/* Returns when all processes of a communicator have called it.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 * Collective: all processes of comm.
 * Errors: H3OU_EARG: an argument; H3OU_EPEER, H3OU_ETIMEOUT: other processes, which are named; H3OU_EMPI.
 */
H3OU_API int h3ou_barrier(h3ou_ctx *ctx, int comm);

/* Broadcasts from one process of a communicator to all.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   root: rank in comm that sends
 *   data: in at the root, elsewhere out, [count]
 *   count: number of elements
 *   type: enum h3ou_type
 * Collective: all processes of comm.
 * Errors: as of h3ou_barrier.
 */
H3OU_API int h3ou_bcast(h3ou_ctx *ctx, int comm, int root, void *data, int64_t count, int type);

/* Gathers parts of one size, or of different sizes, at the root.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   root: rank in comm that gets all
 *   send: in, my part, [count]
 *   count: elements of my part
 *   recv: out at the root, elsewhere not used: the parts of all ranks
 *   counts, displs: in at the root, [size of comm], elements of each rank's part, and where in recv it begins
 *   type: enum h3ou_type
 * Collective: all processes of comm.
 * Errors: as of h3ou_barrier; H3OU_ETRUNC: a part has another size than the root says.
 */
H3OU_API int h3ou_gather(h3ou_ctx *ctx, int comm, int root, const void *send, int64_t count, void *recv, int type);
H3OU_API int h3ou_gatherv(h3ou_ctx *ctx, int comm, int root, const void *send, int64_t count, void *recv, const int64_t counts[],
                          const int64_t displs[], int type);

/* Scatters parts of one size, or of different sizes, from the root.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   root: rank in comm that has all
 *   send: in at the root, elsewhere not used: the parts of all ranks
 *   counts, displs: in at the root, [size of comm], elements of each rank's part, and where in send it begins
 *   recv: out, my part, [count]
 *   count: elements of my part
 *   type: enum h3ou_type
 * Collective: all processes of comm.
 * Errors: as of h3ou_barrier; H3OU_ETRUNC: my part has another size than the root says.
 */
H3OU_API int h3ou_scatter(h3ou_ctx *ctx, int comm, int root, const void *send, void *recv, int64_t count, int type);
H3OU_API int h3ou_scatterv(h3ou_ctx *ctx, int comm, int root, const void *send, const int64_t counts[], const int64_t displs[],
                           void *recv, int64_t count, int type);

/* Gathers parts of one size, or of different sizes, at all processes.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   send: in, my part
 *   count: elements of each part
 *   recv: out, the parts of all ranks
 *   counts, displs: [size of comm], elements of each rank's part, and where in recv it begins; counts are the same everywhere
 *   type: enum h3ou_type
 * Collective: all processes of comm.
 * Errors: as of h3ou_barrier.
 */
H3OU_API int h3ou_allgather(h3ou_ctx *ctx, int comm, const void *send, int64_t count, void *recv, int type);
H3OU_API int h3ou_allgatherv(h3ou_ctx *ctx, int comm, const void *send, void *recv, const int64_t counts[], const int64_t displs[],
                             int type);

/* Sends a part to each process, and gets one from each.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   send: in, a part for each rank
 *   recv: out, a part of each rank
 *   count: elements of each part
 *   send_counts, send_displs: [size of comm], elements of the part for each rank, and where in send it begins
 *   recv_counts, recv_displs: [size of comm], elements of the part of each rank, and where in recv it begins
 *   type: enum h3ou_type
 * Collective: all processes of comm.
 * Errors: as of h3ou_barrier; H3OU_ETRUNC: a part is longer than its receiver says.
 */
H3OU_API int h3ou_alltoall(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type);
H3OU_API int h3ou_alltoallv(h3ou_ctx *ctx, int comm, const void *send, const int64_t send_counts[], const int64_t send_displs[],
                            void *recv, const int64_t recv_counts[], const int64_t recv_displs[], int type);

/* Combines the values of all processes, at the root, or at all.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   root: rank in comm that gets the result
 *   send: in, [count]
 *   recv: out at the root, or everywhere, [count]; may be send
 *   count: number of elements
 *   type: enum h3ou_type; bytes only with an operation of h3ou_op_create
 *   op: enum h3ou_op, or an operation of h3ou_op_create
 * Collective: all processes of comm.
 * Errors: as of h3ou_barrier.
 */
H3OU_API int h3ou_reduce(h3ou_ctx *ctx, int comm, int root, const void *send, void *recv, int64_t count, int type, int op);
H3OU_API int h3ou_allreduce(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type, int op);

/* Combines parts of all processes: each gets the combination of one part.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   send: in, a part for each rank, one after the other
 *   recv: out, my part of the combination
 *   counts: [size of comm], elements of each rank's part, the same everywhere
 *   type: enum h3ou_type; bytes only with an operation of h3ou_op_create
 *   op: enum h3ou_op, or an operation of h3ou_op_create
 * Collective: all processes of comm.
 * Errors: as of h3ou_barrier.
 */
H3OU_API int h3ou_reduce_scatter(h3ou_ctx *ctx, int comm, const void *send, void *recv, const int64_t counts[], int type, int op);

/* Combines the values of the processes up to mine, in the order of ranks. A sum of reals depends on the number of processes, not on
 * their jobs.
 *   ctx: the context
 *   comm: enum h3ou_comm, or a number of h3ou_comm_model
 *   send: in, [count]
 *   recv: out, [count]; may be send
 *   count: number of elements
 *   type: enum h3ou_type; bytes only with an operation of h3ou_op_create
 *   op: enum h3ou_op, or an operation of h3ou_op_create
 * Collective: all processes of comm.
 * Errors: as of h3ou_barrier.
 */
H3OU_API int h3ou_scan(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type, int op);

#ifdef __cplusplus
}
#endif
#endif
