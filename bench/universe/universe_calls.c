/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * universe_calls LIBRARY BLOCKS: what calls inside a job cost in a world of several jobs, beside the same calls of the job's MPI, whose functions are taken
 * from its LIBRARY. Blocks of some microseconds of either alternate in one process, so both see the same clock and the same load. The first process
 * of each job prints "NAME CALLS WORLD NATIVE WORLD NATIVE...": CALLS is how many calls one pass makes, the others are nanoseconds a pass.
 * Run without a world it measures the library beside itself.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct functions {
    __typeof__(&MPI_Isend) isend;
    __typeof__(&MPI_Irecv) irecv;
    __typeof__(&MPI_Wait) wait;
    __typeof__(&MPI_Waitall) waitall;
    __typeof__(&MPI_Waitany) waitany;
    __typeof__(&MPI_Send) send;
    __typeof__(&MPI_Recv) recv;
    __typeof__(&MPI_Comm_rank) comm_rank;
    MPI_Comm comm;
    int me, other; /* ranks in comm: `other` is the next process of the job */
} functions;

enum { BYTES = 8 };
static char out[BYTES], in[BYTES];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void send_to_nobody(const functions *f)
{
    MPI_Request request;
    f->isend(out, BYTES, MPI_BYTE, MPI_PROC_NULL, 1, f->comm, &request);
    f->wait(&request, MPI_STATUS_IGNORE);
}

static void exchange_and_waitall(const functions *f)
{
    MPI_Request request[2];
    f->irecv(in, BYTES, MPI_BYTE, f->me, 1, f->comm, &request[0]);
    f->isend(out, BYTES, MPI_BYTE, f->me, 1, f->comm, &request[1]);
    f->waitall(2, request, MPI_STATUSES_IGNORE);
}

static void exchange_and_see(const functions *f)
{
    MPI_Request request[2];
    MPI_Status status[2];
    f->irecv(in, BYTES, MPI_BYTE, f->me, 1, f->comm, &request[0]);
    f->isend(out, BYTES, MPI_BYTE, f->me, 1, f->comm, &request[1]);
    f->waitall(2, request, status);
    if (status[0].MPI_SOURCE != f->me)
        MPI_Abort(MPI_COMM_WORLD, 2);
}

static void exchange_and_waitany(const functions *f)
{
    MPI_Request request[2];
    int which;
    f->irecv(in, BYTES, MPI_BYTE, f->me, 1, f->comm, &request[0]);
    f->isend(out, BYTES, MPI_BYTE, f->me, 1, f->comm, &request[1]);
    f->waitany(2, request, &which, MPI_STATUS_IGNORE);
    f->waitany(2, request, &which, MPI_STATUS_IGNORE);
}

static void ask_rank(const functions *f)
{
    int rank;
    f->comm_rank(f->comm, &rank);
}

/* Two calls: half of it is a half round trip. */
static void go_and_return(const functions *f)
{
    if (f->other > f->me) {
        f->send(out, BYTES, MPI_BYTE, f->other, 1, f->comm);
        f->recv(in, BYTES, MPI_BYTE, f->other, 1, f->comm, MPI_STATUS_IGNORE);
    } else {
        f->recv(in, BYTES, MPI_BYTE, f->other, 1, f->comm, MPI_STATUS_IGNORE);
        f->send(out, BYTES, MPI_BYTE, f->other, 1, f->comm);
    }
}

static double block(void (*pass)(const functions *), const functions *f, int passes)
{
    double begin = now();
    for (int i = 0; i < passes; i++)
        pass(f);
    return (now() - begin) / passes;
}

static void measure(const char *name, int calls, void (*pass)(const functions *), const functions *world, const functions *native, int blocks, int is_first)
{
    enum { PASSES = 100 };
    if (is_first)
        printf("%s %d", name, calls);
    for (int b = 0; b < blocks; b++) {
        double ours, theirs = 0;
        if (b % 2)
            theirs = block(pass, native, PASSES);
        ours = block(pass, world, PASSES);
        if (b % 2 == 0)
            theirs = block(pass, native, PASSES);
        if (is_first)
            printf(" %.1f %.1f", ours, theirs);
    }
    if (is_first)
        printf("\n");
}

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "universe_calls: %s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return found;
}

static functions functions_of(void *library)
{
    return (functions){symbol(library, "MPI_Isend"), symbol(library, "MPI_Irecv"), symbol(library, "MPI_Wait"), symbol(library, "MPI_Waitall"),
                       symbol(library, "MPI_Waitany"), symbol(library, "MPI_Send"), symbol(library, "MPI_Recv"), symbol(library, "MPI_Comm_rank"),
                       MPI_COMM_WORLD, 0, 0};
}

int main(int argc, char **argv)
{
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) : NULL;
    MPI_Init(&argc, &argv);
    if (!library)
        MPI_Abort(MPI_COMM_WORLD, 3);
    functions world = functions_of(RTLD_DEFAULT), native = functions_of(library), self;
    int blocks = atoi(argv[2]), in_job;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.me);
    native.comm_rank(MPI_COMM_WORLD, &in_job);
    native.me = in_job;
    native.other = in_job ^ 1;
    world.other = world.me + native.other - native.me;
    self = world;
    self.comm = MPI_COMM_SELF;
    self.me = 0;
    functions native_self = native;
    native_self.comm = MPI_COMM_SELF;
    native_self.me = 0;
    if (in_job == 0) {
        measure("self_isend_nobody_wait", 2, send_to_nobody, &self, &native_self, blocks, 1);
        measure("self_irecv_isend_waitall", 3, exchange_and_waitall, &self, &native_self, blocks, 1);
        measure("world_rank", 1, ask_rank, &world, &native, blocks, 1);
        measure("world_isend_nobody_wait", 2, send_to_nobody, &world, &native, blocks, 1);
        measure("world_irecv_isend_waitall", 3, exchange_and_waitall, &world, &native, blocks, 1);
        measure("world_with_statuses", 3, exchange_and_see, &world, &native, blocks, 1);
        measure("world_irecv_isend_2_waitany", 4, exchange_and_waitany, &world, &native, blocks, 1);
    }
    if (in_job < 2)
        measure("world_send_recv_there_and_back", 2, go_and_return, &world, &native, blocks, in_job == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize() != MPI_SUCCESS;
}
