/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of cells in messages: both sides have the same one, and rows read the same cells as before. */
#include "coupler/plan/reading_order.h"

#include <inttypes.h>

#include "coupler/common/message_tags.h"
#include "coupler/plan/plan.h"
#include "thread_world.h"
#include "units.h"

enum { NA = 2, NB = 2, EACH = 6000, ROWS = 5000, LINKS = 4, SLOTS = NA * EACH };

/* The rows of one receiver jump from each source to one far away; those of the other, and all when `is_near`, read them
 * nearly as the senders have them. */
typedef struct run {
    bool is_near;
    h3ou__plan plan[NA + NB];
} run;

static int32_t first_col(const run *r, int receiver, int64_t row, int k)
{
    int64_t jump = r->is_near || receiver == 1 ? 2 : 1237;
    return (int32_t)((row * jump + (k % 2) * EACH + k / 2) % SLOTS);
}

static void *array(size_t n, size_t size)
{
    return calloc(n + 1, size);
}

/* A sender's slot is the number of a cell; a receiver's source says whose, too. */
static void make_sender(h3ou__plan *p)
{
    p->sender = true;
    p->npartner = NB;
    p->slot = array(NB * EACH, sizeof *p->slot);
    for (int64_t i = 0; i < NB * EACH; i++)
        p->slot[i] = i % EACH;
}

static void make_receiver(const run *r, int receiver, h3ou__plan *p)
{
    p->npartner = NA;
    p->source = array(SLOTS, sizeof *p->source);
    for (int64_t i = 0; i < SLOTS; i++)
        p->source[i] = i;
    p->rows = (h3ou__sparse){.nrow = ROWS,
                             .row = array(ROWS, sizeof *p->rows.row),
                             .start = array(ROWS, sizeof *p->rows.start),
                             .col = array(ROWS * LINKS, sizeof *p->rows.col),
                             .coef = array(ROWS * LINKS, sizeof *p->rows.coef)};
    for (int64_t i = 0; i <= ROWS; i++)
        p->rows.start[i] = LINKS * i;
    for (int64_t k = 0; k < ROWS * LINKS; k++)
        p->rows.col[k] = first_col(r, receiver, k / LINKS, (int)(k % LINKS));
}

static int open_plan(thread_process *me, h3ou__plan_task *task, h3ou__plan **out)
{
    run *r = me->user;
    h3ou__plan *p = *out = &r->plan[me->component ? NA + me->rank : me->rank];
    *task = (h3ou__plan_task){.world = me->world, .local = me->local, .sender = !me->component};
    int err = h3ou__world_model(me->world, 0, 1, &task->model);
    if (me->component)
        make_receiver(r, me->rank, p);
    else
        make_sender(p);
    p->partner = array((size_t)p->npartner, sizeof *p->partner);
    p->start = array((size_t)p->npartner, sizeof *p->start);
    for (int k = 0; k < p->npartner; k++) {
        p->partner[k] = me->component ? k : NA + k;
        p->start[k + 1] = p->start[k] + EACH;
    }
    return err;
}

static int agree(thread_process *me)
{
    h3ou__plan_task task;
    h3ou__plan *p;
    int err = open_plan(me, &task, &p);
    return err ? err : h3ou__plan_order(&task, p);
}

static void close_plans(run *r)
{
    for (int i = 0; i < NA + NB; i++) {
        h3ou__plan *p = &r->plan[i];
        free(p->partner);
        free(p->start);
        free(p->slot);
        free(p->source);
        h3ou__sparse_free(&p->rows);
    }
}

/* Returns whether the order of a receiver's slots is that of its senders. */
static bool check_receiver(const run *r, int receiver)
{
    const h3ou__plan *p = &r->plan[NA + receiver];
    bool is_kept = true;
    for (int a = 0; a < NA; a++)
        for (int64_t i = 0; i < EACH; i++) {
            int64_t cell = r->plan[a].slot[receiver * EACH + i];
            assert_int_equal(p->source[a * EACH + i], a * EACH + cell);
            is_kept &= cell == i;
        }
    for (int64_t k = 0; k < ROWS * LINKS; k++)
        assert_int_equal(p->source[p->rows.col[k]], first_col(r, receiver, k / LINKS, (int)(k % LINKS)));
    return is_kept;
}

