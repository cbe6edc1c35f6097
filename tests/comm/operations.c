/* SPDX-License-Identifier: BSD-3-Clause */
/* A backend under its own MPI: recognised, every operation right, errors returned and not fatal. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "mpi/mpi.h"

static const h3ou__mpi_ops *mpi;
static h3ou__mpi_comm world;
static int rank, size, bad;

static void expect(int is, const char *what)
{
    if (!is && bad++ < 5)
        printf("rank %d: %s: %s\n", rank, what, h3ou__fail_text());
}

static int64_t finish(int err, h3ou__mpi_req *req, const char *what)
{
    int done = 0;
    int64_t bytes = 0;
    expect(!err, what);
    while (!err && !done)
        err = mpi->test(req, &done, &bytes);
    expect(!err, what);
    return bytes;
}

static void point_to_point(void)
{
    h3ou__mpi_req s, r;
    double out[3] = {rank, 2, 3}, in[5];
    int next = (rank + 1) % size, before = (rank + size - 1) % size, found = 0;
    int64_t bytes = 0;
    expect(!mpi->isend(world, out, 3, H3OU__DOUBLE, next, 7, &s), "isend");
    while (!found)
        expect(!mpi->iprobe(world, before, 7, &found, &bytes), "iprobe");
    expect(bytes == 24, "iprobe's bytes");
    int err = mpi->irecv(world, in, 5, H3OU__DOUBLE, before, 7, &r);
    expect(finish(err, &r, "irecv") == 24 && in[0] == before && in[2] == 3, "what arrived");
    finish(0, &s, "isend");
}

enum { PIECE = 1 << 22, PIECES = 513 }; /* bytes; PIECES of them are more than 2 GiB */

