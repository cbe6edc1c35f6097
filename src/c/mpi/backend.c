/* SPDX-License-Identifier: BSD-3-Clause */
/* The table h3ou__mpi_ops over a real MPI. Compiled once by each MPI's wrapper; the only file of the libraries that
 * includes <mpi.h>. */
#include <mpi.h>

#include <limits.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "mpi/mpi.h"

/* MPI_Comm and MPI_Request are each an int or a pointer, depending on the MPI. */
_Static_assert(sizeof(MPI_Comm) <= sizeof(h3ou__mpi_comm), "communicator handle too large");
_Static_assert(sizeof(MPI_Request) <= sizeof(h3ou__mpi_req), "request handle too large");

static int fail_mpi(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        strcpy(text, "unknown MPI error");
    return h3ou__fail(H3OU__EMPI, "%s: %s", call, text);
}

static int check_mpi(const char *call, int code)
{
    return code == MPI_SUCCESS ? H3OU__OK : fail_mpi(call, code);
}

static MPI_Comm comm_of(h3ou__mpi_comm c)
{
    MPI_Comm comm;
    memcpy(&comm, &c, sizeof comm);
    return comm;
}

static h3ou__mpi_comm comm_to_number(MPI_Comm comm)
{
    h3ou__mpi_comm c = 0;
    memcpy(&c, &comm, sizeof comm);
    return c;
}

static MPI_Request *request_of(h3ou__mpi_req *req)
{
    return (MPI_Request *)(void *)req->opaque;
}

/* Only signed integers are used, because MPICH 4.0 reduces unsigned ones as if they were signed. */
static MPI_Datatype type_of(int type)
{
    switch (type) {
    case H3OU__INT32:
        return MPI_INT32_T;
    case H3OU__INT64:
        return MPI_INT64_T;
    case H3OU__FLOAT:
        return MPI_FLOAT;
    case H3OU__DOUBLE:
        return MPI_DOUBLE;
    default:
        return MPI_BYTE;
    }
}

static MPI_Op op_of(int op)
{
    return op == H3OU__MIN ? MPI_MIN : op == H3OU__MAX ? MPI_MAX : MPI_SUM;
}

/* Converts a count to MPI's int, and fails for a longer message instead of truncating it. */
static int count_to_int(const char *call, int64_t count, int *out)
{
    *out = 0;
    if (count < 0 || count > INT_MAX)
        return h3ou__fail(H3OU__EARG, "%s: %lld elements in one message: at most %d are possible", call,
                          (long long)count, INT_MAX);
    *out = (int)count;
    return H3OU__OK;
}

static int b_init(int *did)
{
    int yes;
    *did = 0;
    int err = check_mpi("MPI_Initialized", MPI_Initialized(&yes));
    if (err || yes)
        return err;
    *did = 1;
    return check_mpi("MPI_Init", MPI_Init(NULL, NULL));
}

static int b_initialized(int *yes, int *finalized)
{
    int err = check_mpi("MPI_Initialized", MPI_Initialized(yes));
    return err ? err : check_mpi("MPI_Finalized", MPI_Finalized(finalized));
}

static int b_finalize(void)
{
    int done;
    int err = check_mpi("MPI_Finalized", MPI_Finalized(&done));
    return err || done ? err : check_mpi("MPI_Finalize", MPI_Finalize());
}

static int b_abort(int code)
{
    return check_mpi("MPI_Abort", MPI_Abort(MPI_COMM_WORLD, code < 0 ? -code : code));
}

static int b_version(char *text, int size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    int err = check_mpi("MPI_Get_library_version", MPI_Get_library_version(version, &length));
    if (!err) {
        strncpy(text, version, (size_t)size - 1);
        text[size - 1] = 0;
    }
    return err;
}

