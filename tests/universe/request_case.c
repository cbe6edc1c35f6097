/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: completing any mixture of them, persistent ones, cancelling, freeing. */
#include "universe_case.h"

#include <stdlib.h>
#include <string.h>

enum { TAG = 60 };

static void start_all(MPI_Request *receives, MPI_Request *sends, int *in, const int *out)
{
    for (int r = 0; r < world_size; r++) {
        CALL(MPI_Irecv(&in[r], 1, MPI_INT, r, TAG + r, MPI_COMM_WORLD, &receives[r]));
        CALL(MPI_Isend(&out[r], 1, MPI_INT, r, TAG + my_rank, MPI_COMM_WORLD, &sends[r]));
    }
}

static int count_null(int n, const MPI_Request *request)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        found += request[i] == MPI_REQUEST_NULL;
    return found;
}

/* All processes exchange a number with all; completed by each function in turn. */
CASE(request_mixture)
{
    enum { WAITALL, TESTALL, WAITANY, TESTANY, WAITSOME, TESTSOME, STATUS, WAYS };
    int n = 2 * world_size, *in = malloc((size_t)n * sizeof *in), *out = in + world_size, *indices = malloc((size_t)n * sizeof *indices);
    MPI_Request *request = malloc((size_t)n * sizeof(MPI_Request));
    MPI_Status *status = malloc((size_t)n * sizeof(MPI_Status));
    for (int way = 0; way < WAYS; way++) {
        int done = 0, flag = 0, index = 0, got = 0;
        for (int r = 0; r < world_size; r++) {
            in[r] = -1;
            out[r] = 1000 * my_rank + 10 * r + way;
        }
        start_all(request, request + world_size, in, out);
        while (done < n)
            switch (way) {
            case WAITALL:
                CALL(MPI_Waitall(n, request, status));
                for (int r = 0; r < world_size; r++) {
                    EQUAL(status[r].MPI_SOURCE, r);
                    EQUAL(status[r].MPI_TAG, TAG + r);
                }
                done = n;
                break;
            case TESTALL:
                CALL(MPI_Testall(n, request, &flag, MPI_STATUSES_IGNORE));
                EQUAL(count_null(n, request), flag ? n : 0);
                done = flag ? n : 0;
                break;
            case WAITANY:
                CALL(MPI_Waitany(n, request, &index, status));
                if (index < world_size)
                    EQUAL(status->MPI_SOURCE, index);
                CHECK(request[index] == MPI_REQUEST_NULL);
                done++;
                break;
            case TESTANY:
                CALL(MPI_Testany(n, request, &index, &flag, status));
                EQUAL(index == MPI_UNDEFINED, !flag);
                done += flag;
                break;
            case WAITSOME:
            case TESTSOME:
                if (way == WAITSOME)
                    CALL(MPI_Waitsome(n, request, &got, indices, status));
                else
                    CALL(MPI_Testsome(n, request, &got, indices, status));
                CHECK(got > 0 || way == TESTSOME);
                for (int i = 0; i < got; i++)
                    if (indices[i] < world_size)
                        EQUAL(status[i].MPI_SOURCE, indices[i]);
                done += got;
                break;
            default:
                for (int i = 0; i < n; i++) {
                    for (flag = 0; !flag;)
                        CALL(MPI_Request_get_status(request[i], &flag, status));
                    CHECK(request[i] != MPI_REQUEST_NULL);
                    CALL(MPI_Test(&request[i], &flag, status));
                    CHECK(flag);
                    if (i < world_size)
                        EQUAL(status->MPI_SOURCE, i);
                }
                done = n;
            }
        EQUAL(count_null(n, request), n);
        for (int r = 0; r < world_size; r++)
            EQUAL(in[r], 1000 * r + 10 * my_rank + way);
        CALL(MPI_Waitany(n, request, &index, MPI_STATUS_IGNORE));
        EQUAL(index, MPI_UNDEFINED);
        CALL(MPI_Testsome(n, request, &got, indices, MPI_STATUSES_IGNORE));
        EQUAL(got, MPI_UNDEFINED);
        CALL(MPI_Waitall(n, request, MPI_STATUSES_IGNORE));
    }
    free(in);
    free(indices);
    free(request);
    free(status);
}

/* Receives from processes of the same job, of which many are open, are completed out of order, some freed; each status names the rank in the communicator of
 * the receive, also where the MPI uses a request's handle again for a communicator inside the job. */
