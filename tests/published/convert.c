/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of MPI with WAITIO_ put before its names, as the conversion library asks for; C and C++. Every collective,
 * with every root, is compared with what it must give. No finalize. */
#include "waitio_mpi.h"
#ifdef WITH_MPI
#include <mpi.h>
#endif

#define MOST  16
#define LARGE 40000

static int me, n;

static void expect(int is, const char *what)
{
    if (!is) {
        printf("wrong on %d of %d: %s\n", me, n, what);
        fflush(stdout);
        exit(1);
    }
}

static void messages(WAITIO_MPI_Comm comm)
{
    WAITIO_MPI_Request request[2];
    WAITIO_MPI_Status status[2];
    char out[8] = "ring 0", in[8] = "";
    double mine[2] = {1.5 * me, -1.0}, theirs[2] = {0.0, 0.0};
    out[5] = (char)('a' + me);
    WAITIO_MPI_Irecv(in, 8, WAITIO_MPI_CHAR, (me + n - 1) % n, 5, comm, &request[0]);
    WAITIO_MPI_Isend(out, 8, WAITIO_MPI_CHAR, (me + 1) % n, 5, comm, &request[1]);
    expect(WAITIO_MPI_Waitall(2, request, status) == WAITIO_MPI_SUCCESS, "waitall");
    expect(in[5] == 'a' + (me + n - 1) % n && in[6] == 0, "isend and irecv");
    if (me == 0 && n > 1)
        expect(waitio_mpi_send(mine, 2, WAITIO_MPI_DOUBLE, n - 1, 6, comm) == 0, "send");
    if (me == n - 1 && n > 1) {
        expect(waitio_mpi_recv(theirs, 2, WAITIO_MPI_DOUBLE, 0, 6, comm) == 0, "recv");
        expect(theirs[0] == 0.0 && theirs[1] == -1.0, "send and recv");
    }
}

static void trees(WAITIO_MPI_Comm comm, int root)
{
    static double large[LARGE], sum[LARGE];
    long number = 10L * me, least = -1;
    int i, value = me == root ? 77 + root : 0, total = -1, ok = 1;
    float real = 0.25f * (float)me, most = -1.0f;
    expect(waitio_mpi_bcast(&value, 1, WAITIO_MPI_INTEGER, root, comm) == 0 && value == 77 + root, "bcast");
    expect(WAITIO_MPI_Reduce(&me, &total, 1, WAITIO_MPI_INT, WAITIO_MPI_SUM, root, comm) == 0, "reduce");
    expect(total == (me == root ? n * (n - 1) / 2 : -1), "the sum at the root");
    number -= root;
    expect(waitio_mpi_allreduce(&number, &least, 1, WAITIO_MPI_LONG, WAITIO_MPI_MIN, comm) == 0 && least == -root,
           "least");
    expect(WAITIO_MPI_Allreduce(&real, &most, 1, WAITIO_MPI_FLOAT, WAITIO_MPI_MAX, comm) == 0, "allreduce");
    expect(most == 0.25f * (float)(n - 1), "the greatest");
    for (i = 0; i < LARGE; i++)
        large[i] = i + me;
    expect(WAITIO_MPI_Reduce(large, sum, LARGE, WAITIO_MPI_DOUBLE_PRECISION, WAITIO_MPI_SUM, root, comm) == 0,
           "long reduce");
    expect(WAITIO_MPI_Bcast(sum, LARGE, WAITIO_MPI_DOUBLE, root, comm) == 0, "long bcast");
    for (i = 0; i < LARGE; i++)
        ok &= sum[i] == (double)n * i + n * (n - 1) / 2;
    expect(ok, "long sums");
    expect(WAITIO_MPI_Barrier(comm) == 0, "barrier");
}

