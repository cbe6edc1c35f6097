/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls where the processes of a job are on several hosts: network name spaces stand for these. TEST_HOSTS has a character
 * for each process of the job: those with the same one share a host, and those with 0 stay where they are. Each process says how many
 * values were wrong. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "waitio_mpi.h"

enum { MOST = 100000 };

static int64_t in[MOST], out[MOST];
static int rank, size, bad;

/* Enters the host of this process; the first one of each makes it. */
static void enter_host(const char *layout)
{
    int me, n, failed = 0, pid[16];
    char path[64];
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int first = (int)(strchr(layout, layout[me]) - layout), mine = getpid();
    if (layout[me] != '0' && first == me)
        failed = unshare(CLONE_NEWNET);
    MPI_Allgather(&mine, 1, MPI_INT, pid, 1, MPI_INT, MPI_COMM_WORLD);
    if (layout[me] != '0' && first != me) {
        snprintf(path, sizeof path, "/proc/%d/ns/net", pid[first]);
        int fd = open(path, O_RDONLY);
        failed = fd < 0 || setns(fd, CLONE_NEWNET);
        close(fd);
    }
    bad += failed != 0;
    MPI_Barrier(MPI_COMM_WORLD);
}

static int64_t value(int r, int i)
{
    return (int64_t)(r + 1) * (i % 1000 + 1);
}

static void fill(int r, int n)
{
    memset(out, 0, sizeof out);
    for (int i = 0; i < n; i++)
        in[i] = value(r, i);
}

/* Compares the sums of all, or their exclusive or, if is_xor. */
static void compare(int n, int is_xor)
{
    for (int i = 0; i < n; i++) {
        int64_t sum = 0;
        for (int r = 0; r < size; r++)
            sum = is_xor ? sum ^ value(r, i) : sum + value(r, i);
        bad += out[i] != sum;
    }
}

static void call_all(int root, int n)
{
    int err = 0;
    fill(rank == root ? 7 : rank + 50, n);
    err |= WAITIO_MPI_Bcast(in, n, WAITIO_MPI_INT64_T, root, WAITIO_MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        bad += in[i] != value(7, i);
    for (int is_xor = 0; is_xor < 2; is_xor++) {
        WAITIO_MPI_Op op = is_xor ? WAITIO_MPI_BXOR : WAITIO_MPI_SUM;
        fill(rank, n);
        err |= WAITIO_MPI_Reduce(in, out, n, WAITIO_MPI_INT64_T, op, root, WAITIO_MPI_COMM_WORLD);
        if (rank == root)
            compare(n, is_xor);
        fill(rank, n);
        err |= WAITIO_MPI_Allreduce(in, out, n, WAITIO_MPI_INT64_T, op, WAITIO_MPI_COMM_WORLD);
        compare(n, is_xor);
    }
    err |= WAITIO_MPI_Barrier(WAITIO_MPI_COMM_WORLD);
    if (err)
        printf("%s\n", waitio_error());
    bad += err != 0;
}

/* Returns whether this process has opened the memory of its host. */
static int has_memory(void)
{
    char line[512];
    int found = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        found |= strstr(line, "/memfd:waitio") != NULL;
    if (f)
        fclose(f);
    return found;
}

int main(int argc, char **argv)
{
    static const int count[] = {0, 1, 3000, MOST};
    int inside;
    WAITIO_MPI_Init(&argc, &argv);
    WAITIO_MPI_Comm_rank(WAITIO_MPI_COMM_WORLD, &rank);
    WAITIO_MPI_Comm_size(WAITIO_MPI_COMM_WORLD, &size);
    MPI_Comm_size(MPI_COMM_WORLD, &inside);
    if (getenv("TEST_HOSTS"))
        enter_host(getenv("TEST_HOSTS"));
    for (int k = 0; k < 4; k++)
        for (int root = 0; root < (inside == size ? size : 1); root++) /* other jobs reach the first process only */
            call_all(root, count[k]);
    printf("%d of %d: %d wrong, memory %d\n", rank, size, bad, has_memory());
    MPI_Barrier(MPI_COMM_WORLD);
    WAITIO_MPI_Finalize();
    return bad != 0;
}
