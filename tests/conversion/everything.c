/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of MPI, in C and C++, whose names the test changes to those of the conversion library: every type with
 * every operation, and every call. Each process writes the bytes of all results into a file, whose name without the
 * rank is the argument; they must be those that the MPI gives. No unsigned number has its highest bit set: for these
 * MPICH 4.0 gives a wrong maximum.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16 /* processes */
#define N    5

enum { ADDING = 1, ORDERING = 2, LOGICAL = 4, BITWISE = 8, ALL = 15 };

static int me, n;
static FILE *out;

static void show(const char *what, const char *type, const char *op, const void *data, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)data;
    size_t i;
    fprintf(out, "%d %s %s %s ", me, what, type, op);
    for (i = 0; i < bytes; i++)
        fprintf(out, "%02x", at[i]);
    fprintf(out, "\n");
}

static void move_values(const char *name, MPI_Datatype type, const char *mine, int count, size_t bytes)
{
    static char all[MOST * 200], one[200];
    MPI_Request request[2];
    MPI_Status status[2];
    int counts[MOST], places[MOST], i, root = 1 % n;
    MPI_Irecv(one, count, type, (me + n - 1) % n, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(mine, count, type, (me + 1) % n, 7, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, status);
    show("ring", name, "-", one, bytes);
    memcpy(one, mine, bytes);
    MPI_Bcast(one, count, type, root, MPI_COMM_WORLD);
    show("bcast", name, "-", one, bytes);
    memset(all, 0, sizeof all);
    MPI_Gather(mine, count, type, all, count, type, root, MPI_COMM_WORLD);
    show("gather", name, "-", all, (size_t)n * bytes);
    memset(one, 0, sizeof one);
    MPI_Scatter(all, count, type, one, count, type, root, MPI_COMM_WORLD);
    show("scatter", name, "-", one, bytes);
    MPI_Allgather(mine, count, type, all, count, type, MPI_COMM_WORLD);
    show("allgather", name, "-", all, (size_t)n * bytes);
    for (i = 0; i < n; i++) {
        counts[i] = (i + 1) % count;
        places[i] = count * (n - 1 - i);
    }
    memset(all, 1, sizeof all);
    MPI_Gatherv(mine, counts[me], type, all, counts, places, type, root, MPI_COMM_WORLD);
    show("gatherv", name, "-", all, (size_t)n * bytes);
    memset(one, 2, sizeof one);
    MPI_Scatterv(all, counts, places, type, one, counts[me], type, root, MPI_COMM_WORLD);
    show("scatterv", name, "-", one, bytes);
}

static void reduce_values(const char *name, MPI_Datatype type, const char *mine, int count, size_t bytes, int classes)
{
    static char result[200];
    const struct {
        const char *name;
        MPI_Op op;
        int in;
    } ops[] = {{"sum", MPI_SUM, ADDING},    {"prod", MPI_PROD, ADDING},  {"max", MPI_MAX, ORDERING},
               {"min", MPI_MIN, ORDERING},  {"land", MPI_LAND, LOGICAL}, {"lor", MPI_LOR, LOGICAL},
               {"lxor", MPI_LXOR, LOGICAL}, {"band", MPI_BAND, BITWISE}, {"bor", MPI_BOR, BITWISE},
               {"bxor", MPI_BXOR, BITWISE}};
    size_t i;
    for (i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (!(classes & ops[i].in))
            continue;
        memset(result, 0, sizeof result);
        MPI_Allreduce(mine, result, count, type, ops[i].op, MPI_COMM_WORLD);
        show("allreduce", name, ops[i].name, result, bytes);
        memset(result, 0, sizeof result);
        MPI_Reduce(mine, result, count, type, ops[i].op, n - 1, MPI_COMM_WORLD);
        show("reduce", name, ops[i].name, result, bytes);
    }
}

#define TRY(ctype, type, parts, classes, less)                                                                         \
    do {                                                                                                               \
        ctype mine[N * (parts)];                                                                                       \
        int i, size = -1;                                                                                              \
        for (i = 0; i < N * (parts); i++)                                                                              \
            mine[i] = (ctype)((me * 7 + i * 3) % 5 - (i == 2) * (less));                                               \
        MPI_Type_size(type, &size);                                                                                    \
        show("size", #ctype, "-", &size, sizeof size);                                                                 \
        move_values(#ctype, type, (const char *)mine, N, sizeof mine);                                                 \
        reduce_values(#ctype, type, (const char *)mine, N, sizeof mine, classes);                                      \
    } while (0)

int main(int argc, char **argv)
{
    char name[1000];
    double began;
    MPI_Init(&argc, &argv);
    began = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    snprintf(name, sizeof name, "%s.%d", argc > 1 ? argv[1] : "everything", me);
    out = fopen(name, "w");
    if (!out)
        return 1;
    TRY(char, MPI_CHAR, 1, 0, 1);
    TRY(signed char, MPI_SIGNED_CHAR, 1, ALL, 1);
    TRY(unsigned char, MPI_UNSIGNED_CHAR, 1, ALL, 0);
    TRY(unsigned char, MPI_BYTE, 1, BITWISE, 0);
    TRY(short, MPI_SHORT, 1, ALL, 1);
    TRY(unsigned short, MPI_UNSIGNED_SHORT, 1, ALL, 0);
    TRY(int, MPI_INT, 1, ALL, 1);
    TRY(unsigned, MPI_UNSIGNED, 1, ALL, 0);
    TRY(long, MPI_LONG, 1, ALL, 1);
    TRY(unsigned long, MPI_UNSIGNED_LONG, 1, ALL, 0);
    TRY(long long, MPI_LONG_LONG, 1, ALL, 1);
    TRY(unsigned long long, MPI_UNSIGNED_LONG_LONG, 1, ALL, 0);
    TRY(float, MPI_FLOAT, 1, ADDING | ORDERING, 1);
    TRY(double, MPI_DOUBLE, 1, ADDING | ORDERING, 1);
    TRY(float, MPI_C_FLOAT_COMPLEX, 2, ADDING, 1);
    TRY(double, MPI_C_DOUBLE_COMPLEX, 2, ADDING, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (MPI_Wtime() < began)
        fprintf(out, "the clock runs backwards\n");
    fclose(out);
    MPI_Finalize();
    return 0;
}
