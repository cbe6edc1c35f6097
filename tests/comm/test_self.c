/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend of a process without MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "mpi/mpi.h"

static void a_process_without_mpi_gets_self(void **state)
{
    (void)state;
    const h3ou__mpi_ops *mpi;
    unsetenv("PMI_SIZE");
    unsetenv("OMPI_COMM_WORLD_SIZE");
    assert_int_equal(h3ou__mpi_find(&mpi), 0);
    assert_ptr_equal(mpi, &h3ou__mpi_self);
}

static void messages_to_oneself_arrive_in_order(void **state)
{
    (void)state;
    const h3ou__mpi_ops *mpi = &h3ou__mpi_self;
    h3ou__mpi_comm a, b;
    h3ou__mpi_req s[4], r[4];
    int done, got[4] = {0}, value[4] = {10, 11, 12, 13};
    int64_t bytes;
    assert_int_equal(mpi->world(&a) | mpi->dup(a, &b), 0);
    assert_int_equal(mpi->isend(a, &value[0], 1, H3OU__INT32, 0, 5, &s[0]), 0);
    assert_int_equal(mpi->isend(a, &value[1], 1, H3OU__INT32, 0, 5, &s[1]), 0);
    assert_int_equal(mpi->isend(b, &value[2], 1, H3OU__INT32, 0, 5, &s[2]), 0);
    assert_int_equal(mpi->irecv(b, &got[2], 1, H3OU__INT32, 0, 5, &r[2]), 0);
    assert_int_equal(mpi->irecv(a, &got[0], 1, H3OU__INT32, 0, 5, &r[0]), 0);
    assert_int_equal(mpi->irecv(a, &got[1], 1, H3OU__INT32, 0, 5, &r[1]), 0);
    assert_int_equal(mpi->irecv(a, &got[3], 1, H3OU__INT32, 0, 6, &r[3]), 0);
    assert_int_equal(mpi->test(&r[3], &done, NULL), 0);
    assert_int_equal(done, 0);
    assert_int_equal(mpi->isend(a, value, 2, H3OU__INT32, 0, 6, &s[3]), 0);
    assert_int_equal(mpi->test(&r[3], &done, &bytes), H3OU__ETRUNC);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(mpi->test(&s[i], &done, NULL), 0);
        assert_int_equal(done, 1);
        assert_int_equal(mpi->test(&r[i], &done, &bytes), 0);
        assert_true(done && bytes == 4);
        assert_int_equal(got[i], value[i]);
    }
    assert_int_equal(mpi->test(&s[3], &done, NULL), 0);
}

static void collectives_copy(void **state)
{
    (void)state;
    const h3ou__mpi_ops *mpi = &h3ou__mpi_self;
    h3ou__mpi_comm c;
    h3ou__mpi_req req;
    const double send[3] = {1, 2, 3};
    double recv[3] = {0};
    const int count = 3, at = 0;
    int done;
    assert_int_equal(mpi->world(&c), 0);
    assert_int_equal(mpi->ialltoallv(c, send, &count, &at, recv, &count, &at, H3OU__DOUBLE, &req), 0);
    assert_memory_equal(send, recv, sizeof send);
    memset(recv, 0, sizeof recv);
    assert_int_equal(mpi->iallreduce(c, send, recv, 3, H3OU__DOUBLE, H3OU__SUM, &req), 0);
    assert_memory_equal(send, recv, sizeof send);
    assert_int_equal(mpi->test(&req, &done, NULL), 0);
    assert_int_equal(done, 1);
    assert_int_equal(mpi->ibcast(c, recv, 3, H3OU__DOUBLE, 1, &req), H3OU__EMPI);
    assert_non_null(strstr(h3ou__fail_text(), "rank 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_without_mpi_gets_self),
        cmocka_unit_test(messages_to_oneself_arrive_in_order),
        cmocka_unit_test(collectives_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
