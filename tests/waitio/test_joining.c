/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 50,000 processes in 10 jobs join. Only the Kings are processes here: what their jobs would gather is made up. Every
 * King gets the whole table, and the master needs one connection for each other job.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "run.h"
#include "waitio/joining/job_collectives.h"
#include "waitio/message/instance.h"

enum { JOBS = 10, SIZE = 5000, PER_HOST = 4 };

static void make_up(waitio__address *a, int pb, int rank)
{
    uint32_t n = (uint32_t)(pb * SIZE + rank), host = n / PER_HOST;
    memset(a, 0, sizeof *a);
    memcpy(a->ip, (unsigned char[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 0}, 16);
    a->ip[13] = (unsigned char)(host >> 16);
    a->ip[14] = (unsigned char)(host >> 8);
    a->ip[15] = (unsigned char)host;
    a->port = (uint16_t)(20000 + n % PER_HOST);
}

/* The record of a process: its code (0), its address, no sentence. The King's own is real. */
static int gather(void *self, const void *send, size_t bytes, void *recv)
{
    const seat *me = self;
    unsigned char *record = recv;
    waitio__address a;
    memcpy(record, send, bytes);
    for (int rank = 1; rank < SIZE; rank++) {
        make_up(&a, me->pb, rank);
        memset(record + (size_t)rank * bytes, 0, bytes);
        waitio__endpoint_put(&a, record + (size_t)rank * bytes + 4);
    }
    return 0;
}

static int bcast(void *self, void *buf, size_t bytes)
{
    (void)self;
    (void)buf;
    (void)bytes;
    return 0;
}

/* Established TCP connections at the master's port. */
static int connections(int port)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
        struct sockaddr_in here = {0}, there = {0};
        socklen_t size = sizeof here, other = sizeof there;
        int fd = atoi(e->d_name);
        n += e->d_name[0] != '.' && !getsockname(fd, (struct sockaddr *)&here, &size) && here.sin_family == AF_INET &&
             ntohs(here.sin_port) == port && !getpeername(fd, (struct sockaddr *)&there, &other);
    }
    if (folder)
        closedir(folder);
    return n;
}

/* How many addresses are not as they were made up; the Kings' own are real. */
static int count_wrong(const waitio__endpoints *table)
{
    int wrong = 0;
    for (int global = 0; global < JOBS * SIZE; global++) {
        waitio__address is, should;
        int pb, rank;
        waitio__endpoints_find(table, global, &pb, &rank);
        wrong += pb != global / SIZE || rank != global % SIZE;
        make_up(&should, global / SIZE, global % SIZE);
        waitio__endpoints_address(table, global, &is);
        wrong += rank ? memcmp(is.ip, should.ip, 16) || is.port != should.port : is.ip[12] != 127 || !is.port;
    }
    return wrong;
}

static int joins(seat *me)
{
    waitio__job_collectives inside = {.rank = 0, .size = SIZE, .self = me, .gather = gather, .bcast = bcast};
    if (waitio__join(&inside, 60))
        return seat_keep(me, 1);
    waitio__instance *in = waitio__instance_current();
    int code = waitio__endpoints_count(&in->table) != JOBS * SIZE ? 2 : count_wrong(&in->table) ? 3 : 0;
    if (!code && me->pb == 0 && connections(in->set.port) != JOBS - 1)
        code = 4;
    me->step = 1;
    seat_turn(me, 1);
    return waitio_finalize() ? seat_keep(me, 5) : code;
}

static void test_many_join(void **state)
{
    run r;
    (void)state;
    int size[JOBS];
    for (int pb = 0; pb < JOBS; pb++)
        size[pb] = SIZE;
    run_begin(&r, JOBS, size);
    for (int pb = 0; pb < JOBS; pb++)
        run_start(&r, pb, 0, joins);
    for (int pb = 0; pb < JOBS; pb++)
        seat_reaches(&r.seat[pb], 1, 80);
    for (int pb = 0; pb < JOBS; pb++)
        r.seat[pb].go = 1;
    assert_true(run_end(&r, 60));
    for (int pb = 0; pb < JOBS; pb++) {
        if (r.seat[pb].code)
            print_message("PB %d: %d %s\n", pb, r.seat[pb].code, r.seat[pb].text);
        assert_int_equal(r.seat[pb].status, 0);
        assert_int_equal(r.seat[pb].code, 0);
    }
    run_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_join)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
