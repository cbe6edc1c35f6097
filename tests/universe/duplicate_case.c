/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators and messages together: duplicates that are made while messages go on, and communicators that are freed before their messages have come. */
#include "universe_case.h"

static void send_round(MPI_Comm comm, int value)
{
    int got = -1;
    CALL(MPI_Sendrecv(&value, 1, MPI_INT, right, 7, &got, 1, MPI_INT, left, 7, comm, MPI_STATUS_IGNORE));
    EQUAL(got, value - my_rank + left);
}

/* Rank 0 begins before it sends what the others wait for before they begin. */
CASE(duplicate_idup)
{
    MPI_Comm first, second;
    MPI_Request requests[2];
    int token = 0;
    if (my_rank == 0)
        CALL(MPI_Comm_idup(MPI_COMM_WORLD, &first, &requests[0]));
    for (int r = 1; r < world_size && my_rank == 0; r++)
        CALL(MPI_Send(&r, 1, MPI_INT, r, 3, MPI_COMM_WORLD));
    if (my_rank > 0) {
        CALL(MPI_Recv(&token, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(token, my_rank);
        CALL(MPI_Comm_idup(MPI_COMM_WORLD, &first, &requests[0]));
    }
    CALL(MPI_Comm_idup(MPI_COMM_WORLD, &second, &requests[1]));
    CALL(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    int result = -1, flag = -1;
    CALL(MPI_Comm_compare(first, second, &result));
    EQUAL(result, MPI_CONGRUENT);
    send_round(first, 100 + my_rank);
    send_round(second, 200 + my_rank);
    CALL(MPI_Comm_test_inter(second, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Comm_free(&first));
    CALL(MPI_Comm_free(&second));
}

/* A message on one communicator is not received on another, nor on a duplicate. */
CASE(duplicate_apart)
{
    MPI_Comm dup;
    int values[2] = {1000 + my_rank, 2000 + my_rank}, got[2] = {-1, -1};
    MPI_Request requests[2];
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CALL(MPI_Isend(&values[0], 1, MPI_INT, right, 11, MPI_COMM_WORLD, &requests[0]));
    CALL(MPI_Isend(&values[1], 1, MPI_INT, right, 11, dup, &requests[1]));
    CALL(MPI_Recv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, dup, MPI_STATUS_IGNORE));
    CALL(MPI_Recv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CALL(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    EQUAL(got[0], 1000 + left);
    EQUAL(got[1], 2000 + left);
    CALL(MPI_Comm_free(&dup));
}

CASE(duplicate_freed_early)
{
    MPI_Comm dup;
    MPI_Request requests[2];
    int value = 50 + my_rank, got = -1;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CALL(MPI_Irecv(&got, 1, MPI_INT, left, 4, dup, &requests[0]));
    CALL(MPI_Isend(&value, 1, MPI_INT, right, 4, dup, &requests[1]));
    CALL(MPI_Comm_free(&dup));
    CALL(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    EQUAL(got, 50 + left);
}

/* Reversed ranks, and ranks that are not in one piece in each job: messages go by the rank of the communicator. */
CASE(duplicate_reordered)
{
    MPI_Comm reversed;
    int rank = -1, got = -1;
    MPI_Status status;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank, &reversed));
    CALL(MPI_Comm_rank(reversed, &rank));
    CALL(MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % world_size, 2, &got, 1, MPI_INT, MPI_ANY_SOURCE, 2, reversed, &status));
    EQUAL(got, (rank + world_size - 1) % world_size);
    EQUAL(status.MPI_SOURCE, got);
    CALL(MPI_Comm_free(&reversed));
}

/* Others complete the duplication before they send, and rank 0 receives before it completes its own: the receive must move the duplication on. */
CASE(duplicate_idup_while_receiving)
{
    enum { TAG = 31 };
    MPI_Comm made;
    MPI_Request request;
    int got = -1;
    CALL(MPI_Comm_idup(MPI_COMM_WORLD, &made, &request));
    for (int from = 1; my_rank == 0 && from < world_size; from++) {
        CALL(MPI_Recv(&got, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(got, from);
    }
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (my_rank)
        CALL(MPI_Send(&my_rank, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD));
    CALL(MPI_Comm_free(&made));
}

/* The same where rank 0 does not wait but asks again and again, in the three ways to ask. */
static void ask_until_arrived(int from, int tag, int way)
{
    MPI_Request request;
    int got = -1, flag = 0;
    if (way < 2)
        CALL(MPI_Irecv(&got, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &request));
    while (!flag && way == 0)
        CALL(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    while (!flag && way == 1)
        CALL(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    while (!flag)
        CALL(MPI_Iprobe(from, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    if (way == 1)
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (way == 2)
        CALL(MPI_Recv(&got, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(got, from);
}

CASE(duplicate_idup_while_asking)
{
    enum { TAG = 41, WAYS = 3 };
    for (int way = 0; way < WAYS; way++) {
        MPI_Comm made;
        MPI_Request request;
        CALL(MPI_Comm_idup(MPI_COMM_WORLD, &made, &request));
        for (int from = 1; my_rank == 0 && from < world_size; from++)
            ask_until_arrived(from, TAG + way, way);
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        if (my_rank)
            CALL(MPI_Send(&my_rank, 1, MPI_INT, 0, TAG + way, MPI_COMM_WORLD));
        CALL(MPI_Comm_free(&made));
    }
}
