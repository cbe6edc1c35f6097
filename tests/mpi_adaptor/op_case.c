/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations: predefined ones, and the program's functions. */
#include "mpi_case.h"

#include <stdint.h>

static int calls;
static MPI_Datatype seen_type;

/* a - b is neither commutative nor associative: pairs of lines (slope, constant) that are composed are associative. */
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    double *a = in, *b = inout;
    calls++;
    seen_type = *type;
    for (int i = 0; i < *n; i++, a += 2, b += 2) {
        double slope = a[0] * b[0], constant = a[0] * b[1] + a[1];
        b[0] = slope;
        b[1] = constant;
    }
}

static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    calls++;
    seen_type = *type;
    for (int i = 0; i < *n; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

static void reduce_own(void)
{
    MPI_Op op, max;
    MPI_Datatype line;
    MPI_Request request;
    int commutes = -1, got = -1;
    double mine[4] = {2, my_rank, 1, 1}, all[4] = {0, 0, 0, 0};
    CALL(MPI_Type_contiguous(2, MPI_DOUBLE, &line));
    CALL(MPI_Type_commit(&line));
    CALL(MPI_Op_create(compose, 0, &op));
    CALL(MPI_Op_create(larger, 1, &max));
    CALL(MPI_Op_commutative(op, &commutes));
    EQUAL(commutes, 0);
    CALL(MPI_Op_commutative(max, &commutes));
    EQUAL(commutes, 1);
    CALL(MPI_Op_commutative(MPI_SUM, &commutes));
    EQUAL(commutes, 1);
    calls = 0;
    seen_type = MPI_DATATYPE_NULL;
    CALL(MPI_Allreduce(mine, all, 2, line, op, MPI_COMM_WORLD));
    /* 2(2(2(2x + 3) + 2) + 1) + 0 = 16x + 2 + 8 + 24 */
    CHECK(all[0] == 16 && all[1] == 34 && all[2] == 1 && all[3] == 4);
    if (calls)
        CHECK(seen_type == line);
    CALL(MPI_Reduce_local(mine, all, 1, line, op));
    CHECK(all[0] == 32 && all[1] == 68 + my_rank && seen_type == line);
    CALL(MPI_Allreduce(&my_rank, &got, 1, MPI_INT, max, MPI_COMM_WORLD));
    EQUAL(got, 3);
    CALL(MPI_Reduce_local(&my_rank, &got, 1, MPI_INT, max));
    CHECK(seen_type == MPI_INT);
    got = -1;
    CALL(MPI_Iallreduce(&my_rank, &got, 1, MPI_INT, max, MPI_COMM_WORLD, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(got, 3);
    CALL(MPI_Scan(&my_rank, &got, 1, MPI_INT, max, MPI_COMM_WORLD));
    EQUAL(got, my_rank);
    CALL(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL);
    CALL(MPI_Op_free(&max));
    CALL(MPI_Type_free(&line));
}

static int reduce_int(MPI_Op op, int value)
{
    int got = -1;
    CALL(MPI_Allreduce(&value, &got, 1, MPI_INT, op, MPI_COMM_WORLD));
    return got;
}

static void reduce_predefined(void)
{
    EQUAL(reduce_int(MPI_MAX, my_rank), 3);
    EQUAL(reduce_int(MPI_MIN, my_rank + 1), 1);
    EQUAL(reduce_int(MPI_SUM, my_rank), 6);
    EQUAL(reduce_int(MPI_PROD, my_rank + 1), 24);
    EQUAL(reduce_int(MPI_LAND, my_rank), 0);
    EQUAL(reduce_int(MPI_LOR, my_rank), 1);
    EQUAL(reduce_int(MPI_LXOR, my_rank > 0), 1);
    EQUAL(reduce_int(MPI_BAND, 12 | my_rank), 12);
    EQUAL(reduce_int(MPI_BOR, 1 << my_rank), 15);
    EQUAL(reduce_int(MPI_BXOR, my_rank + 1), 4);
    int64_t large = (int64_t)my_rank << 40, sum = 0;
    CALL(MPI_Allreduce(&large, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(sum, (int64_t)6 << 40);
    float _Complex z = (float)my_rank + 1.0f, product = 0;
    CALL(MPI_Allreduce(&z, &product, 1, MPI_C_FLOAT_COMPLEX, MPI_PROD, MPI_COMM_WORLD));
    CHECK(product == 24.0f);
    struct {
        double value;
        int rank;
    } place = {my_rank == 2 ? -5.0 : 1.0, my_rank}, least = {0, -1};
    CALL(MPI_Allreduce(&place, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD));
    CHECK(least.value == -5.0 && least.rank == 2);
    int pair[2] = {my_rank == 1, my_rank}, most[2] = {0, -1};
    CALL(MPI_Allreduce(pair, most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD));
    CHECK(most[0] == 1 && most[1] == 1);
}

const mpi_case op_cases[] = {{"op_own", reduce_own}, {"op_predefined", reduce_predefined}, {NULL, NULL}};
