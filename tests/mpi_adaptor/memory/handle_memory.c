/* SPDX-License-Identifier: BSD-3-Clause */
/* handle_memory COUNT: creates and frees handles of each kind COUNT times (fewer where the MPI itself is slow) and prints one line "KIND TIMES BYTES": how
 * much more memory of malloc() is in use than before, after a first round that is not counted. The exit code is 1 if a call failed. */
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPEN = 6000 }; /* handles at once: more than one chunk of a table, and more than the places of requests */

static int failed;

static void call(int code, const char *text)
{
    if (code != MPI_SUCCESS && !failed++)
        printf("%s: error %d\n", text, code);
}
#define CALL(...) call(__VA_ARGS__, #__VA_ARGS__)

static void check(int is_true, const char *text)
{
    if (!is_true && !failed++)
        printf("%s is not so\n", text);
}
#define CHECK(...) check(__VA_ARGS__, #__VA_ARGS__)

static void complete_send(int i)
{
    char byte = 0;
    MPI_Request request;
    CALL(MPI_Isend(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request));
    if (i % 2)
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    else
        CALL(MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
    CHECK(request == MPI_REQUEST_NULL);
}

/* Many are open at once, so that their table grows and shrinks. */
static void complete_many(int i)
{
    static int from[OPEN], to[OPEN];
    static MPI_Request requests[2 * OPEN];
    for (int k = 0; k < OPEN; k++) {
        to[k] = -1;
        from[k] = i + k;
        CALL(MPI_Irecv(&to[k], 1, MPI_INT, 0, k, MPI_COMM_SELF, &requests[k]));
    }
    for (int k = 0; k < OPEN; k++)
        CALL(MPI_Isend(&from[k], 1, MPI_INT, 0, k, MPI_COMM_SELF, &requests[OPEN + k]));
    for (int k = 0; k < OPEN; k += 2)
        CALL(MPI_Wait(&requests[k], MPI_STATUS_IGNORE));
    CALL(MPI_Waitall(2 * OPEN, requests, MPI_STATUSES_IGNORE));
    for (int k = 0; k < OPEN; k++)
        CHECK(to[k] == i + k && requests[k] == MPI_REQUEST_NULL && requests[OPEN + k] == MPI_REQUEST_NULL);
}

static void free_persistent(int i)
{
    int value = i;
    MPI_Request request;
    CALL(MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request));
    CALL(MPI_Start(&request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Request_free(&request));
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    MPI_Status_set_cancelled(status, 0);
    return MPI_Status_set_elements(status, MPI_INT, 0);
}

static int release(void *state)
{
    ++*(int *)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static void complete_generalised(int i)
{
    int released = 0;
    MPI_Request request;
    (void)i;
    CALL(MPI_Grequest_start(query, release, cancel, &released, &request));
    CALL(MPI_Grequest_complete(request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(released == 1);
}

/* The arrays of types are kept until the request completes. */
static void complete_alltoallw(int i)
{
    int got = -1, one = 1, zero = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Request request;
    CALL(MPI_Ialltoallw(&i, &one, &zero, &type, &got, &one, &zero, &type, MPI_COMM_SELF, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(got == i);
}

static void receive_matched(int i)
{
    int got = -1;
    MPI_Message message;
    MPI_Request request;
    CALL(MPI_Isend(&i, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    CALL(MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE));
    CALL(MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(got == i && message == MPI_MESSAGE_NULL);
}

/* Asking for the INTEGER of Fortran again gives no new one. */
static void number_request(int i)
{
    int value = i;
    MPI_Request request, same;
    CALL(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request));
    MPI_Fint number = MPI_Request_c2f(request);
    same = MPI_Request_f2c(number);
    CHECK(same == request && MPI_Request_c2f(same) == number);
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void free_type(int i)
{
    int integers[1], size = 0;
    MPI_Aint addresses[1];
    MPI_Datatype pair, many, inside;
    CALL(MPI_Type_contiguous(2, MPI_INT, &pair));
    CALL(MPI_Type_contiguous(1 + i % 7, pair, &many));
    CALL(MPI_Type_get_contents(many, 1, 0, 1, integers, addresses, &inside));
    CALL(MPI_Type_size(inside, &size));
    CHECK(size == 2 * (int)sizeof(int));
    CALL(MPI_Type_free(&inside));
    CALL(MPI_Type_free(&many));
    CALL(MPI_Type_free(&pair));
    CHECK(pair == MPI_DATATYPE_NULL);
}

static void free_many_types(int i)
{
    static MPI_Datatype types[OPEN];
    for (int k = 0; k < OPEN; k++)
        CALL(MPI_Type_contiguous(1 + k, MPI_INT, &types[k]));
    int size = 0;
    CALL(MPI_Type_size(types[i % OPEN], &size));
    CHECK(size == (1 + i % OPEN) * (int)sizeof(int));
    for (int k = 0; k < OPEN; k++)
        CALL(MPI_Type_free(&types[k]));
}

static void free_group(int i)
{
    int rank = 0;
    MPI_Group all, one;
    (void)i;
    CALL(MPI_Comm_group(MPI_COMM_SELF, &all));
    CALL(MPI_Group_incl(all, 1, &rank, &one));
    CALL(MPI_Group_free(&one));
    CALL(MPI_Group_free(&all));
}

static void free_info(int i)
{
    MPI_Info info, copy;
    (void)i;
    CALL(MPI_Info_create(&info));
    CALL(MPI_Info_set(info, "key", "value"));
    CALL(MPI_Info_dup(info, &copy));
    CALL(MPI_Info_free(&copy));
    CALL(MPI_Info_free(&info));
}

static void reduce(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void free_op(int i)
{
    MPI_Op op;
    (void)i;
    CALL(MPI_Op_create(reduce, 1, &op));
    CALL(MPI_Op_free(&op));
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void free_errhandler(int i)
{
    MPI_Errhandler handler, before;
    (void)i;
    CALL(MPI_Comm_get_errhandler(MPI_COMM_SELF, &before));
    CALL(MPI_Comm_create_errhandler(handle_error, &handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_SELF, before));
    CALL(MPI_Errhandler_free(&before));
}

static int delete_value(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm;
    (void)keyval;
    (void)state;
    ++*(int *)value;
    return MPI_SUCCESS;
}

static void free_keyval(int i)
{
    int keyval, deleted = 0;
    (void)i;
    CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_value, &keyval, NULL));
    CALL(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &deleted));
    CALL(MPI_Comm_delete_attr(MPI_COMM_SELF, keyval));
    CALL(MPI_Comm_free_keyval(&keyval));
    CHECK(deleted == 1);
}

static void free_comm(int i)
{
    MPI_Comm copy;
    (void)i;
    CALL(MPI_Comm_dup(MPI_COMM_SELF, &copy));
    CALL(MPI_Comm_free(&copy));
    CHECK(copy == MPI_COMM_NULL);
}

static void free_late_comm(int i)
{
    MPI_Comm copy;
    MPI_Request request;
    (void)i;
    CALL(MPI_Comm_idup(MPI_COMM_SELF, &copy, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Comm_free(&copy));
}

static void free_window(int i)
{
    int value = i;
    MPI_Win win;
    CALL(MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    CALL(MPI_Win_free(&win));
}

static void close_file(int i)
{
    MPI_File file;
    (void)i;
    CALL(MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    CALL(MPI_File_close(&file));
}

/* `share`: of COUNT, because these take the MPI longer. */
static const struct kind {
    const char *name;
    void (*create_and_free)(int i);
    int share;
} kinds[] = {{"request", complete_send, 1},
             {"requests_at_once", complete_many, 2 * OPEN},
             {"request_persistent", free_persistent, 1},
             {"request_generalised", complete_generalised, 1},
             {"request_with_types", complete_alltoallw, 20},
             {"request_number", number_request, 1},
             {"message", receive_matched, 2},
             {"type", free_type, 3},
             {"types_at_once", free_many_types, OPEN},
             {"group", free_group, 2},
             {"info", free_info, 2},
             {"op", free_op, 1},
             {"errhandler", free_errhandler, 2},
             {"keyval", free_keyval, 1},
             {"comm", free_comm, 50},
             {"comm_late", free_late_comm, 50},
             {"window", free_window, 150},
             {"file", close_file, 2000}};

static long long bytes_used(void)
{
    struct mallinfo2 now = mallinfo2();
    return (long long)(now.uordblks + now.hblkhd);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1000000;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int times = count / kinds[k].share;
        for (int i = 0; i < 2 + times / 10; i++)
            kinds[k].create_and_free(i);
        long long before = bytes_used();
        for (int i = 0; i < times; i++)
            kinds[k].create_and_free(i);
        printf("%s %d %lld\n", kinds[k].name, times, bytes_used() - before);
        fflush(stdout);
    }
    MPI_Finalize();
    return failed != 0;
}