static int return_errors(MPI_Comm comm, h3ou__mpi_comm *out)
{
    int err = check_mpi("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    *out = comm_to_number(comm);
    return err;
}

#ifdef MPICH_VERSION
/* Sleeps between tests: MPI_Comm_dup of MPICH polls, which takes the turns of those who are awaited where processes outnumber
 * cores. */
static int duplicate(MPI_Comm c, MPI_Comm *out)
{
    enum { YIELDS = 50, LONGEST = 200000 }; /* nanoseconds */
    MPI_Request req;
    struct timespec nap = {.tv_nsec = 20000};
    int done = 0, err = check_mpi("MPI_Comm_idup", MPI_Comm_idup(c, out, &req));
    for (int turn = 0; !err; turn++) {
        err = check_mpi("MPI_Test", MPI_Test(&req, &done, MPI_STATUS_IGNORE));
        if (err || done)
            break;
        if (turn < YIELDS) {
            sched_yield();
            continue;
        }
        nanosleep(&nap, NULL);
        nap.tv_nsec = 2 * nap.tv_nsec < LONGEST ? 2 * nap.tv_nsec : LONGEST;
    }
    return err;
}
#else
static int duplicate(MPI_Comm c, MPI_Comm *out)
{
    return check_mpi("MPI_Comm_dup", MPI_Comm_dup(c, out));
}
#endif

static int b_dup(h3ou__mpi_comm c, h3ou__mpi_comm *out)
{
    MPI_Comm comm;
    int err = duplicate(comm_of(c), &comm);
    return err ? err : return_errors(comm, out);
}

static struct {
    int is_given;
    MPI_Comm comm; /* of the program */
} job;

static int b_live_in(const int *handle)
{
    int is_inter = 0;
    job.is_given = 0;
    if (!handle)
        return H3OU__OK;
    job.comm = MPI_Comm_f2c((MPI_Fint)*handle);
    if (job.comm == MPI_COMM_NULL)
        return h3ou__fail(H3OU__EARG, "h3ou_init: comm is MPI_COMM_NULL: a process that takes no part in the run does not call it");
    int err = check_mpi("MPI_Comm_test_inter", MPI_Comm_test_inter(job.comm, &is_inter));
    if (!err && is_inter)
        return h3ou__fail(H3OU__EARG, "h3ou_init: comm is an intercommunicator: it must hold one group of processes");
    job.is_given = !err;
    return err;
}

static int b_all(h3ou__mpi_comm *out, int *is_world)
{
    *out = comm_to_number(job.is_given ? job.comm : MPI_COMM_WORLD);
    *is_world = !job.is_given;
    return H3OU__OK;
}

static int b_world(h3ou__mpi_comm *out)
{
    return b_dup(comm_to_number(job.is_given ? job.comm : MPI_COMM_WORLD), out);
}

static int b_dup_for_model(h3ou__mpi_comm c, h3ou__mpi_comm *out)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    int err = duplicate(comm_of(c), &comm);
    if (err ||
        (err = check_mpi("MPI_Comm_get_errhandler", MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler))) != H3OU__OK)
        return err;
    *out = comm_to_number(comm);
    err = check_mpi("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(comm, handler));
    return err ? err : check_mpi("MPI_Errhandler_free", MPI_Errhandler_free(&handler));
}

static struct {
    MPI_Comm job; /* a duplicate of the job's communicator */
    int is_part;  /* the job is a part of MPI_COMM_WORLD */
    const h3ou__mpi_finalize_ops *ops;
    volatile int is_world_gone; /* note_world was called: MPI has deleted the attributes of MPI_COMM_WORLD */
} finalize;

/* Waits for all processes of the job when MPI_Finalize deletes the attributes of MPI_COMM_SELF, which it does first,
 * while MPI still works normally. An error ends the wait, because MPI_Finalize itself will then report more. */
