/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking messages on a communicator of the job while requests with other jobs are open: these move on meanwhile. Without such requests the job's MPI
 * blocks itself. All return codes of the hub; call->other is a rank of `comm`. */
#ifndef H3OU_UNIVERSE_MESSAGE_JOB_CALLS_H
#define H3OU_UNIVERSE_MESSAGE_JOB_CALLS_H

#include "universe/message/crossing.h"

#pragma GCC visibility push(hidden)
int universe_job_send(abi_Comm comm, const universe_call *call);
int universe_job_receive(abi_Comm comm, const universe_call *call, abi_Status *status);
int universe_job_sendrecv(abi_Comm comm, const universe_call *send, const universe_call *receive, abi_Status *status);
/* The values to send are copied first. */
int universe_job_replace(abi_Comm comm, const universe_call *send, const universe_call *receive, abi_Status *status);
#pragma GCC visibility pop

#endif
