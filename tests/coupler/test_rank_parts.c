/* SPDX-License-Identifier: BSD-3-Clause */
/* What processes send each other while exchanges are planned: the same whichever way it goes, and no more with more processes
 * that have nothing for each other. */
#include <stdio.h>

#include "base/grow.h"
#include "coupler/clock/model_clock.h"
#include "coupler/common/redistribute.h"
#include "coupler/plan/plan.h"
#include "thread_world.h"
#include "units.h"

static void choose_dense(int most)
{
    char text[16];
    snprintf(text, sizeof text, "%d", most);
    assert_int_equal(setenv("H3OU_DENSE_PROCESSES", text, 1), 0);
}

/* Process r sends (7 r + 3 k) mod 5 items of two numbers to process (r k + r / 2) mod size, for some k. */
enum { ITEMS = 64 };

typedef struct dealt {
    int64_t n, item[2 * 8 * ITEMS], answer[ITEMS];
} dealt;

static int deal_items(thread_process *me)
{
    dealt *mine = (dealt *)me->user + me->rank;
    int to[ITEMS], size = h3ou__comm_size(me->local);
    int64_t item[2 * ITEMS], n = 0, *answer = NULL;
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < (7 * me->rank + 3 * k) % 5 && me->rank != 2; i++, n++) {
            to[n] = (me->rank * k + me->rank / 2) % size;
            item[2 * n] = 100 * me->rank + k;
            item[2 * n + 1] = i;
        }
    h3ou__redistribution d;
    int err = h3ou__redistribute(me->local, n, to, 2, item, &d);
    int64_t *reply = malloc(sizeof *reply * (size_t)(d.ngot + 1));
    if (!err && !reply)
        err = h3ou__no_memory("a test");
    for (int64_t i = 0; i < d.ngot && !err; i++)
        reply[i] = 10 * d.item[2 * i] + d.item[2 * i + 1];
    if (!err)
        err = h3ou__redistribute_back(me->local, &d, reply, &answer);
    if (!err) {
        mine->n = d.ngot;
        memcpy(mine->item, d.item, 2 * sizeof *d.item * (size_t)d.ngot);
        memcpy(mine->answer, answer, sizeof *answer * (size_t)n);
        for (int64_t i = 0; i < n; i++)
            if (answer[i] != 10 * item[2 * i] + item[2 * i + 1])
                err = h3ou__fail(H3OU__EPROTO, "a wrong answer");
    }
    h3ou__redistribution_free(&d);
    free(reply);
    free(answer);
    return err;
}

static void both_ways_deal_alike(void **state)
{
    (void)state;
    for (int size = 1; size <= THREADS_MOST; size++) {
        static dealt way[2][THREADS_MOST];
        thread_process p[THREADS_MOST];
        memset(way, 0, sizeof way);
        for (int w = 0; w < 2; w++) {
            choose_dense(w ? 0 : 1000);
            run_threads(size, 0, deal_items, way[w], p);
            for (int r = 0; r < size; r++) {
                if (p[r].err)
                    fail_msg("%d processes, way %d: %s", size, w, p[r].said);
                assert_int_equal(p[r].traffic.alltoalls, w ? 0 : 2);
            }
        }
        assert_memory_equal(way[0], way[1], sizeof way[0]);
    }
}

/* Both components have CELLS cells a process in a row, and a target cell takes the source cell of its number and the next one, so that
 * a process has something for itself and one neighbour. */
enum { CELLS = 8 };

static int plan_neighbours(thread_process *me)
{
    int index[CELLS], send[2 * CELLS], recv[2 * CELLS], size = h3ou__comm_size(me->local);
    double coef[2 * CELLS];
    const h3ou__pair_name name = {"a", "ag", "b", "bg", 1};
    h3ou__config config = {.calendar = 0};
    h3ou__clock clock = {.is_set = true, .date = {2000, 1, 1, 0, 0, 0}};
    h3ou__grid *g = NULL;
    h3ou__table *table = NULL;
    h3ou__plan *plan = NULL;
    for (int i = 0; i < CELLS; i++) {
        index[i] = me->rank * CELLS + i + 1;
        send[2 * i] = recv[2 * i] = recv[2 * i + 1] = index[i];
        send[2 * i + 1] = index[i] % (size * CELLS) + 1;
        coef[2 * i] = coef[2 * i + 1] = 0.5;
    }
    int err = h3ou__grid_create(me->component ? "bg" : "ag", index, CELLS, 1, &g);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    if (!err)
        err = h3ou__table_create(&name, me->component ? send : NULL, recv, coef, 2 * CELLS, true, &table);
    h3ou__plan_task task = {.world = me->world, .name = name, .sender = !me->component, .grid = g, .table = table,
                            .config = &config, .clock = &clock};
    if (!err)
        err = h3ou__plan_make(&task, &plan);
    if (!err && (plan->npartner != (size > 1 ? 2 : 1) || plan->start[plan->npartner] != (size > 1 ? CELLS + 1 : CELLS)))
        err = h3ou__fail(H3OU__EPROTO, "%d partners, %lld cells", plan->npartner, (long long)plan->start[plan->npartner]);
    h3ou__plan_free(plan);
    h3ou__table_free(table);
    h3ou__grid_free(g);
    return err;
}

/* Returns the most that a process did in a run of `size` processes a side. */
static thread_traffic most_traffic(int size)
{
    thread_traffic most = {0};
    thread_process *p = malloc(2 * (size_t)size * sizeof *p);
    assert_non_null(p);
    run_threads(size, size, plan_neighbours, NULL, p);
    for (int i = 1; i < 2 * size; i++) { /* not the leader of a, which meets that of b */
        const thread_traffic *t = &p[i].traffic;
        if (p[i].err)
            fail_msg("process %d of %d: %s", i, 2 * size, p[i].said);
        most.messages = t->messages > most.messages ? t->messages : most.messages;
        most.bytes = t->bytes > most.bytes ? t->bytes : most.bytes;
        most.collectives = t->collectives > most.collectives ? t->collectives : most.collectives;
        most.alltoalls = t->alltoalls > most.alltoalls ? t->alltoalls : most.alltoalls;
    }
    free(p);
    return most;
}

/* From 16 to 1024 processes what finding the senders needs grows by log2(1024) / log2(16). */
static void messages_do_not_grow_with_the_processes(void **state)
{
    (void)state;
    choose_dense(0);
    thread_traffic few = most_traffic(16);
    assert_int_equal(unsetenv("H3OU_DENSE_PROCESSES"), 0);
    thread_traffic many = most_traffic(1024);
    print_message("a process of 16 and of 1024: messages %lld, %lld; bytes %lld, %lld; collectives %lld, %lld\n",
                  (long long)few.messages, (long long)many.messages, (long long)few.bytes, (long long)many.bytes,
                  (long long)few.collectives, (long long)many.collectives);
    assert_int_equal(many.alltoalls, 0);
    assert_int_equal(many.collectives, few.collectives);
    assert_true(4 * many.messages <= 10 * few.messages);
    assert_true(4 * many.bytes <= 10 * few.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_deal_alike),
        cmocka_unit_test(messages_do_not_grow_with_the_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