static int wait_for_job(MPI_Comm self, int keyval, void *value, void *extra)
{
    (void)self;
    (void)keyval;
    (void)value;
    (void)extra;
    MPI_Request request;
    struct timespec nap = {.tv_nsec = 20 * 1000};
    int done = 0;
    finalize.ops->begins();
    int code = MPI_Ibarrier(finalize.job, &request);
    while (code == MPI_SUCCESS && (code = MPI_Test(&request, &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done) {
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < 10 * 1000 * 1000)
            nap.tv_nsec *= 2;
    }
    if (code == MPI_SUCCESS)
        MPI_Comm_free(&finalize.job);
    if (!finalize.is_part)
        finalize.ops->all_here();
    return MPI_SUCCESS;
}

static int note_world(MPI_Comm world, int keyval, void *value, void *extra)
{
    (void)world;
    (void)keyval;
    (void)value;
    (void)extra;
    finalize.is_world_gone = 1;
    return MPI_SUCCESS;
}

static int set_attribute(MPI_Comm comm, MPI_Comm_delete_attr_function *at_delete)
{
    int key;
    int err = check_mpi("MPI_Comm_create_keyval", MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_delete, &key, NULL));
    return err ? err : check_mpi("MPI_Comm_set_attr", MPI_Comm_set_attr(comm, key, NULL));
}

static int b_at_finalize(const h3ou__mpi_finalize_ops *ops)
{
    int err;
    if (finalize.ops)
        return H3OU__OK;
    finalize.is_part = job.is_given;
    if ((err = check_mpi("MPI_Comm_dup", MPI_Comm_dup(job.is_given ? job.comm : MPI_COMM_WORLD, &finalize.job))) != H3OU__OK ||
        (err = check_mpi("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(finalize.job, MPI_ERRORS_RETURN))) ||
        (err = set_attribute(MPI_COMM_WORLD, note_world)) != H3OU__OK)
        return err;
    finalize.ops = ops;
    return set_attribute(MPI_COMM_SELF, wait_for_job);
}

/* Asks both signs of the end, because MPICH deletes the attributes of MPI_COMM_WORLD early and makes MPI_Finalized true
 * late, and Open MPI the other way round: neither alone says that MPI_Finalize no longer waits for other processes. */
static int b_has_finalized(int *yes)
{
    int err = check_mpi("MPI_Finalized", MPI_Finalized(yes));
    *yes = *yes && finalize.is_world_gone;
    return err;
}

static int b_split(h3ou__mpi_comm c, int color, int key, h3ou__mpi_comm *out)
{
    MPI_Comm comm;
    *out = 0;
    int err = check_mpi("MPI_Comm_split", MPI_Comm_split(comm_of(c), color < 0 ? MPI_UNDEFINED : color, key, &comm));
    return err || color < 0 ? err : return_errors(comm, out);
}

static int b_comm_free(h3ou__mpi_comm *c)
{
    MPI_Comm comm = comm_of(*c);
    *c = 0;
    return check_mpi("MPI_Comm_free", MPI_Comm_free(&comm));
}

static int b_rank(h3ou__mpi_comm c, int *rank)
{
    return check_mpi("MPI_Comm_rank", MPI_Comm_rank(comm_of(c), rank));
}

static int b_size(h3ou__mpi_comm c, int *size)
{
    return check_mpi("MPI_Comm_size", MPI_Comm_size(comm_of(c), size));
}

static int b_to_fortran(h3ou__mpi_comm c, int *handle)
{
    *handle = (int)MPI_Comm_c2f(comm_of(c));
    return H3OU__OK;
}

static int b_group_to_fortran(h3ou__mpi_comm c, int *handle)
{
    MPI_Group group;
    int err = check_mpi("MPI_Comm_group", MPI_Comm_group(comm_of(c), &group));
    if (!err)
        *handle = (int)MPI_Group_c2f(group);
    return err;
}

static int b_isend(h3ou__mpi_comm c, const void *buf, int64_t count, int type, int dst, int tag, h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Isend", count, &n);
    return err ? err : check_mpi("MPI_Isend", MPI_Isend(buf, n, type_of(type), dst, tag, comm_of(c), request_of(req)));
}

static int source_of(int src)
{
    return src == H3OU__ANY_SOURCE ? MPI_ANY_SOURCE : src;
}

static int b_irecv(h3ou__mpi_comm c, void *buf, int64_t count, int type, int src, int tag, h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Irecv", count, &n), from = source_of(src);
    return err ? err : check_mpi("MPI_Irecv", MPI_Irecv(buf, n, type_of(type), from, tag, comm_of(c), request_of(req)));
}

/* Calls MPI_Test so that errors are returned. MPICH and MPIs derived from it pass its errors to the handler of
 * MPI_COMM_WORLD, which ends the program, so this handler is replaced during the call. Open MPI uses the handler of the
 * request's communicator. */
static int test_quietly(MPI_Request *request, int *done, MPI_Status *status)
{
#ifdef OPEN_MPI
    return MPI_Test(request, done, status);
#else
    MPI_Errhandler usual;
    int code = MPI_Comm_get_errhandler(MPI_COMM_WORLD, &usual);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) {
        code = MPI_Test(request, done, status);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, usual);
    }
    MPI_Errhandler_free(&usual);
    return code;
#endif
}

