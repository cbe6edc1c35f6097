/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between two processes: modes, lengths, wildcards and their order, statuses, types. */
#include "universe_case.h"

#include <stdlib.h>
#include <string.h>

static int count_of(const MPI_Status *status, MPI_Datatype type)
{
    int n = -1;
    CALL(MPI_Get_count(status, type, &n));
    return n;
}

static void check_status(const MPI_Status *status, int source, int tag, int ints)
{
    EQUAL(status->MPI_SOURCE, source);
    EQUAL(status->MPI_TAG, tag);
    EQUAL(count_of(status, MPI_INT), ints);
}

/* A value that tells sender, receiver and place. */
static int value(int from, int to, int i)
{
    return 1000003 * from + 1009 * to + i;
}

static int *filled(int from, int to, int n)
{
    int *v = malloc((size_t)(n ? n : 1) * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = value(from, to, i);
    return v;
}

static void check_values(const int *v, int from, int to, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += v[i] != value(from, to, i);
    EQUAL(wrong, 0);
}

/* Every process sends to every other one and to itself, in ranks' order, in all modes. */
CASE(message_modes)
{
    enum { MOST = 5 };
    int room = 0;
    CALL(MPI_Pack_size(MOST * world_size, MPI_INT, MPI_COMM_WORLD, &room));
    room += MPI_BSEND_OVERHEAD * world_size * 2;
    void *buffer = malloc((size_t)room), *old = NULL;
    CALL(MPI_Buffer_attach(buffer, room));
    for (int to = 0; to < world_size; to++) {
        int *v = filled(my_rank, to, MOST);
        MPI_Request request;
        CALL(MPI_Isend(v, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &request));
        CALL(MPI_Bsend(v, 2, MPI_INT, to, 2, MPI_COMM_WORLD));
        for (int from = 0; to == my_rank && from < world_size; from++)
            for (int tag = 1; tag <= 4; tag++) {
                int got[MOST];
                MPI_Status status;
                if (from == my_rank && tag > 2)
                    continue;
                CALL(MPI_Recv(got, MOST, MPI_INT, from, tag, MPI_COMM_WORLD, &status));
                check_status(&status, from, tag, tag);
                check_values(got, from, my_rank, tag);
            }
        if (to != my_rank) {
            CALL(MPI_Ssend(v, 3, MPI_INT, to, 3, MPI_COMM_WORLD));
            CALL(MPI_Send(v, 4, MPI_INT, to, 4, MPI_COMM_WORLD));
        }
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(request == MPI_REQUEST_NULL);
        free(v);
    }
    CALL(MPI_Buffer_detach(&old, &room));
    CHECK(old == buffer);
    free(buffer);
}

/* On a ring, from no byte to many. */
CASE(message_lengths)
{
    static const int length[] = {0, 1, 2, 100, 1000, 16384, 65536, 300000, 1 << 20};
    for (size_t l = 0; l < sizeof length / sizeof *length; l++) {
        int n = length[l], *out = filled(my_rank, right, n), *in = calloc((size_t)n + 1, sizeof *in);
        MPI_Request request[2];
        MPI_Status status[2];
        CALL(MPI_Irecv(in, n + 1, MPI_INT, left, (int)l, MPI_COMM_WORLD, &request[0]));
        CALL(MPI_Isend(out, n, MPI_INT, right, (int)l, MPI_COMM_WORLD, &request[1]));
        CALL(MPI_Waitall(2, request, status));
        check_status(&status[0], left, (int)l, n);
        check_values(in, left, my_rank, n);
        memset(in, 0, (size_t)n * sizeof *in);
        CALL(MPI_Sendrecv(out, n, MPI_INT, right, 50, in, n, MPI_INT, left, 50, MPI_COMM_WORLD, &status[0]));
        check_status(&status[0], left, 50, n);
        check_values(in, left, my_rank, n);
        CALL(MPI_Sendrecv_replace(out, n, MPI_INT, right, 51, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status[0]));
        check_status(&status[0], left, 51, n);
        check_values(out, left, my_rank, n);
        free(out);
        free(in);
    }
}

/* Between the first and the last: 64 MB. */
CASE(message_longest)
{
    enum { MANY = 16 << 20 };
    int last = world_size - 1;
    MPI_Status status;
    if (my_rank == 0) {
        int *v = filled(0, last, MANY);
        CALL(MPI_Send(v, MANY, MPI_INT, last, 1, MPI_COMM_WORLD));
        free(v);
    } else if (my_rank == last) {
        int *v = calloc(MANY, sizeof *v);
        CALL(MPI_Recv(v, MANY, MPI_INT, 0, 1, MPI_COMM_WORLD, &status));
        check_status(&status, 0, 1, MANY);
        check_values(v, 0, last, MANY);
        free(v);
    }
}

/* The last process receives from any source with any tag: of each sender the messages come in order. */
CASE(message_any)
{
    enum { EACH = 20 };
    int last = world_size - 1, next[64] = {0}, got[EACH];
    if (my_rank != last) {
        for (int i = 0; i < EACH; i++) {
            int *v = filled(my_rank, last, i);
            CALL(MPI_Send(v, i, MPI_INT, last, 100 + i, MPI_COMM_WORLD));
            free(v);
        }
        return;
    }
    for (int k = 0; k < EACH * last; k++) {
        MPI_Status status;
        MPI_Request request;
        if (k % 3 == 0) {
            CALL(MPI_Recv(got, EACH, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        } else {
            CALL(MPI_Irecv(got, EACH, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
            CALL(MPI_Wait(&request, &status));
        }
        int from = status.MPI_SOURCE;
        if (!CHECK(from >= 0 && from < last))
            return;
        check_status(&status, from, 100 + next[from], next[from]);
        check_values(got, from, last, next[from]++);
    }
}

/* Receives from any source and from named ones, with any tag and named ones, all posted before the messages are sent: each message goes to the
 * first receive that it fits. */
CASE(message_order)
{
    enum { ROUNDS = 20 };
    int last = world_size - 1, token = 0, got[5] = {0}, mine;
    for (int round = 0; round < ROUNDS; round++) {
        int from = round % (last > 0 ? last : 1);
        if (my_rank == last) {
            MPI_Request request[5];
            MPI_Status status[5];
            CALL(MPI_Irecv(&got[0], 1, MPI_INT, from, 7, MPI_COMM_WORLD, &request[0]));
            CALL(MPI_Irecv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &request[1]));
            CALL(MPI_Irecv(&got[2], 1, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &request[2]));
            CALL(MPI_Irecv(&got[3], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[3]));
            CALL(MPI_Irecv(&got[4], 1, MPI_INT, from, 8, MPI_COMM_WORLD, &request[4]));
            CALL(MPI_Send(&token, 0, MPI_INT, from, 9, MPI_COMM_WORLD));
            CALL(MPI_Waitall(5, request, status));
            /* Sent: 8 (to the second), 9 (to the third), 7 (to the first), 8 (to the fourth), 8 (to the fifth). */
            EQUAL(got[1], 100 * round);
            EQUAL(got[2], 100 * round + 1);
            EQUAL(got[0], 100 * round + 2);
            EQUAL(got[3], 100 * round + 3);
            EQUAL(got[4], 100 * round + 4);
            check_status(&status[1], from, 8, 1);
            check_status(&status[2], from, 9, 1);
            check_status(&status[0], from, 7, 1);
            check_status(&status[3], from, 8, 1);
            check_status(&status[4], from, 8, 1);
        } else if (my_rank == from) {
            static const int tags[] = {8, 9, 7, 8, 8};
            CALL(MPI_Recv(&token, 0, MPI_INT, last, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            for (int i = 0; i < 5; i++) {
                mine = 100 * round + i;
                CALL(MPI_Send(&mine, 1, MPI_INT, last, tags[i], MPI_COMM_WORLD));
            }
        }
    }
}

/* What no receive from any source takes is found by those that follow, in order, and by probes. */
CASE(message_strays)
{
    int last = world_size - 1, v = 0, flag = 0;
    MPI_Request any;
    MPI_Status status;
    if (my_rank != last) {
        for (int i = 0; i < 4; i++) {
            v = value(my_rank, i, 0);
            CALL(MPI_Send(&v, 1, MPI_INT, last, 20 + i, MPI_COMM_WORLD));
        }
        CALL(MPI_Recv(&v, 1, MPI_INT, last, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CALL(MPI_Send(&v, 1, MPI_INT, last, 31, MPI_COMM_WORLD));
        return;
    }
    int got = -1;
    CALL(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, &any));
    for (int from = 0; from < last; from++) {
        while (!flag)
            CALL(MPI_Iprobe(from, 23, MPI_COMM_WORLD, &flag, &status));
        check_status(&status, from, 23, 1);
        flag = 0;
    }
    for (int from = 0; from < last; from++) {
        CALL(MPI_Recv(&v, 1, MPI_INT, from, 22, MPI_COMM_WORLD, &status));
        EQUAL(v, value(from, 2, 0));
        CALL(MPI_Probe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        check_status(&status, from, 20, 1);
        CALL(MPI_Recv(&v, 1, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        check_status(&status, from, 20, 1);
        EQUAL(v, value(from, 0, 0));
    }
    for (int from = 0; from < last; from++)
        for (int i = 1; i < 4; i += 2) {
            CALL(MPI_Recv(&v, 1, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
            check_status(&status, from, 20 + i, 1);
            EQUAL(v, value(from, i, 0));
        }
    for (int from = 0; from < last; from++) {
        v = 500 + from;
        CALL(MPI_Send(&v, 1, MPI_INT, from, 30, MPI_COMM_WORLD));
        CALL(MPI_Wait(&any, &status));
        check_status(&status, from, 31, 1);
        EQUAL(got, 500 + from);
        if (from < last - 1)
            CALL(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, &any));
    }
}

CASE(message_nobody)
{
    int v = 3;
    MPI_Status status;
    MPI_Request request[2];
    CALL(MPI_Send(&v, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
    CALL(MPI_Recv(&v, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
    check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CALL(MPI_Isend(&v, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request[0]));
    CALL(MPI_Irecv(&v, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request[1]));
    CALL(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    CALL(MPI_Sendrecv(&v, 1, MPI_INT, my_rank < world_size - 1 ? right : MPI_PROC_NULL, 2, &v, 1, MPI_INT, my_rank ? left : MPI_PROC_NULL, 2,
                      MPI_COMM_WORLD, &status));
    EQUAL(status.MPI_SOURCE, my_rank ? left : MPI_PROC_NULL);
    EQUAL(v, 3);
}

/* A ring of a message of a type; `n` elements. */
static void send_type(MPI_Datatype type, const void *out, void *in, int n, int tag)
{
    MPI_Status status;
    int got = -1;
    CALL(MPI_Sendrecv(out, n, type, right, tag, in, n, type, left, tag, MPI_COMM_WORLD, &status));
    CALL(MPI_Get_count(&status, type, &got));
    EQUAL(got, n);
}

typedef struct record {
    char c;
    double d;
    int i[3];
    short s;
} record;

CASE(message_types)
{
    record out[4], in[4];
    int length[] = {1, 1, 2, 1}, matrix[6][6], column[6] = {0};
    MPI_Aint at[] = {offsetof(record, c), offsetof(record, d), offsetof(record, i), offsetof(record, s)};
    MPI_Datatype part[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT}, bare, type, row, twice, vector;
    CALL(MPI_Type_create_struct(4, length, at, part, &bare));
    CALL(MPI_Type_create_resized(bare, 0, sizeof(record), &type));
    CALL(MPI_Type_commit(&type));
    for (int k = 0; k < 4; k++) {
        out[k] = (record){(char)('a' + k), my_rank + 0.5 * k, {my_rank, k, 77}, (short)-k};
        in[k] = (record){'x', 0, {-1, -1, -1}, 0};
    }
    send_type(type, out, in, 4, 3);
    for (int k = 0; k < 4; k++) {
        CHECK(in[k].c == 'a' + k && in[k].d == left + 0.5 * k && in[k].i[0] == left && in[k].i[1] == k && in[k].s == -k);
        EQUAL(in[k].i[2], -1);
    }
    for (int i = 0; i < 36; i++)
        matrix[i / 6][i % 6] = 100 * my_rank + i;
    CALL(MPI_Type_vector(6, 1, 6, MPI_INT, &vector));
    CALL(MPI_Type_commit(&vector));
    CALL(MPI_Sendrecv(&matrix[0][2], 1, vector, right, 4, column, 6, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < 6; i++)
        EQUAL(column[i], 100 * left + 6 * i + 2);
    CALL(MPI_Type_contiguous(3, MPI_INT, &row));
    CALL(MPI_Type_dup(row, &twice));
    CALL(MPI_Type_commit(&twice));
    send_type(twice, matrix, column, 2, 5);
    for (int i = 0; i < 6; i++)
        EQUAL(column[i], 100 * left + i);
    CALL(MPI_Type_free(&bare));
    CALL(MPI_Type_free(&type));
    CALL(MPI_Type_free(&vector));
    CALL(MPI_Type_free(&row));
    CALL(MPI_Type_free(&twice));
}

/* A type is freed while its receive is under way; fewer elements come than were asked for. */
CASE(message_types_freed)
{
    int in[12], out[3] = {my_rank, my_rank + 1, my_rank + 2}, parts = -1;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Status status;
    for (int i = 0; i < 12; i++)
        in[i] = -1;
    CALL(MPI_Type_vector(2, 1, 3, MPI_INT, &type));
    CALL(MPI_Type_commit(&type));
    CALL(MPI_Irecv(in, 2, type, left, 6, MPI_COMM_WORLD, &request));
    CALL(MPI_Type_free(&type));
    CALL(MPI_Send(out, 3, MPI_INT, right, 6, MPI_COMM_WORLD));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Get_elements(&status, MPI_INT, &parts));
    EQUAL(parts, 3);
    EQUAL(in[0], left);
    EQUAL(in[3], left + 1);
    EQUAL(in[4], left + 2);
    EQUAL(in[1], -1);
    EQUAL(in[7], -1);
}

/* MPI_BOTTOM with addresses, and values that the program packed. */
CASE(message_addresses)
{
    static int far;
    double near = my_rank + 0.25, got_near = 0;
    int got_far = 0, position = 0, mixed = 0;
    char packed[64];
    MPI_Aint at[2];
    MPI_Datatype part[] = {MPI_INT, MPI_DOUBLE}, out, in;
    far = 11 * my_rank;
    CALL(MPI_Get_address(&far, &at[0]));
    CALL(MPI_Get_address(&near, &at[1]));
    CALL(MPI_Type_create_struct(2, (int[]){1, 1}, at, part, &out));
    CALL(MPI_Type_commit(&out));
    CALL(MPI_Get_address(&got_far, &at[0]));
    CALL(MPI_Get_address(&got_near, &at[1]));
    CALL(MPI_Type_create_struct(2, (int[]){1, 1}, at, part, &in));
    CALL(MPI_Type_commit(&in));
    CALL(MPI_Sendrecv(MPI_BOTTOM, 1, out, right, 7, MPI_BOTTOM, 1, in, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL(got_far, 11 * left);
    CHECK(got_near == left + 0.25);
    CALL(MPI_Pack(&far, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD));
    CALL(MPI_Pack(&near, 1, MPI_DOUBLE, packed, sizeof packed, &position, MPI_COMM_WORLD));
    CALL(MPI_Sendrecv_replace(packed, position, MPI_PACKED, right, 8, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    mixed = position;
    position = 0;
    CALL(MPI_Unpack(packed, mixed, &position, &got_far, 1, MPI_INT, MPI_COMM_WORLD));
    CALL(MPI_Unpack(packed, mixed, &position, &got_near, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    EQUAL(got_far, 11 * left);
    CHECK(got_near == left + 0.25);
    CALL(MPI_Type_free(&out));
    CALL(MPI_Type_free(&in));
}

/* A synchronous send ends only after its receive has begun. */
CASE(message_synchronous)
{
    int v = my_rank, got = -1, flag = 1, last = world_size - 1;
    MPI_Request request;
    if (my_rank == 0) {
        for (int to = 1; to <= last; to++) {
            CALL(MPI_Issend(&v, to % 2, MPI_INT, to, 1, MPI_COMM_WORLD, &request));
            for (int i = 0; i < 50; i++) {
                CALL(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
                CHECK(!flag);
            }
            CALL(MPI_Send(&v, 1, MPI_INT, to, 2, MPI_COMM_WORLD));
            CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
    } else {
        CALL(MPI_Recv(&got, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL(got, 0);
        CALL(MPI_Recv(&got, 1, MPI_INT, my_rank % 2 ? MPI_ANY_SOURCE : 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

/* Matched probes from named sources and from any. */
CASE(message_matched)
{
    int last = world_size - 1, flag = 0, seen = 0;
    if (my_rank != last) {
        for (int i = 0; i < 3; i++) {
            int *v = filled(my_rank, i, 10 + my_rank);
            CALL(MPI_Send(v, 10 + my_rank, MPI_INT, last, 40 + i, MPI_COMM_WORLD));
            free(v);
        }
        return;
    }
    for (int k = 0; k < 3 * last; k++) {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status, done;
        MPI_Request request;
        int got[80];
        if (k < last) {
            CALL(MPI_Mprobe(k, 41, MPI_COMM_WORLD, &message, &status));
            EQUAL(status.MPI_SOURCE, k);
        } else {
            for (flag = 0; !flag;)
                CALL(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
        }
        int from = status.MPI_SOURCE, which = status.MPI_TAG - 40;
        if (k % 2) {
            CALL(MPI_Mrecv(got, 80, MPI_INT, &message, &done));
        } else {
            CALL(MPI_Imrecv(got, 80, MPI_INT, &message, &request));
            CALL(MPI_Wait(&request, &done));
        }
        CHECK(message == MPI_MESSAGE_NULL);
        check_status(&status, from, 40 + which, 10 + from);
        check_status(&done, from, 40 + which, 10 + from);
        check_values(got, from, which, 10 + from);
        seen += from * 10 + which;
    }
    EQUAL(seen, 30 * (last * (last - 1) / 2) + 3 * last);
}

/* A probe or a test that finds nothing leaves the status as it was, as both MPIs do. */
CASE(message_nothing_found)
{
    int v = my_rank, got = -1, flag = 1, index = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    MPI_Status status;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = 77;
    status.MPI_TAG = 78;
    CALL(MPI_Iprobe(MPI_ANY_SOURCE, 60, MPI_COMM_WORLD, &flag, &status));
    EQUAL(flag, 0);
    CALL(MPI_Improbe(right, 60, MPI_COMM_WORLD, &flag, &message, &status));
    EQUAL(flag, 0);
    CALL(MPI_Irecv(&got, 1, MPI_INT, left, 60, MPI_COMM_WORLD, &request));
    CALL(MPI_Test(&request, &flag, &status));
    EQUAL(flag, 0);
    CALL(MPI_Request_get_status(request, &flag, &status));
    EQUAL(flag, 0);
    CALL(MPI_Testany(1, &request, &index, &flag, &status));
    EQUAL(flag, 0);
    EQUAL(status.MPI_SOURCE, 77);
    EQUAL(status.MPI_TAG, 78);
    CALL(MPI_Barrier(MPI_COMM_WORLD)); /* Nobody sends before all have looked. */
    CALL(MPI_Send(&v, 1, MPI_INT, right, 60, MPI_COMM_WORLD));
    CALL(MPI_Wait(&request, &status));
    check_status(&status, left, 60, 1);
    EQUAL(got, left);
}

/* What an MPI refuses, with MPI_ERRORS_RETURN: wrong arguments, messages that are longer than their receive, a buffer that is full. */
CASE(message_errors)
{
    int v[4] = {1, 2, 3, 4}, got[2] = {0}, flag = 0, last = world_size - 1;
    MPI_Request request;
    MPI_Comm comm;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)); /* MPICH's for requests of several communicators */
    FAILS(MPI_ERR_RANK, MPI_Send(v, 1, MPI_INT, world_size, 1, comm));
    FAILS(MPI_ERR_RANK, MPI_Irecv(v, 1, MPI_INT, -77, 1, comm, &request));
    FAILS(MPI_ERR_TAG, MPI_Send(v, 1, MPI_INT, right, -5, comm));
    FAILS(MPI_ERR_COUNT, MPI_Send(v, -1, MPI_INT, right, 1, comm));
    FAILS(MPI_ERR_TYPE, MPI_Ssend(v, 1, MPI_DATATYPE_NULL, right, 1, comm));
    FAILS(MPI_ERR_TAG, MPI_Iprobe(left, -7, comm, &flag, MPI_STATUS_IGNORE));
    if (job_of(right) != job_of(my_rank)) /* Open MPI itself takes it */
        FAILS(MPI_ERR_BUFFER, MPI_Bsend(v, 1, MPI_INT, right, 1, comm));
    if (my_rank == 0)
        for (int i = 0; i < 3; i++)
            CALL(MPI_Send(v, 4, MPI_INT, last, i, comm));
    if (my_rank == last) {
        FAILS(MPI_ERR_TRUNCATE, MPI_Recv(got, 2, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
        FAILS(MPI_ERR_TRUNCATE, MPI_Recv(got, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, MPI_STATUS_IGNORE));
        MPI_Status status[2];
        MPI_Request both[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        CALL(MPI_Irecv(got, 1, MPI_INT, 0, 2, comm, &both[1]));
        FAILS(MPI_ERR_IN_STATUS, MPI_Waitall(2, both, status));
        FAILS(MPI_ERR_TRUNCATE, status[1].MPI_ERROR);
    }
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CALL(MPI_Comm_free(&comm));
}

#if MPI_VERSION >= 4
#define MADE(function) function##_c
typedef MPI_Count made_count;
#else
#define MADE(function) function
typedef int made_count;
#endif

/* Types that are made with large counts, where the MPI has them. */
CASE(message_large_count_types)
{
    const made_count lengths[2] = {1, 2};
#if MPI_VERSION >= 4
    const MPI_Count places[2] = {0, 2 * sizeof(int)};
#else
    const MPI_Aint places[2] = {0, 2 * sizeof(int)};
#endif
    const MPI_Datatype parts[2] = {MPI_INT, MPI_INT};
    MPI_Datatype type[3];
    CALL(MADE(MPI_Type_contiguous)(4, MPI_INT, &type[0]));
    CALL(MADE(MPI_Type_vector)(2, 1, 2, MPI_INT, &type[1]));
    CALL(MADE(MPI_Type_create_struct)(2, lengths, places, parts, &type[2]));
    for (int t = 0; t < 3; t++) {
        int values[4] = {my_rank, 1, 2, 3}, got[4] = {-1, -1, -1, -1};
        CALL(MPI_Type_commit(&type[t]));
        CALL(MPI_Sendrecv(values, 1, type[t], right, t, got, 1, type[t], left, t, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(got[0] == left && got[1] == (t ? -1 : 1) && got[2] == 2 && got[3] == (t == 1 ? -1 : 3));
        CALL(MPI_Type_free(&type[t]));
    }
}
