/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Between machines of unlike byte order. One process of three has its numbers in memory in the order that this machine
 * does not have, and converts what it sends and receives, as such a machine does. It cannot add them; bitwise
 * operations do not depend on the order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "run.h"
#include "waitio/message/request.h"
#include "waitio_mpi.h"
#include "waitio_mpi/byte_order.h"

enum { OTHER = 1, MOST = 40000, N = 3 };

static WAITIO_MPI_Comm all;
static int rank;

/* Between the order of this machine and that of the process's memory. */
static void turn(void *data, size_t bytes, int unit)
{
    if (rank == OTHER)
        waitio__request_reverse(data, bytes, unit);
}

/* Element i of a process, as an integer; in an array of integers or reals of `unit` bytes. */
static void put(void *data, int i, int unit, bool is_real, int of)
{
    int value = 1000 * of + i % 1000 + 1;
    char *at = (char *)data + (size_t)i * (size_t)unit;
    int16_t half = (int16_t)value;
    int64_t whole = value * (int64_t)0x100000001;
    float real = (float)value;
    double precise = value + 0.25;
    const void *from = unit == 2 ? (void *)&half : unit == 4 ? (void *)&real : (void *)&precise;
    if (!is_real && unit == 4)
        from = &value;
    if (!is_real && unit == 8)
        from = &whole;
    if (unit == 1)
        *at = (char)value;
    else
        memcpy(at, from, (size_t)unit);
}

typedef struct kind {
    WAITIO_MPI_Datatype type;
    int unit, parts;
    bool is_real;
} kind;

static const kind kinds[] = {
    {WAITIO_MPI_CHAR, 1, 1, false},           {WAITIO_MPI_BYTE, 1, 1, false},   {WAITIO_MPI_SHORT, 2, 1, false},
    {WAITIO_MPI_UNSIGNED_SHORT, 2, 1, false}, {WAITIO_MPI_INT, 4, 1, false},    {WAITIO_MPI_UNSIGNED, 4, 1, false},
    {WAITIO_MPI_LOGICAL, 4, 1, false},        {WAITIO_MPI_LONG, 8, 1, false},   {WAITIO_MPI_LONG_LONG, 8, 1, false},
    {WAITIO_MPI_FLOAT, 4, 1, true},           {WAITIO_MPI_DOUBLE, 8, 1, true},  {WAITIO_MPI_COMPLEX, 4, 2, true},
    {WAITIO_MPI_DOUBLE_COMPLEX, 8, 2, true},  {WAITIO_MPI_INT64_T, 8, 1, false}};

/* Fills memory of this process with the elements of process `of`. */
static void fill(const kind *k, void *data, int n, int of)
{
    for (int i = 0; i < n * k->parts; i++)
        put(data, i, k->unit, k->is_real, of);
    turn(data, (size_t)(n * k->parts * k->unit), k->unit);
}

static int same(const kind *k, const void *data, int n, int of)
{
    size_t bytes = (size_t)(n * k->parts * k->unit);
    char *expected = malloc(bytes + 1);
    fill(k, expected, n, of);
    int is = !memcmp(data, expected, bytes);
    free(expected);
    return is ? 0
              : h3ou__fail(H3OU__EPROTO, "process %d: wrong values of process %d, type %d, %d elements", rank, of,
                           k->type - WAITIO_MPI_DEFTAG, n);
}

static int ring(const kind *k, int n, char *out, char *in)
{
    WAITIO_MPI_Request req[2];
    int before = (rank + N - 1) % N, done = 0;
    fill(k, out, n, rank);
    int code = waitio_mpi_irecv(in, n, k->type, before, 5, all, &req[0]);
    if (!code)
        code = waitio_mpi_isend(out, n, k->type, (rank + 1) % N, 5, all, &req[1]);
    while (!code && !done)
        code = waitio_test(&req[0], &done);
    if (!code)
        code = waitio_mpi_wait(&req[1], NULL);
    if (!code)
        code = same(k, in, n, before);
    return code ? code : same(k, out, n, rank); /* as it was */
}