/* Finds how many bytes a message has, of which MPI_Get_count cannot return 2 GiB or more. */
static int count_bytes(const MPI_Status *status, int64_t *bytes)
{
    MPI_Count n = 0;
    int err = check_mpi("MPI_Get_elements_x", MPI_Get_elements_x(status, MPI_BYTE, &n));
    *bytes = n;
    return err;
}

/* Fails because a message is too long. *bytes: its length where the MPI says it, as Open MPI does; MPICH does not. */
static int fail_too_long(const MPI_Status *status, int64_t *bytes)
{
    (void)status;
    if (bytes)
        *bytes = -1;
#ifdef OPEN_MPI
    if (bytes && count_bytes(status, bytes))
        *bytes = -1;
#endif
    return h3ou__fail(H3OU__ETRUNC, "a message is longer than the buffer that awaits it");
}

static int b_test(h3ou__mpi_req *req, int *done, int64_t *bytes)
{
    MPI_Status status;
    int code = test_quietly(request_of(req), done, &status);
    if (code != MPI_SUCCESS) {
        int class = MPI_SUCCESS;
        MPI_Error_class(code, &class);
        return class == MPI_ERR_TRUNCATE ? fail_too_long(&status, bytes) : fail_mpi("MPI_Test", code);
    }
    return *done && bytes ? count_bytes(&status, bytes) : H3OU__OK;
}

static int b_iprobe(h3ou__mpi_comm c, int src, int tag, int *found, int64_t *bytes)
{
    MPI_Status status;
    int err = check_mpi("MPI_Iprobe", MPI_Iprobe(source_of(src), tag, comm_of(c), found, &status));
    *bytes = 0;
    return !err && *found ? count_bytes(&status, bytes) : err;
}

static int b_ibarrier(h3ou__mpi_comm c, h3ou__mpi_req *req)
{
    return check_mpi("MPI_Ibarrier", MPI_Ibarrier(comm_of(c), request_of(req)));
}

static int b_ibcast(h3ou__mpi_comm c, void *buf, int64_t count, int type, int root, h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Ibcast", count, &n);
    return err ? err : check_mpi("MPI_Ibcast", MPI_Ibcast(buf, n, type_of(type), root, comm_of(c), request_of(req)));
}

static int b_igather(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, int type, int root,
                     h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Igather", count, &n);
    MPI_Datatype t = type_of(type);
    return err ? err : check_mpi("MPI_Igather", MPI_Igather(send, n, t, recv, n, t, root, comm_of(c), request_of(req)));
}

static int b_igatherv(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, const int counts[],
                      const int displs[], int type, int root, h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Igatherv", count, &n);
    MPI_Datatype t = type_of(type);
    return err ? err
               : check_mpi("MPI_Igatherv",
                           MPI_Igatherv(send, n, t, recv, counts, displs, t, root, comm_of(c), request_of(req)));
}