/* Returns PIECES * PIECE bytes of address space that all stand for one piece of memory. */
static double *new_window(void)
{
    char *window = mmap(NULL, (size_t)PIECES * PIECE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int fd = memfd_create("window", 0), err = fd < 0 || window == MAP_FAILED || ftruncate(fd, PIECE);
    for (size_t i = 0; i < PIECES && !err; i++)
        err = mmap(window + i * PIECE, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0) ==
              MAP_FAILED;
    if (err) {
        printf("no window\n");
        exit(1);
    }
    close(fd);
    return (double *)(void *)window;
}

/* Sends more than 2 GiB to itself, whose length does not fit into the int of MPI_Get_count. Of the values, only those
 * of the piece that arrived last can be seen. */
static void long_message(void)
{
    const int64_t count = (int64_t)PIECES * PIECE / (int64_t)sizeof(double);
    double *out = new_window(), *in = new_window();
    h3ou__mpi_req s, r;
    int found = 0, sent = 0, arrived = 0;
    int64_t probed = 0, bytes = 0;
    out[0] = 5.0;
    out[PIECE / sizeof *out - 1] = 6.0;
    int err = mpi->isend(world, out, count, H3OU__DOUBLE, rank, 9, &s);
    while (!err && !found)
        err = mpi->iprobe(world, rank, 9, &found, &probed);
    err = err ? err : mpi->irecv(world, in, count, H3OU__DOUBLE, rank, 9, &r);
    while (!err && !(sent && arrived)) {
        err = arrived ? 0 : mpi->test(&r, &arrived, &bytes);
        err = err || sent ? err : mpi->test(&s, &sent, NULL);
    }
    expect(!err && in[0] == 5.0 && in[count - 1] == 6.0, "what arrived of a long message");
    expect(probed == (int64_t)PIECES * PIECE && bytes == probed, "the length of a long message");
    munmap(out, (size_t)PIECES * PIECE);
    munmap(in, (size_t)PIECES * PIECE);
}

static void collectives(int root)
{
    h3ou__mpi_req q;
    int mine[2] = {rank, 10 * rank}, *all = calloc((size_t)size * 2, sizeof *all), sum[2] = {0, 0};
    int *counts = malloc(sizeof(int) * (size_t)size), *at = malloc(sizeof(int) * (size_t)size);
    for (int i = 0; i < size; i++) {
        counts[i] = 1 + i % 2;
        at[i] = 2 * i;
    }
    finish(mpi->ibarrier(world, &q), &q, "ibarrier");
    int value = rank == root ? 99 : 0;
    finish(mpi->ibcast(world, &value, 1, H3OU__INT32, root, &q), &q, "ibcast");
    expect(value == 99, "ibcast");
    finish(mpi->igather(world, mine, 2, all, H3OU__INT32, root, &q), &q, "igather");
    for (int i = 0; rank == root && i < size; i++)
        expect(all[2 * i] == i && all[2 * i + 1] == 10 * i, "igather");
    finish(mpi->iscatter(world, all, mine, 2, H3OU__INT32, root, &q), &q, "iscatter");
    expect(mine[0] == rank && mine[1] == 10 * rank, "iscatter");
    memset(all, 0, sizeof(int) * 2 * (size_t)size);
    finish(mpi->igatherv(world, mine, counts[rank], all, counts, at, H3OU__INT32, root, &q), &q, "igatherv");
    for (int i = 0; rank == root && i < size; i++)
        expect(all[2 * i] == i && all[2 * i + 1] == (i % 2 ? 10 * i : 0), "igatherv");
    mine[0] = mine[1] = -1;
    finish(mpi->iscatterv(world, all, counts, at, mine, counts[rank], H3OU__INT32, root, &q), &q, "iscatterv");
    expect(mine[0] == rank && mine[1] == (rank % 2 ? 10 * rank : -1), "iscatterv");
    finish(mpi->iallgather(world, &rank, 1, all, H3OU__INT32, &q), &q, "iallgather");
    expect(all[size - 1] == size - 1, "iallgather");
    finish(mpi->ireduce(world, &rank, sum, 1, H3OU__INT32, H3OU__SUM, root, &q), &q, "ireduce");
    expect(rank != root || sum[0] == size * (size - 1) / 2, "ireduce");
    sum[0] = rank;
    finish(mpi->iallreduce(world, sum, sum, 1, H3OU__INT32, H3OU__MAX, &q), &q, "iallreduce in place");
    expect(sum[0] == size - 1, "iallreduce");
    free(all);
    free(counts);
    free(at);
}

static void all_to_all(void)
{
    h3ou__mpi_req q;
    int *n = malloc(sizeof(int) * (size_t)size), *at = malloc(sizeof(int) * (size_t)size);
    int64_t *out = malloc(sizeof *out * (size_t)size), *in = malloc(sizeof *in * (size_t)size);
    for (int i = 0; i < size; i++) {
        n[i] = 1;
        at[i] = i;
        out[i] = 100 * rank + i;
    }
    finish(mpi->ialltoall(world, out, 1, in, H3OU__INT64, &q), &q, "ialltoall");
    for (int i = 0; i < size; i++)
        expect(in[i] == 100 * i + rank, "ialltoall");
    finish(mpi->ialltoallv(world, out, n, at, in, n, at, H3OU__INT64, &q), &q, "ialltoallv");
    for (int i = 0; i < size; i++)
        expect(in[i] == 100 * i + rank, "ialltoallv");
    free(n);
    free(at);
    free(out);
    free(in);
}

static void errors_come_back(void)
{
    h3ou__mpi_req q;
    int value = 0;
    expect(mpi->isend(world, &value, 1, H3OU__INT32, size + 5, 1, &q) == H3OU__EMPI &&
               strstr(h3ou__fail_text(), "MPI_Isend"),
           "a rank that is none");
    expect(mpi->isend(world, &value, INT64_C(1) << 33, H3OU__INT32, 0, 1, &q) == H3OU__EARG,
           "a count that MPI cannot have");
}

int main(int argc, char **argv)
{
    const h3ou__mpi_ops *again;
    h3ou__mpi_comm half;
    int did, worst = 0, half_size = 0, handle, running, finalized;
    char version[256];
    if (h3ou__mpi_find(&mpi)) {
        printf("find: %s\n", h3ou__fail_text());
        return argc > 2 ? 3 : 1; /* asked for: no backend to be found */
    }
    int err = mpi->init(&did);
    expect(!err && did, "init");
    expect(!mpi->init(&did) && !did, "init again");
    expect(!mpi->world(&world) && !mpi->rank(world, &rank) && !mpi->size(world, &size), "world");
    expect(!strcmp(mpi->name, argv[1]) && !h3ou__mpi_find(&again) && again == mpi, "the right backend");
    expect(!mpi->version(version, sizeof version) && strlen(version) > 3, "version");
    point_to_point();
    if (size == 1)
        long_message();
    for (int root = 0; root < size; root++)
        collectives(root);
    all_to_all();
    errors_come_back();
    expect(!mpi->split(world, rank % 2 ? 1 : -1, rank, &half), "split");
    expect((rank % 2 == 0) == (half == 0), "who is left out gets none");
    if (half) {
        expect(!mpi->size(half, &half_size) && half_size == size / 2, "size of the half");
        expect(!mpi->to_fortran(half, &handle) && MPI_Comm_f2c(handle) != MPI_COMM_NULL, "Fortran handle");
        expect(!mpi->comm_free(&half) && half == 0, "comm_free");
    }
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(!mpi->comm_free(&world) && !mpi->finalize() && !mpi->initialized(&running, &finalized) && finalized,
           "finalize");
    return worst || bad ? 1 : 0;
}