static int parts(const kind *k, int n, char *out, char *in, int root)
{
    size_t bytes = (size_t)(n * k->parts * k->unit);
    fill(k, out, n, rank);
    int code = waitio_mpi_allgather(out, n, k->type, in, n, k->type, all);
    for (int i = 0; i < N && !code; i++)
        code = same(k, in + (size_t)i * bytes, n, i);
    memset(in, 0, N * bytes);
    if (!code)
        code = waitio_mpi_gather(out, n, k->type, in, n, k->type, root, all);
    for (int i = 0; i < N && !code && rank == root; i++)
        code = same(k, in + (size_t)i * bytes, n, i);
    memset(out, 0, bytes);
    if (!code)
        code = waitio_mpi_scatter(in, n, k->type, out, n, k->type, root, all);
    if (!code)
        code = same(k, out, n, rank);
    fill(k, out, n, rank);
    if (!code)
        code = waitio_mpi_bcast(out, n, k->type, root, all);
    return code ? code : same(k, out, n, root);
}

/* Numbers as this machine has them, from and to the process's memory. */
static int bits(void)
{
    int64_t mine = (int64_t)0x0102030405060708 << rank, got = 0;
    turn(&mine, sizeof mine, sizeof mine);
    int code = waitio_mpi_allreduce(&mine, &got, 1, WAITIO_MPI_LONG_LONG, WAITIO_MPI_BXOR, all);
    turn(&got, sizeof got, sizeof got);
    int64_t expected = 0;
    for (int i = 0; i < N; i++)
        expected ^= (int64_t)0x0102030405060708 << i;
    if (!code && got != expected)
        code = h3ou__fail(H3OU__EPROTO, "process %d: %llx, expected %llx", rank, (long long)got, (long long)expected);
    return code;
}

/* On its way a number is little-endian, whoever sends it. */
static int bytes_on_the_wire(void)
{
    static const char expected[] = {4, 3, 2, 1};
    char got[4] = "";
    int32_t number = 0x01020304;
    turn(&number, sizeof number, sizeof number);
    int code = rank ? waitio_mpi_send(&number, 1, WAITIO_MPI_INT, 0, 6, all) : 0;
    for (int from = 1; from < N && !rank && !code; from++) {
        code = waitio_mpi_recv(got, 4, WAITIO_MPI_BYTE, from, 6, all);
        if (!code && memcmp(got, expected, 4))
            code = h3ou__fail(H3OU__EPROTO, "process %d sends %02x%02x%02x%02x", from, got[0], got[1], got[2], got[3]);
    }
    return code;
}

static int talk(seat *me)
{
    int code = seat_join(me, 30);
    if (!code)
        code = waitio_create_universe(&all);
    if (!code)
        code = waitio_group_rank(all, &rank);
    if (code)
        return seat_keep(me, code);
    waitio__byte_order_is_other = rank == OTHER;
    char *out = malloc((size_t)N * MOST * 16), *in = malloc((size_t)N * MOST * 16);
    static const char *const algorithms[] = {"hybrid", "bt", "2l:2"};
    code = bytes_on_the_wire();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !code; i++) {
        setenv("WAITIO_MPI_ALGORITHM", algorithms[i % 3], 1);
        for (int n = 0; n <= MOST && !code; n = n ? n * 200 : 1) {
            code = ring(&kinds[i], n, out, in);
            for (int root = 0; root < N && !code && n < MOST; root++)
                code = parts(&kinds[i], n, out, in, root);
        }
        if (!code)
            code = ring(&kinds[i], MOST, out, in);
        if (!code)
            code = bits();
    }
    free(out);
    free(in);
    seat_keep(me, code);
    return code ? code : waitio_finalize();
}

static void test_unlike_machines(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){2, 1});
    run_start_all(&r, talk);
    bool ended = run_wait(&r, 60);
    for (int i = 0; i < r.n; i++)
        if (r.seat[i].code)
            print_message("%s\n", r.seat[i].text);
    for (int i = 0; i < r.n; i++)
        assert_int_equal(r.seat[i].code, 0);
    assert_true(ended);
    assert_true(run_end(&r, 5));
}

/* Whole groups only: a message that was cut off leaves the rest as it is. */
static void test_reverse(void **state)
{
    (void)state;
    char bytes[] = "abcdefghij";
    waitio__request_reverse(bytes, 10, 4);
    assert_string_equal(bytes, "dcbahgfeij");
    waitio__request_reverse(bytes, 3, 4);
    assert_string_equal(bytes, "dcbahgfeij");
    waitio__request_reverse(bytes, 2, 2);
    assert_string_equal(bytes, "cdbahgfeij");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reverse), cmocka_unit_test(test_unlike_machines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