static int b_iscatter(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int root,
                      h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Iscatter", count, &n);
    MPI_Datatype t = type_of(type);
    return err ? err
               : check_mpi("MPI_Iscatter", MPI_Iscatter(send, n, t, recv, n, t, root, comm_of(c), request_of(req)));
}

static int b_iscatterv(h3ou__mpi_comm c, const void *send, const int counts[], const int displs[], void *recv,
                       int64_t count, int type, int root, h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Iscatterv", count, &n);
    MPI_Datatype t = type_of(type);
    return err ? err
               : check_mpi("MPI_Iscatterv",
                           MPI_Iscatterv(send, counts, displs, t, recv, n, t, root, comm_of(c), request_of(req)));
}

static int b_iallgather(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, int type, h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Iallgather", count, &n);
    MPI_Datatype t = type_of(type);
    return err ? err : check_mpi("MPI_Iallgather", MPI_Iallgather(send, n, t, recv, n, t, comm_of(c), request_of(req)));
}

static int b_ialltoall(h3ou__mpi_comm c, const void *send, int64_t count, void *recv, int type, h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Ialltoall", count, &n);
    MPI_Datatype t = type_of(type);
    return err ? err : check_mpi("MPI_Ialltoall", MPI_Ialltoall(send, n, t, recv, n, t, comm_of(c), request_of(req)));
}

static int b_ialltoallv(h3ou__mpi_comm c, const void *send, const int scounts[], const int sdispls[], void *recv,
                        const int rcounts[], const int rdispls[], int type, h3ou__mpi_req *req)
{
    MPI_Datatype t = type_of(type);
    return check_mpi("MPI_Ialltoallv",
                     MPI_Ialltoallv(send, scounts, sdispls, t, recv, rcounts, rdispls, t, comm_of(c), request_of(req)));
}

static int b_ireduce(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int op, int root,
                     h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Ireduce", count, &n);
    if (err)
        return err;
    const void *from = send == recv ? MPI_IN_PLACE : send;
    return check_mpi("MPI_Ireduce",
                     MPI_Ireduce(from, recv, n, type_of(type), op_of(op), root, comm_of(c), request_of(req)));
}

static int b_iallreduce(h3ou__mpi_comm c, const void *send, void *recv, int64_t count, int type, int op,
                        h3ou__mpi_req *req)
{
    int n, err = count_to_int("MPI_Iallreduce", count, &n);
    if (err)
        return err;
    const void *from = send == recv ? MPI_IN_PLACE : send;
    return check_mpi("MPI_Iallreduce",
                     MPI_Iallreduce(from, recv, n, type_of(type), op_of(op), comm_of(c), request_of(req)));
}

extern const h3ou__mpi_ops h3ou__mpi_backend;
__attribute__((visibility("default"))) const h3ou__mpi_ops h3ou__mpi_backend = {
    .abi = H3OU__MPI_ABI,
    .name = H3OU_MPI_NAME,
    .init = b_init,
    .initialized = b_initialized,
    .finalize = b_finalize,
    .abort = b_abort,
    .version = b_version,
    .at_finalize = b_at_finalize,
    .has_finalized = b_has_finalized,
    .live_in = b_live_in,
    .all = b_all,
    .world = b_world,
    .split = b_split,
    .dup = b_dup,
    .dup_for_model = b_dup_for_model,
    .comm_free = b_comm_free,
    .rank = b_rank,
    .size = b_size,
    .to_fortran = b_to_fortran,
    .group_to_fortran = b_group_to_fortran,
    .isend = b_isend,
    .irecv = b_irecv,
    .test = b_test,
    .iprobe = b_iprobe,
    .ibarrier = b_ibarrier,
    .ibcast = b_ibcast,
    .igather = b_igather,
    .igatherv = b_igatherv,
    .iscatter = b_iscatter,
    .iscatterv = b_iscatterv,
    .iallgather = b_iallgather,
    .ialltoall = b_ialltoall,
    .ialltoallv = b_ialltoallv,
    .ireduce = b_ireduce,
    .iallreduce = b_iallreduce,
};