static void parts(WAITIO_MPI_Comm comm, int root)
{
    int i, mine[2] = {me, 10 * me}, all[2 * MOST], counts[MOST], places[MOST], two[2] = {-1, -1};
    for (i = 0; i < n; i++) {
        counts[i] = i % 2 + (i > 0); /* none of rank 0 */
        places[i] = 2 * (n - 1 - i); /* backwards */
        all[2 * i] = all[2 * i + 1] = -5;
    }
    expect(WAITIO_MPI_Gather(mine, 2, WAITIO_MPI_INT, all, 2, WAITIO_MPI_INT, root, comm) == 0, "gather");
    for (i = 0; i < n; i++)
        expect(all[2 * i] == (me == root ? i : -5) && all[2 * i + 1] == (me == root ? 10 * i : -5),
               "what was gathered");
    expect(WAITIO_MPI_Scatter(all, 2, WAITIO_MPI_INT, two, 2, WAITIO_MPI_INT, root, comm) == 0, "scatter");
    expect(two[0] == me && two[1] == 10 * me, "what was scattered");
    expect(WAITIO_MPI_Allgather(&mine[1], 1, WAITIO_MPI_INT, all, 1, WAITIO_MPI_INT, comm) == 0, "allgather");
    for (i = 0; i < n; i++)
        expect(all[i] == 10 * i, "what all have gathered");
    for (i = 0; i < 2 * n; i++)
        all[i] = -5;
    expect(WAITIO_MPI_Gatherv(mine, counts[me], WAITIO_MPI_INT, all, counts, places, WAITIO_MPI_INT, root, comm) == 0,
           "gatherv");
    for (i = 0; i < n && me == root; i++) {
        expect(all[places[i]] == (counts[i] > 0 ? i : -5), "the first of a part");
        expect(all[places[i] + 1] == (counts[i] > 1 ? 10 * i : -5), "the second of a part");
    }
    two[0] = two[1] = -7;
    expect(WAITIO_MPI_Scatterv(all, counts, places, WAITIO_MPI_INT, two, counts[me], WAITIO_MPI_INT, root, comm) == 0,
           "scatterv");
    expect(two[0] == (counts[me] > 0 ? me : -7) && two[1] == (counts[me] > 1 ? 10 * me : -7),
           "parts that were scattered");
}

/* Errors that a program can make are told. */
static void refusals(WAITIO_MPI_Comm comm)
{
    int value = 0, size = 0;
    char letter = 'x';
    expect(WAITIO_MPI_Type_size(WAITIO_MPI_LONG, &size) == 0 && size == (int)sizeof(long), "type_size");
    expect(WAITIO_MPI_Type_size(3, &size) < 0, "a type that is none");
    expect(WAITIO_MPI_Bcast(&value, 1, WAITIO_MPI_INT, n, comm) < 0, "a root that is none");
    expect(WAITIO_MPI_Bcast(&value, -1, WAITIO_MPI_INT, 0, comm) < 0, "a negative count");
    expect(WAITIO_MPI_Reduce(&letter, &letter, 1, WAITIO_MPI_CHAR, WAITIO_MPI_SUM, 0, comm) < 0, "a sum of letters");
    expect(WAITIO_MPI_Reduce(&value, &size, 1, WAITIO_MPI_INT, 99, 0, comm) < 0, "an operation that is none");
}

int main(int argc, char **argv)
{
    WAITIO_MPI_Comm universe, heads, block;
    int root, head = -2, nhead = 0, pb = -1, inside = -1, sum = -1;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
#endif
    if (argc > 1000 || argv == NULL || waitio_create_universe(&universe) != 0)
        return 1;
    waitio_group_rank(universe, &me);
    WAITIO_MPI_Comm_size(universe, &n);
    messages(universe);
    for (root = 0; root < n; root++) {
        trees(universe, root);
        parts(universe, root);
    }
    refusals(universe);
    expect(waitio_create_universe_pbhead(&heads) == 0, "heads");
    WAITIO_MPI_Comm_rank(heads, &head);
    waitio_group_size(heads, &nhead);
    if (head >= 0)
        WAITIO_MPI_Allreduce(&me, &sum, 1, WAITIO_MPI_INT, WAITIO_MPI_SUM, heads);
    else
        expect(WAITIO_MPI_Barrier(heads) < 0, "a collective of others");
    waitio_pb_rank(&pb);
    expect(waitio_create_pbgroup(&block, pb) == 0, "my block");
    WAITIO_MPI_Comm_rank(block, &inside);
    printf("convert %d of %d, head %d of %d, sum %d, block %d %d\n", me, n, head, nhead, sum, pb, inside);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
