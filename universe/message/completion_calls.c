/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wait and Test in their four forms, for any mixture of requests. What concerns the job's MPI only goes to it, unless a request with another job is
 * open: then nothing blocks inside it.
 */
#include "base/error.h"
#include "universe/world/layer.h"
#include "universe/message/completion.h"
#include "universe/world/failure.h"
#include "universe/world/waiting.h"

static abi_Status *status_at(abi_Status statuses[], int i)
{
    return statuses ? &statuses[i] : NULL;
}

/* For what the job's MPI returned, without the lock. */
static inline int told(int code, const char *name)
{
    return __builtin_expect(code != 0, 0) ? universe_fail_raised(code, name) : 0;
}

/* A turn of a wait for several requests. */
static void turn(h3ou__pause *pause, const char *name)
{
    if (universe_turn(pause))
        universe_end(1, "%s: %s", name, h3ou__fail_text());
}

int universe_Wait(abi_Request *request, abi_Status *status)
{
    if (universe_requests_are_inner(1, request))
        return told(universe.mpi->Wait(request, status), "MPI_Wait");
    universe_enter();
    int code = universe_request_complete(request, status, "MPI_Wait");
    universe_exit();
    return code;
}

int universe_Test(abi_Request *request, int *flag, abi_Status *status)
{
    if (universe_requests_are_inner(1, request))
        return told(universe.mpi->Test(request, flag, status), "MPI_Test");
    universe_enter();
    if (universe_is_own(*request))
        universe_move_others();
    else
        universe_move();
    int code = universe_request_try(request, flag, status, "MPI_Test");
    universe_exit();
    return code;
}

/* Completes all, with the error of each in its status. */
static int complete_all(int n, abi_Request request[], abi_Status statuses[], const char *name)
{
    int failed = 0;
    for (int i = 0; i < n; i++) {
        abi_Status *status = status_at(statuses, i);
        int code = universe_request_complete(&request[i], status, name);
        failed = failed || code;
        if (status)
            status->MPI_ERROR = code;
    }
    return failed ? ABI_ERR_IN_STATUS : 0;
}

int universe_Waitall(int count, abi_Request array_of_requests[], abi_Status array_of_statuses[])
{
    if (universe_requests_are_inner(count, array_of_requests))
        return told(universe.mpi->Waitall(count, array_of_requests, array_of_statuses), "MPI_Waitall");
    universe_enter();
    int code = complete_all(count, array_of_requests, array_of_statuses, "MPI_Waitall");
    universe_exit();
    return code;
}

int universe_Testall(int count, abi_Request array_of_requests[], int *flag, abi_Status array_of_statuses[])
{
    int code = 0, done = 1;
    if (universe_requests_are_inner(count, array_of_requests))
        return told(universe.mpi->Testall(count, array_of_requests, flag, array_of_statuses), "MPI_Testall");
    universe_enter();
    universe_move();
    universe_stray_ignore(true); /* an error is told when the request is completed */
    for (int i = 0; i < count && done; i++)
        if (universe_request_look(array_of_requests[i], &done, NULL))
            done = 1;
    universe_stray_ignore(false);
    *flag = done;
    if (done)
        code = complete_all(count, array_of_requests, array_of_statuses, "MPI_Testall");
    universe_exit();
    return code;
}

/* Tries to complete one of several. counts: out, whether it takes part; of an inactive persistent request the job's MPI says so by its index. */
static int try_one(abi_Request *request, bool *counts, int *done, abi_Status *status, const char *name)
{
    int index = 0;
    *counts = universe_request_counts(*request);
    *done = 0;
    if (!*counts)
        return 0;
    if (universe_is_own(*request))
        return universe_request_try(request, done, status, name);
    int code = universe_inner_failed(universe.mpi->Testany(1, request, &index, done, status), name);
    *counts = !*done || index != ABI_UNDEFINED;
    *done = *done && *counts;
    return code;
}

/* Completes the first that can be. index: ABI_UNDEFINED if none takes part, -1 if none is complete. */
static int try_any(int n, abi_Request request[], int *index, abi_Status *status, const char *name)
{
    *index = ABI_UNDEFINED;
    for (int i = 0; i < n; i++) {
        bool counts;
        int done, code = try_one(&request[i], &counts, &done, status, name);
        if (done || code) {
            *index = i;
            return code;
        }
        if (counts)
            *index = -1;
    }
    if (*index == ABI_UNDEFINED)
        universe_status_empty(status);
    return 0;
}

int universe_Waitany(int count, abi_Request array_of_requests[], int *indx, abi_Status *status)
{
    if (universe_requests_are_inner(count, array_of_requests))
        return told(universe.mpi->Waitany(count, array_of_requests, indx, status), "MPI_Waitany");
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    universe_enter();
    int code = try_any(count, array_of_requests, indx, status, "MPI_Waitany");
    while (!code && *indx == -1) {
        turn(&pause, "MPI_Waitany");
        code = try_any(count, array_of_requests, indx, status, "MPI_Waitany");
    }
    universe_exit();
    return code;
}

int universe_Testany(int count, abi_Request array_of_requests[], int *indx, int *flag, abi_Status *status)
{
    if (universe_requests_are_inner(count, array_of_requests))
        return told(universe.mpi->Testany(count, array_of_requests, indx, flag, status), "MPI_Testany");
    universe_enter();
    universe_move();
    int code = try_any(count, array_of_requests, indx, status, "MPI_Testany");
    universe_exit();
    *flag = *indx != -1;
    if (*indx == -1)
        *indx = ABI_UNDEFINED;
    return code;
}

/* Completes all that can be. outcount: ABI_UNDEFINED if none takes part. */
static int try_some(int n, abi_Request request[], int *outcount, int indices[], abi_Status statuses[], const char *name)
{
    int failed = 0, found = 0;
    bool any_counts = false;
    for (int i = 0; i < n; i++) {
        bool counts;
        abi_Status *status = status_at(statuses, found);
        int done, code = try_one(&request[i], &counts, &done, status, name);
        any_counts = any_counts || counts;
        if (!done && !code)
            continue;
        failed = failed || code;
        if (status)
            status->MPI_ERROR = code;
        indices[found++] = i;
    }
    *outcount = any_counts ? found : ABI_UNDEFINED;
    return failed ? ABI_ERR_IN_STATUS : 0;
}

int universe_Waitsome(int incount, abi_Request array_of_requests[], int *outcount, int array_of_indices[], abi_Status array_of_statuses[])
{
    if (universe_requests_are_inner(incount, array_of_requests))
        return told(universe.mpi->Waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses), "MPI_Waitsome");
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    universe_enter();
    int code = try_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, "MPI_Waitsome");
    while (!code && *outcount == 0) {
        turn(&pause, "MPI_Waitsome");
        code = try_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, "MPI_Waitsome");
    }
    universe_exit();
    return code;
}

int universe_Testsome(int incount, abi_Request array_of_requests[], int *outcount, int array_of_indices[], abi_Status array_of_statuses[])
{
    if (universe_requests_are_inner(incount, array_of_requests))
        return told(universe.mpi->Testsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses), "MPI_Testsome");
    universe_enter();
    universe_move();
    int code = try_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, "MPI_Testsome");
    universe_exit();
    return code;
}