static void rows_read_cells_as_they_come(const h3ou__plan *p)
{
    int64_t next[NA] = {0, EACH};
    for (int64_t k = 0; k < ROWS * LINKS; k++) {
        int64_t *due = &next[p->rows.col[k] / EACH];
        assert_true(p->rows.col[k] <= *due);
        *due += p->rows.col[k] == *due;
    }
}

static void run_all(run *r)
{
    thread_process p[THREADS_MOST];
    run_threads(NA, NB, agree, r, p);
    for (int k = 0; k < NA + NB; k++)
        if (p[k].err)
            fail_msg("process %d: %s", k, p[k].said);
}

static void cells_are_sent_as_far_rows_read_them(void **state)
{
    run r = {0};
    (void)state;
    run_all(&r);
    assert_false(check_receiver(&r, 0));
    rows_read_cells_as_they_come(&r.plan[NA]);
    assert_true(check_receiver(&r, 1));
    close_plans(&r);
}

static void the_senders_order_stays_where_it_is_good(void **state)
{
    run r = {.is_near = true};
    (void)state;
    run_all(&r);
    assert_true(check_receiver(&r, 0));
    assert_true(check_receiver(&r, 1));
    close_plans(&r);
}

/* Cells that no row reads, which a gradient may need, come last. */
static void slots_without_a_row_have_numbers_too(void **state)
{
    int32_t col[] = {4, 1, 4, 7}, to[9];
    const int32_t due[] = {1, 0, 2, 3, 4, 6, 7, 5, 8};
    int64_t start[] = {0, 4}, parts[] = {0, 4, 9}; /* slots 0 to 3 are of one partner, 4 to 8 of another */
    h3ou__sparse rows = {.nrow = 1, .start = start, .col = col};
    bool gains;
    (void)state;
    assert_int_equal(h3ou__reading_order_find(&rows, 2, parts, to, &gains), 0);
    assert_memory_equal(to, due, sizeof due);
    assert_false(gains);
}

/* A receiver that asks for two cells at one place, or for one that is not there. */
static int ask_for_what_cannot_be(thread_process *me)
{
    h3ou__plan_task task;
    h3ou__plan *p;
    int err = open_plan(me, &task, &p);
    if (err || !me->component)
        return err ? err : h3ou__plan_order(&task, p);
    int32_t gives = 1, *order = array(EACH, sizeof *order);
    for (int32_t i = 0; i < EACH; i++)
        order[i] = i;
    order[EACH / 2] = me->rank ? 0 : EACH;
    for (int a = 0; a < NA && !err; a++) {
        h3ou__req req[2];
        err = h3ou__isend(task.model, a, H3OU__TAG_NEEDS, &gives, 1, H3OU__INT32, "test", &req[0]);
        if (!err)
            err = h3ou__isend(task.model, a, H3OU__TAG_NEEDS, order, EACH, H3OU__INT32, "test", &req[1]);
        if (!err)
            err = h3ou__waitall(task.world, 2, req);
    }
    free(order);
    return err;
}

static void an_order_that_is_none_is_refused(void **state)
{
    run r = {0};
    thread_process p[THREADS_MOST];
    (void)state;
    run_threads(NA, NB, ask_for_what_cannot_be, &r, p);
    for (int a = 0; a < NA; a++) {
        assert_int_equal(p[a].err, H3OU__EPROTO);
        assert_non_null(strstr(p[a].said, "asks for cell 3000 of 6000 at place 6000"));
    }
    close_plans(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_sent_as_far_rows_read_them),
        cmocka_unit_test(the_senders_order_stays_where_it_is_good),
        cmocka_unit_test(slots_without_a_row_have_numbers_too),
        cmocka_unit_test(an_order_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
