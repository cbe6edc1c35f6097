/* SPDX-License-Identifier: BSD-3-Clause */
/* The second process of three, whose messages this file plays. */
#include "comm/collective/collective.h"
#include "coupler/common/redistribute.h"

#include "units.h"

enum { SIZE = 3 };

static struct { /* what the next h3ou__alltoallv is to answer, and what the last one was given */
    int64_t got[SIZE], item[16], sent[SIZE], packed[16];
    int err;
} wire;

int h3ou__comm_size(const h3ou__comm *c)
{
    (void)c;
    return SIZE;
}

int h3ou__alltoallv(h3ou__comm *c, const void *send, const int64_t sent[], int type, void **recv, int64_t got[])
{
    int64_t out = 0, in = 0;
    (void)c;
    assert_int_equal(type, H3OU__INT64);
    for (int r = 0; r < SIZE; r++) {
        wire.sent[r] = sent[r];
        out += sent[r];
        got[r] = wire.got[r];
        in += got[r];
    }
    assert_true(out <= 16);
    if (out)
        memcpy(wire.packed, send, sizeof *wire.packed * (size_t)out);
    if (wire.err)
        return wire.err;
    *recv = malloc(sizeof *wire.item * (size_t)(in + 1));
    assert_non_null(*recv);
    memcpy(*recv, wire.item, sizeof *wire.item * (size_t)in);
    return H3OU__OK;
}

/* Three processes send no messages of their own: these calls are not expected. */
int h3ou__comm_rank(const h3ou__comm *c)
{
    (void)c;
    fail();
    return 0;
}

h3ou__world *h3ou__comm_world(const h3ou__comm *c)
{
    (void)c;
    fail();
    return NULL;
}

int h3ou__isend(h3ou__comm *c, int dst, int tag, const void *buf, int64_t count, int type, const char *what, h3ou__req *req)
{
    (void)c, (void)dst, (void)tag, (void)buf, (void)count, (void)type, (void)what, (void)req;
    fail();
    return 0;
}

int h3ou__irecv(h3ou__comm *c, int src, int tag, void *buf, int64_t count, int type, const char *what, h3ou__req *req)
{
    (void)c, (void)src, (void)tag, (void)buf, (void)count, (void)type, (void)what, (void)req;
    fail();
    return 0;
}

int h3ou__waitall(h3ou__world *w, int n, h3ou__req req[])
{
    (void)w, (void)n, (void)req;
    fail();
    return 0;
}

static const int64_t item[8] = {10, 11, 20, 21, 30, 31, 40, 41};
static const int to[4] = {2, 0, 2, 0};

static void items_go_to_their_receivers_in_order(void **state)
{
    (void)state;
    static const int64_t packed[8] = {20, 21, 40, 41, 10, 11, 30, 31};
    h3ou__redistribution d;
    memset(&wire, 0, sizeof wire);
    wire.got[1] = 2, wire.got[2] = 4;
    for (int i = 0; i < 6; i++)
        wire.item[i] = 100 + i;
    assert_int_equal(h3ou__redistribute(NULL, 4, to, 2, item, &d), H3OU__OK);
    assert_true(wire.sent[0] == 4 && wire.sent[1] == 0 && wire.sent[2] == 4);
    assert_memory_equal(wire.packed, packed, sizeof packed);
    assert_true(d.to.n == 2 && d.to.rank[0] == 0 && d.to.rank[1] == 2 && d.to.count[0] == 2 && d.to.count[1] == 2);
    assert_true(d.ngot == 3 && d.from.n == 2 && d.from.rank[0] == 1 && d.from.rank[1] == 2);
    assert_true(d.from.count[0] == 1 && d.from.count[1] == 2);
    assert_true(d.item[0] == 100 && d.item[5] == 105);
    h3ou__redistribution_free(&d);
    assert_null(d.item);
}

static void answers_come_back_to_their_items(void **state)
{
    (void)state;
    h3ou__redistribution d;
    int64_t *answer;
    memset(&wire, 0, sizeof wire);
    assert_int_equal(h3ou__redistribute(NULL, 4, to, 2, item, &d), H3OU__OK);
    /* The receivers answer in the order in which they got the items: 2, 4 from process 0, then 1, 3 from process 2. */
    static const int64_t reply[4] = {2, 4, 1, 3};
    wire.got[0] = wire.got[2] = 2;
    memcpy(wire.item, reply, sizeof reply);
    assert_int_equal(h3ou__redistribute_back(NULL, &d, reply, &answer), H3OU__OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(answer[i], i + 1);
    free(answer);
    h3ou__redistribution_free(&d);
}

static void an_error_of_the_exchange_is_returned(void **state)
{
    (void)state;
    h3ou__redistribution d;
    int64_t *answer = NULL;
    memset(&wire, 0, sizeof wire);
    wire.err = H3OU__EARG;
    assert_int_equal(h3ou__redistribute(NULL, 4, to, 2, item, &d), H3OU__EARG);
    assert_int_equal(d.ngot, 0);
    h3ou__redistribution_free(&d);
    wire.err = H3OU__OK;
    assert_int_equal(h3ou__redistribute(NULL, 0, NULL, 2, NULL, &d), H3OU__OK);
    wire.err = H3OU__EARG;
    assert_int_equal(h3ou__redistribute_back(NULL, &d, NULL, &answer), H3OU__EARG);
    assert_null(answer);
    h3ou__redistribution_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_go_to_their_receivers_in_order),
        cmocka_unit_test(answers_come_back_to_their_items),
        cmocka_unit_test(an_error_of_the_exchange_is_returned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
