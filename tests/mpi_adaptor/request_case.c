/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: started messages, sets of requests, persistent ones, generalised ones. */
#include "mpi_case.h"

#include <string.h>

static void wait_modes(void)
{
    static char room[256 + 4 * MPI_BSEND_OVERHEAD];
    int mine[4] = {my_rank, my_rank + 10, my_rank + 20, my_rank + 30}, got[4] = {-1, -1, -1, -1}, size;
    MPI_Request sends[4], receives[4];
    MPI_Status statuses[4];
    void *old;
    CALL(MPI_Buffer_attach(room, sizeof room));
    for (int i = 0; i < 4; i++)
        CALL(MPI_Irecv(&got[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &receives[i]));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Isend(&mine[0], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &sends[0]));
    CALL(MPI_Issend(&mine[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &sends[1]));
    CALL(MPI_Ibsend(&mine[2], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &sends[2]));
    CALL(MPI_Irsend(&mine[3], 1, MPI_INT, right, 3, MPI_COMM_WORLD, &sends[3]));
    CALL(MPI_Waitall(4, receives, statuses));
    for (int i = 0; i < 4; i++) {
        EQUAL(got[i], left + 10 * i);
        EQUAL(statuses[i].MPI_TAG, i);
        EQUAL(statuses[i].MPI_SOURCE, left);
        CHECK(receives[i] == MPI_REQUEST_NULL);
    }
    CALL(MPI_Waitall(4, sends, MPI_STATUSES_IGNORE));
    CALL(MPI_Buffer_detach(&old, &size));
}

/* Starts receives of four tags, and sends them in the given order. */
static void start_four(const int order[4], int got[4], MPI_Request receives[4])
{
    static int mine[4];
    MPI_Request send;
    for (int i = 0; i < 4; i++)
        CALL(MPI_Irecv(&got[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &receives[i]));
    for (int i = 0; i < 4; i++) {
        mine[order[i]] = 100 * my_rank + order[i];
        CALL(MPI_Isend(&mine[order[i]], 1, MPI_INT, right, order[i], MPI_COMM_WORLD, &send));
        CALL(MPI_Wait(&send, MPI_STATUS_IGNORE));
    }
}

static void wait_any(void)
{
    const int order[4] = {2, 0, 3, 1};
    int got[4], index = -1, flag = 0, sum = 0;
    MPI_Request receives[4];
    MPI_Status status;
    start_four(order, got, receives);
    for (int i = 0; i < 2; i++) {
        CALL(MPI_Waitany(4, receives, &index, &status));
        if (CHECK(index >= 0 && index < 4)) {
            EQUAL(status.MPI_TAG, index);
            EQUAL(got[index], 100 * left + index);
            CHECK(receives[index] == MPI_REQUEST_NULL);
            sum += index;
        }
    }
    for (int i = 0; i < 2; i++) {
        for (flag = 0; !flag;)
            if (!CALL(MPI_Testany(4, receives, &index, &flag, &status)))
                break;
        if (CHECK(index >= 0 && index < 4)) {
            EQUAL(status.MPI_TAG, index);
            sum += index;
        }
    }
    EQUAL(sum, 6);
    CALL(MPI_Waitany(4, receives, &index, &status));
    EQUAL(index, MPI_UNDEFINED);
    CALL(MPI_Testany(4, receives, &index, &flag, MPI_STATUS_IGNORE));
    EQUAL(index, MPI_UNDEFINED);
    EQUAL(flag, 1);
}

static void wait_some(void)
{
    const int order[4] = {3, 2, 1, 0};
    int got[4], indices[4], n = 0, done = 0, sum = 0;
    MPI_Request receives[4];
    MPI_Status statuses[4];
    start_four(order, got, receives);
    while (done < 4) {
        if (!CALL(done % 2 ? MPI_Waitsome(4, receives, &n, indices, statuses) : MPI_Testsome(4, receives, &n, indices, statuses)))
            break;
        if (!CHECK(n >= 0 && n <= 4 - done))
            break;
        for (int i = 0; i < n; i++) {
            EQUAL(statuses[i].MPI_TAG, indices[i]);
            EQUAL(got[indices[i]], 100 * left + indices[i]);
            sum += indices[i];
        }
        done += n;
    }
    EQUAL(sum, 6);
    CALL(MPI_Waitsome(4, receives, &n, indices, MPI_STATUSES_IGNORE));
    EQUAL(n, MPI_UNDEFINED);
    CALL(MPI_Testsome(4, receives, &n, indices, statuses));
    EQUAL(n, MPI_UNDEFINED);
}

static void test_requests(void)
{
    const int order[4] = {0, 1, 2, 3};
    int got[4], flag = 0;
    MPI_Request receives[4], null = MPI_REQUEST_NULL;
    MPI_Status statuses[4], status;
    start_four(order, got, receives);
    while (!flag)
        if (!CALL(MPI_Request_get_status(receives[0], &flag, &status)))
            break;
    EQUAL(status.MPI_SOURCE, left);
    CHECK(receives[0] != MPI_REQUEST_NULL);
    for (flag = 0; !flag;)
        if (!CALL(MPI_Test(&receives[0], &flag, &status)))
            break;
    CHECK(receives[0] == MPI_REQUEST_NULL);
    for (flag = 0; !flag;)
        if (!CALL(MPI_Testall(4, receives, &flag, statuses)))
            break;
    for (int i = 1; i < 4; i++) {
        EQUAL(statuses[i].MPI_TAG, i);
        EQUAL(got[i], 100 * left + i);
        CHECK(receives[i] == MPI_REQUEST_NULL);
    }
    EQUAL(statuses[0].MPI_SOURCE, MPI_ANY_SOURCE); /* an empty status for a null request */
    CALL(MPI_Wait(&null, &status));
    EQUAL(status.MPI_SOURCE, MPI_ANY_SOURCE);
    EQUAL(status.MPI_TAG, MPI_ANY_TAG);
    CALL(MPI_Test(&null, &flag, MPI_STATUS_IGNORE));
    EQUAL(flag, 1);
    CALL(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE));
    EQUAL(flag, 1);
}

static void free_requests(void)
{
    static int mine;
    int got = -1;
    MPI_Request send;
    mine = my_rank + 40;
    CALL(MPI_Isend(&mine, 1, MPI_INT, right, 8, MPI_COMM_WORLD, &send));
    CALL(MPI_Request_free(&send));
    CHECK(send == MPI_REQUEST_NULL);
    CALL(MPI_Recv(&got, 1, MPI_INT, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(got, left + 40);
    CALL(MPI_Barrier(MPI_COMM_WORLD));
}

static void repeat_persistent(void)
{
    static char room[256 + 4 * MPI_BSEND_OVERHEAD];
    int mine[4], got[4], size, flag = 0;
    MPI_Request requests[8];
    MPI_Status statuses[8];
    void *old;
    CALL(MPI_Buffer_attach(room, sizeof room));
    for (int i = 0; i < 4; i++)
        CALL(MPI_Recv_init(&got[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]));
    CALL(MPI_Send_init(&mine[0], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[4]));
    CALL(MPI_Ssend_init(&mine[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[5]));
    CALL(MPI_Bsend_init(&mine[2], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[6]));
    CALL(MPI_Rsend_init(&mine[3], 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[7]));
    CALL(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE)); /* inactive */
    EQUAL(flag, 1);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) {
            mine[i] = 1000 * round + 10 * my_rank + i;
            got[i] = -1;
        }
        CALL(MPI_Startall(4, requests));
        CALL(MPI_Barrier(MPI_COMM_WORLD)); /* the receive of the ready message is started */
        for (int i = 4; i < 8; i++)
            CALL(MPI_Start(&requests[i]));
        CALL(MPI_Waitall(8, requests, statuses));
        for (int i = 0; i < 4; i++) {
            EQUAL(got[i], 1000 * round + 10 * left + i);
            EQUAL(statuses[i].MPI_TAG, i);
            CHECK(requests[i] != MPI_REQUEST_NULL);
        }
    }
    for (int i = 0; i < 8; i++) {
        CALL(MPI_Request_free(&requests[i]));
        CHECK(requests[i] == MPI_REQUEST_NULL);
    }
    CALL(MPI_Buffer_detach(&old, &size));
}

/* What the callbacks of generalised requests are given, and how often each was called. */
typedef struct {
    int queries, frees, cancels, was_complete;
} callback_counts;

static int query_request(void *extra, MPI_Status *status)
{
    ((callback_counts *)extra)->queries++;
    MPI_Status_set_elements(status, MPI_INT, 5);
    MPI_Status_set_cancelled(status, ((callback_counts *)extra)->cancels > 0);
    status->MPI_SOURCE = 42;
    status->MPI_TAG = 43;
    return MPI_SUCCESS;
}

static int free_request(void *extra)
{
    ((callback_counts *)extra)->frees++;
    return MPI_SUCCESS;
}

static int cancel_request(void *extra, int complete)
{
    ((callback_counts *)extra)->cancels++;
    ((callback_counts *)extra)->was_complete = complete;
    return MPI_SUCCESS;
}

static void generalise_requests(void)
{
    callback_counts counts = {0}, cancelled = {.was_complete = -1};
    MPI_Request request, same;
    MPI_Status status;
    int flag = 1, n = 0;
    CALL(MPI_Grequest_start(query_request, free_request, cancel_request, &counts, &request));
    CALL(MPI_Test(&request, &flag, &status));
    EQUAL(flag, 0);
    CALL(MPI_Grequest_complete(request));
    CALL(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    EQUAL(status.MPI_SOURCE, 42);
    EQUAL(status.MPI_TAG, 43);
    CALL(MPI_Get_count(&status, MPI_INT, &n));
    EQUAL(n, 5);
    CHECK(counts.queries > 0);
    EQUAL(counts.frees, 1);
    EQUAL(counts.cancels, 0);
    CALL(MPI_Grequest_start(query_request, free_request, cancel_request, &cancelled, &request));
    same = request;
    CALL(MPI_Cancel(&request));
    EQUAL(cancelled.cancels, 1);
    EQUAL(cancelled.was_complete, 0);
    CALL(MPI_Grequest_complete(same));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, 1);
    EQUAL(cancelled.frees, 1);
}

const mpi_case request_cases[] = {{"request_modes", wait_modes},
                                  {"request_any", wait_any},
                                  {"request_some", wait_some},
                                  {"request_test", test_requests},
                                  {"request_free", free_requests},
                                  {"request_persistent", repeat_persistent},
                                  {"request_generalised", generalise_requests},
                                  {NULL, NULL}};