CASE(request_sources)
{
    enum { OPEN = 300, STEP = 7, PART = 20 };
    static int in[OPEN]; /* receives whose requests were freed may write later */
    int from[OPEN], job_rank, job_size, mine = 0, others[64], indices[PART], got, flag = 0, done = 0, index;
    MPI_Comm job;
    MPI_Request request[OPEN], part[PART], send;
    MPI_Status status[PART];
    for (int r = 0; r < world_size; r++)
        if (job_of(r) == job_of(my_rank))
            others[mine++] = r;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, job_of(my_rank), 0, &job));
    CALL(MPI_Comm_rank(job, &job_rank));
    CALL(MPI_Comm_size(job, &job_size));
    EQUAL(job_size, mine);
    for (int i = 0; i < OPEN; i++) {
        from[i] = others[i % mine];
        CALL(MPI_Irecv(&in[i], 1, MPI_INT, from[i], i, MPI_COMM_WORLD, &request[i]));
    }
    for (int i = 0; i < OPEN; i++) /* every process receives its i-th message from the same process */
        for (int k = 0; k < mine && from[i] == my_rank; k++) {
            CALL(MPI_Isend(&i, 1, MPI_INT, others[k], i, MPI_COMM_WORLD, &send));
            CALL(MPI_Wait(&send, MPI_STATUS_IGNORE));
        }
    for (int i = 0; i < OPEN; i += STEP) { /* one by one */
        for (flag = 0; !flag;)
            CALL(MPI_Request_get_status(request[i], &flag, status));
        EQUAL(status->MPI_SOURCE, from[i]);
        if (i % 2)
            CALL(MPI_Wait(&request[i], status));
        else
            for (flag = 0; !flag;)
                CALL(MPI_Test(&request[i], &flag, status));
        EQUAL(status->MPI_SOURCE, from[i]);
        EQUAL(status->MPI_TAG, i);
        /* Its handle may be that of the next receive. */
        CALL(MPI_Isend(&i, 1, MPI_INT, job_rank, 1, job, &send));
        CALL(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, job, &part[0]));
        CALL(MPI_Waitall(1, part, status));
        EQUAL(status->MPI_SOURCE, job_rank);
        CALL(MPI_Wait(&send, MPI_STATUS_IGNORE));
    }
    for (int first = 0; first + PART <= OPEN / 2; first += PART) { /* in parts */
        for (int i = 0; i < PART; i++)
            part[i] = request[first + PART - 1 - i];
        for (done = 0; done >= 0;) {
            int code = first % 40 ? MPI_Waitsome(PART, part, &got, indices, status) : MPI_Testsome(PART, part, &got, indices, status);
            CALL(code);
            for (int k = 0; k < got; k++)
                EQUAL(status[k].MPI_SOURCE, from[first + PART - 1 - indices[k]]);
            done = got == MPI_UNDEFINED ? -1 : done + got;
        }
        EQUAL(count_null(PART, part), PART);
        for (int i = 0; i < PART; i++)
            request[first + i] = MPI_REQUEST_NULL;
    }
    for (int i = OPEN / 2 / PART * PART; i < OPEN; i++) { /* the rest: some freed, the others in any order */
        if (i % 5 == 0 && request[i] != MPI_REQUEST_NULL)
            CALL(MPI_Request_free(&request[i]));
        CALL(MPI_Testany(OPEN - i, request + i, &index, &flag, status));
        if (flag && index != MPI_UNDEFINED)
            EQUAL(status->MPI_SOURCE, from[i + index]);
        CALL(MPI_Wait(&request[i], status));
        CHECK(status->MPI_SOURCE == from[i] || status->MPI_SOURCE == MPI_ANY_SOURCE);
    }
    EQUAL(count_null(OPEN, request), OPEN);
    for (int i = 0; i < OPEN; i++)
        if (i % 5)
            EQUAL(in[i], i);
    CALL(MPI_Comm_free(&job));
}

/* Persistent requests to all and from all, in all modes, started three times. */
CASE(request_persistent)
{
    int n = 2 * world_size, room = 4096 + MPI_BSEND_OVERHEAD * 64, index, flag;
    int *in = malloc((size_t)n * sizeof *in), *out = in + world_size;
    void *buffer = malloc((size_t)room), *old;
    MPI_Request *request = malloc((size_t)n * sizeof(MPI_Request));
    MPI_Status status;
    CALL(MPI_Buffer_attach(buffer, room));
    for (int r = 0; r < world_size; r++) {
        MPI_Request *send = &request[world_size + r];
        CALL(MPI_Recv_init(&in[r], 1, MPI_INT, r == left ? MPI_ANY_SOURCE : r, TAG + r, MPI_COMM_WORLD, &request[r]));
        if ((my_rank + r) % 3 == 0)
            CALL(MPI_Send_init(&out[r], 1, MPI_INT, r, TAG + my_rank, MPI_COMM_WORLD, send));
        else if ((my_rank + r) % 3 == 1)
            CALL(MPI_Ssend_init(&out[r], 1, MPI_INT, r, TAG + my_rank, MPI_COMM_WORLD, send));
        else
            CALL(MPI_Bsend_init(&out[r], 1, MPI_INT, r, TAG + my_rank, MPI_COMM_WORLD, send));
    }
    for (int round = 0; round < 3; round++) {
        for (int r = 0; r < world_size; r++) {
            in[r] = -1;
            out[r] = 100 * my_rank + r + 7 * round;
        }
        CALL(MPI_Waitany(n, request, &index, &status));
        EQUAL(index, MPI_UNDEFINED);
        CALL(MPI_Test(&request[0], &flag, &status));
        CHECK(flag);
        if (round == 1)
            for (int i = 0; i < n; i++)
                CALL(MPI_Start(&request[i]));
        else
            CALL(MPI_Startall(n, request));
        CALL(MPI_Waitall(n, request, MPI_STATUSES_IGNORE));
        EQUAL(count_null(n, request), 0);
        for (int r = 0; r < world_size; r++)
            EQUAL(in[r], 100 * r + my_rank + 7 * round);
    }
    for (int i = 0; i < n; i++) {
        CALL(MPI_Request_free(&request[i]));
        CHECK(request[i] == MPI_REQUEST_NULL);
    }
    CALL(MPI_Buffer_detach(&old, &room));
    free(buffer);
    free(in);
    free(request);
}

/* A ready send, whose receive is posted. */
CASE(request_ready)
{
    int in = -1, out = 5 * my_rank, token = 0;
    MPI_Request request[3];
    CALL(MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request[0]));
    CALL(MPI_Sendrecv(&token, 0, MPI_INT, left, TAG + 1, &token, 0, MPI_INT, right, TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (my_rank % 2)
        CALL(MPI_Rsend(&out, 1, MPI_INT, right, TAG, MPI_COMM_WORLD));
    CALL(MPI_Rsend_init(&out, 1, MPI_INT, right, TAG, MPI_COMM_WORLD, &request[1]));
    CALL(MPI_Irsend(&out, my_rank % 2 ? 0 : 1, MPI_INT, my_rank % 2 ? MPI_PROC_NULL : right, TAG, MPI_COMM_WORLD, &request[2]));
    CALL(MPI_Waitall(3, request, MPI_STATUSES_IGNORE));
    EQUAL(in, 5 * left);
    CALL(MPI_Request_free(&request[1]));
}

static void check_cancelled(MPI_Request *request, int expected)
{
    MPI_Status status;
    int flag = -1;
    CALL(MPI_Wait(request, &status));
    CALL(MPI_Test_cancelled(&status, &flag));
    EQUAL(flag, expected);
}

/* Receives that nobody sends to are cancelled, from any source and from every process; then the messages go to others. */
CASE(request_cancel)
{
    int in = -1, out = my_rank;
    MPI_Request request, behind;
    for (int r = -1; r < world_size; r++) {
        CALL(MPI_Irecv(&in, 1, MPI_INT, r < 0 ? MPI_ANY_SOURCE : r, TAG, MPI_COMM_WORLD, &request));
        CALL(MPI_Irecv(&out, 1, MPI_INT, r < 0 ? my_rank : r, TAG + 1, MPI_COMM_WORLD, &behind));
        CALL(MPI_Cancel(&request));
        check_cancelled(&request, 1);
        CALL(MPI_Cancel(&behind));
        check_cancelled(&behind, 1);
    }
    out = my_rank;
    CALL(MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, TAG + 2, MPI_COMM_WORLD, &request));
    CALL(MPI_Send(&out, 1, MPI_INT, right, TAG + 2, MPI_COMM_WORLD));
    check_cancelled(&request, 0);
    EQUAL(in, left);
}

/* Sends whose requests are freed arrive. */
CASE(request_freed)
{
    enum { MANY = 100000 };
    int *in = calloc(MANY, sizeof *in), *out = malloc(MANY * sizeof *out), token = 0;
    MPI_Request request;
    for (int i = 0; i < MANY; i++)
        out[i] = my_rank + i;
    CALL(MPI_Isend(out, MANY, MPI_INT, right, TAG, MPI_COMM_WORLD, &request));
    CALL(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    CALL(MPI_Recv(in, MANY, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(in[MANY - 1], left + MANY - 1);
    CALL(MPI_Sendrecv(&token, 1, MPI_INT, left, TAG + 1, &token, 1, MPI_INT, right, TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    free(in);
    free(out);
}

/* Buffered sends of long messages return at once, and MPI_Buffer_detach waits for them. */
CASE(request_buffered)
{
    enum { MANY = 50000 };
    int room = 2 * MANY * (int)sizeof(int) + 4 * MPI_BSEND_OVERHEAD, *in = calloc(MANY, sizeof *in), *out = malloc(MANY * sizeof *out);
    void *buffer = malloc((size_t)room), *old = NULL;
    MPI_Request request;
    for (int i = 0; i < MANY; i++)
        out[i] = 3 * my_rank + i;
    CALL(MPI_Buffer_attach(buffer, room));
    CALL(MPI_Bsend(out, MANY, MPI_INT, right, TAG, MPI_COMM_WORLD));
    CALL(MPI_Ibsend(out, MANY, MPI_INT, left, TAG + 1, MPI_COMM_WORLD, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    memset(out, 0, MANY * sizeof *out);
    CALL(MPI_Recv(in, MANY, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(in[MANY - 1], 3 * left + MANY - 1);
    CALL(MPI_Recv(in, MANY, MPI_INT, right, TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(in[MANY - 1], 3 * right + MANY - 1);
    CALL(MPI_Buffer_detach(&old, &room));
    CHECK(old == buffer);
    free(buffer);
    free(in);
    free(out);
}

static int ncalled;
static MPI_Comm called_for;

static void note_call(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    ncalled++;
    called_for = *comm;
}

enum { WAIT, WAITALL, WAITANY, WAITSOME, TEST, TESTALL, TESTANY, TESTSOME, ERROR_WAYS };

/* Completes a receive whose message is too long. */
static void complete_too_long(int way, MPI_Request *request)
{
    MPI_Status status = {0};
    int index = -1, some = -1, flag = 0, code = MPI_SUCCESS;
    bool is_list = way == WAITALL || way == WAITSOME || way == TESTALL || way == TESTSOME;
    ncalled = 0;
    called_for = MPI_COMM_NULL;
    do {
        switch (way) {
        case WAIT: code = MPI_Wait(request, &status); break;
        case WAITALL: code = MPI_Waitall(1, request, &status); break;
        case WAITANY: code = MPI_Waitany(1, request, &index, &status); break;
        case WAITSOME: code = MPI_Waitsome(1, request, &some, &index, &status); break;
        case TEST: code = MPI_Test(request, &flag, &status); break;
        case TESTALL: code = MPI_Testall(1, request, &flag, &status); break;
        case TESTANY: code = MPI_Testany(1, request, &index, &flag, &status); break;
        default: code = MPI_Testsome(1, request, &some, &index, &status); break;
        }
    } while (code == MPI_SUCCESS && way >= TEST && !flag && some <= 0);
    FAILS(is_list ? MPI_ERR_IN_STATUS : MPI_ERR_TRUNCATE, code);
    if (is_list)
        FAILS(MPI_ERR_TRUNCATE, status.MPI_ERROR);
    EQUAL(ncalled, 1);
}

/* The error of a request calls the handler of its communicator once, whichever call completes it; MPICH calls that of MPI_COMM_WORLD for its own requests. */
CASE(request_error)
{
    MPI_Comm dup;
    MPI_Errhandler handler;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, in = 0, out[2] = {1, 2};
    CALL(MPI_Get_library_version(version, &length));
    bool is_mpich = strstr(version, "MPICH") != NULL;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CALL(MPI_Comm_create_errhandler(note_call, &handler));
    CALL(MPI_Comm_set_errhandler(dup, handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    for (int way = 0; way < ERROR_WAYS; way++)
        for (int from = 0; from < 3; from++) { /* this process, the neighbour, any source */
            MPI_Request request, send;
            bool is_native = jobs == 1 || from == 0 || (from == 1 && job_of(left) == job_of(my_rank));
            MPI_Isend(out, 2, MPI_INT, from == 0 ? my_rank : right, TAG + from, dup, &send);
            /* Open MPI notices it only of messages that have come before they are received. */
            MPI_Sendrecv(out, 0, MPI_INT, right, TAG + 3, &in, 0, MPI_INT, left, TAG + 3, dup, MPI_STATUS_IGNORE);
            MPI_Irecv(&in, 1, MPI_INT, from == 0 ? my_rank : from == 1 ? left : MPI_ANY_SOURCE, TAG + from, dup, &request);
            complete_too_long(way, &request);
            if (!is_native || !is_mpich)
                CHECK(called_for == dup);
            MPI_Wait(&send, MPI_STATUS_IGNORE);
        }
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Comm_free(&dup));
}
