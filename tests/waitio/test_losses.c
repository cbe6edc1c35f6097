/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that may be lost: whatever ends them, the others go on, also without the master. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/os_clock.h"
#include "run.h"
#include "waitio/message/instance.h"
#include "waitio/message/job_loss.h"

enum deed { KILLED, ABORTS, ABORTS_BESIDE, EXITS };           /* what the job does; BESIDE: its second process */
enum meanwhile { TURNS, WAITS, STREAMS, ANY_SOURCE, LEAVES }; /* what the others do */

static struct scene {
    int npb, size[4];
    bool is_victim[4], is_allowed[4];
    enum deed deed;
    enum meanwhile meanwhile;
    bool is_connected; /* the victims have exchanged messages with the others */
} scene;

static char buffer[4 << 20];

static int bad(seat *me, int number, const char *what)
{
    snprintf(me->text, sizeof me->text, "%s: %s", what, waitio_error());
    return number;
}

static int finish(int code, waitio_req_t *req)
{
    return code ? code : waitio_wait(req);
}

/* The numbers in the group of all: those of the survivors, or of all processes. Returns how many. */
static int members(int list[RUN_SEATS], bool with_victims, int *mine, const seat *me)
{
    int n = 0, number = 0;
    for (int pb = 0; pb < scene.npb; pb++)
        for (int rank = 0; rank < scene.size[pb]; rank++, number++) {
            if (scene.is_victim[pb] && !with_victims)
                continue;
            if (pb == me->pb && rank == me->rank)
                *mine = n;
            list[n++] = number;
        }
    return n;
}

/* Each sends to each, and receives from each. */
static int exchange(waitio_group_t g, const seat *me, bool with_victims, int tag)
{
    int list[RUN_SEATS], mine = 0, n = members(list, with_victims, &mine, me), code = 0;
    waitio_req_t send[RUN_SEATS], receive[RUN_SEATS];
    char in[RUN_SEATS][1000], out[RUN_SEATS][1000];
    for (int i = 0; i < n && !code; i++) {
        fill_pattern(out[i], sizeof out[i], (uint64_t)(100 * list[mine] + list[i] + tag));
        code = waitio_irecv(g, list[i], in[i], sizeof in[i], tag, &receive[i]);
        if (!code)
            code = waitio_isend(g, list[i], out[i], sizeof out[i], tag, &send[i]);
    }
    for (int i = 0; i < n && !code; i++) {
        code = finish(waitio_wait(&receive[i]), &send[i]);
        if (!code && !is_pattern(in[i], sizeof in[i], (uint64_t)(100 * list[i] + list[mine] + tag)))
            code = -77;
    }
    return code;
}

static bool are_lost(void)
{
    bool all = true;
    for (int pb = 0; pb < scene.npb; pb++)
        all = all && waitio__job_is_lost(pb) == scene.is_victim[pb];
    return all;
}

static int turn_until_lost(void)
{
    double end = h3ou__now() + 60;
    int code = 0;
    while (!code && !are_lost() && h3ou__now() < end)
        code = waitio_progress(0.02);
    return code ? code : are_lost() ? 0 : -78;
}

static int number_of(int pb, int rank)
{
    for (int i = 0; i < pb; i++)
        rank += scene.size[i];
    return rank;
}

/* Sends to and receives from every process of the lost jobs: H3OU__EPEER, and the sentence names the job. */
static int ask_the_lost(waitio_group_t g)
{
    char part[32], byte = 0;
    for (int pb = 0; pb < scene.npb; pb++)
        for (int rank = 0; scene.is_victim[pb] && rank < scene.size[pb]; rank++) {
            waitio_req_t req;
            snprintf(part, sizeof part, "PB %d, component c%d", pb, pb);
            if (finish(waitio_irecv(g, number_of(pb, rank), &byte, 1, 55, &req), &req) != WAITIO_EPEER ||
                !(strstr(waitio_error(), part) || (!pb && strstr(waitio_error(), "master (PB 0, component c0"))))
                return -1;
            if (finish(waitio_isend(g, number_of(pb, rank), &byte, 1, 55, &req), &req) != WAITIO_EPEER)
                return -2;
        }
    return 0;
}

static int first_victim(void)
{
    int pb = 0;
    while (!scene.is_victim[pb])
        pb++;
    return pb;
}

/* What the survivors do while the victims end. Returns 0 if it was as it must be. */
static int meet_the_end(waitio_group_t g, seat *me)
{
    waitio_req_t req;
    int victim = first_victim(), code, other = me->rank % scene.size[victim];
    if (scene.meanwhile == TURNS)
        return turn_until_lost();
    if (scene.meanwhile == WAITS) {
        code = finish(waitio_irecv(g, number_of(victim, other), buffer, 8, 9, &req), &req);
    } else if (scene.meanwhile == ANY_SOURCE) {
        code = finish(waitio_irecv(g, WAITIO_ANY_SOURCE, buffer, 8, 9, &req), &req);
    } else {
        for (code = 0; !code; me->step++)
            code = finish(me->rank ? waitio_irecv(g, number_of(victim, 0), buffer, sizeof buffer, 9, &req)
                                   : waitio_isend(g, number_of(victim, 0), buffer, sizeof buffer, 9, &req),
                          &req);
    }
    if (code != WAITIO_EPEER || !waitio__job_is_lost(victim))
        return code ? code : -79;
    return turn_until_lost();
}

static int join_scene(seat *me)
{
    char name[32];
    if (seat_join(me, 20))
        return 1;
    for (int pb = 0; pb < scene.npb; pb++) {
        snprintf(name, sizeof name, "component c%d", pb);
        if (waitio__instance_name_job(pb, name) || (scene.is_allowed[pb] && waitio__job_allow_loss(pb)))
            return bad(me, 1, "allow");
    }
    return 0;
}

static int be_victim(waitio_group_t g, seat *me)
{
    waitio_req_t req;
    if (scene.meanwhile == STREAMS && !me->rank)
        for (int code = 0; !code;)
            for (int i = 0; i < scene.npb && !code; i++)
                if (!scene.is_victim[i])
                    code = finish(waitio_irecv(g, number_of(i, 0), buffer, sizeof buffer, 9, &req), &req);
    seat_idle(me, 1);
    waitio_group_free(g);
    if (scene.deed == EXITS)
        exit(3);
    if (scene.deed == ABORTS || (scene.deed == ABORTS_BESIDE && me->rank))
        waitio_abort("no ice left", 5);
    seat_idle(me, 2);
    return 0;
}

static int leave(waitio_group_t g, seat *me)
{
    waitio_group_free(g);
    double began = h3ou__now();
    if (waitio_finalize())
        return bad(me, 6, "finalize");
    return h3ou__now() - began > 30 ? bad(me, 7, "finalize took long") : 0;
}

static int takes_part(seat *me)
{
    if (join_scene(me))
        return 1;
    waitio_group_t g = group_of_all(0);
    bool is_victim = scene.is_victim[me->pb];
    if ((scene.is_connected || !is_victim) && exchange(g, me, scene.is_connected, 1))
        return bad(me, 2, "before");
    me->step = 1;
    if (is_victim)
        return be_victim(g, me);
    if (scene.meanwhile == LEAVES)
        return leave(g, me);
    int code = meet_the_end(g, me);
    if (code)
        return bad(me, 1000 - code, "the end");
    if (exchange(g, me, false, 2))
        return bad(me, 3, "after");
    if (scene.deed == ABORTS &&
        !strstr(waitio__job_loss_why(waitio__instance_current(), first_victim()), "no ice left"))
        return bad(me, 4, waitio__job_loss_why(waitio__instance_current(), first_victim()));
    if ((code = ask_the_lost(g)) != 0)
        return bad(me, 10 - code, "asked the lost");
    return leave(g, me);
}

static void begin(run *r, role what)
{
    run_begin(r, scene.npb, scene.size);
    run_start_all(r, what);
    for (int i = 0; i < r->n; i++)
        assert_true(seat_reaches(&r->seat[i], 1, 20));
    for (int i = 0; i < r->n && scene.meanwhile == STREAMS; i++)
        if (!r->seat[i].rank && !scene.is_victim[r->seat[i].pb])
            assert_true(seat_reaches(&r->seat[i], 4, 20));
    h3ou__sleep(scene.meanwhile == WAITS || scene.meanwhile == LEAVES ? 0.2 : 0.02);
}

static void end_job(const run *r, int pb)
{
    for (int i = 0; i < r->n; i++) {
        if (r->seat[i].pb != pb)
            continue;
        r->seat[i].go = 1;
        if (scene.deed == KILLED)
            seat_kill(&r->seat[i]);
    }
}

static bool survivors_have_ended(run *r)
{
    bool all = true;
    run_wait(r, 0.002);
    for (int i = 0; i < r->n; i++)
        all = all && (scene.is_victim[r->seat[i].pb] || r->seat[i].status >= 0);
    return all;
}

static void assert_survival(run *r)
{
    double end = h3ou__now() + 60;
    while (!survivors_have_ended(r) && h3ou__now() < end)
        ;
    for (int i = 0; i < r->n; i++)
        if (scene.is_victim[r->seat[i].pb])
            r->seat[i].go = 2;
    assert_true(run_end(r, 10));
    for (int i = 0; i < r->n; i++) {
        const seat *s = &r->seat[i];
        if (!scene.is_victim[s->pb] && (s->code || s->status))
            print_message("PB %d rank %d: code %d, status %d: %s\n", s->pb, s->rank, s->code, s->status, s->text);
        assert_true(scene.is_victim[s->pb] || (!s->code && !s->status));
    }
    run_close(r);
}

static struct scene three_jobs(int victim, enum deed deed, enum meanwhile meanwhile, bool is_connected)
{
    struct scene s = {.npb = 3, .size = {2, 2, 3}, .deed = deed, .meanwhile = meanwhile, .is_connected = is_connected};
    s.is_victim[victim] = true;
    for (int pb = 0; pb < 3; pb++)
        s.is_allowed[pb] = true;
    return s;
}

static void run_scene(struct scene what)
{
    run r;
    scene = what;
    begin(&r, takes_part);
    for (int pb = 0; pb < scene.npb; pb++)
        if (scene.is_victim[pb])
            end_job(&r, pb);
    assert_survival(&r);
}

static void test_killed_idle(void **state)
{
    (void)state;
    for (int victim = 0; victim < 3; victim++)
        run_scene(three_jobs(victim, KILLED, TURNS, victim == 1));
}

static void test_killed_while_awaited(void **state)
{
    (void)state;
    for (int victim = 0; victim < 3; victim++)
        run_scene(three_jobs(victim, KILLED, WAITS, victim == 2));
}

static void test_killed_in_long_messages(void **state)
{
    (void)state;
    for (int victim = 0; victim < 2; victim++) {
        struct scene s = three_jobs(victim, KILLED, STREAMS, false);
        s.size[0] = s.size[1] = s.size[2] = 1;
        run_scene(s);
    }
}

/* The others wait in waitio_finalize for the lost job to leave. */
static void test_killed_while_others_leave(void **state)
{
    (void)state;
    for (int victim = 0; victim < 2; victim++)
        run_scene(three_jobs(victim, KILLED, LEAVES, true));
}

static void test_any_source(void **state)
{
    (void)state;
    run_scene(three_jobs(1, KILLED, ANY_SOURCE, false));
}

static void test_two_at_once(void **state)
{
    (void)state;
    struct scene s = {.npb = 4, .size = {1, 2, 2, 1}, .is_allowed = {true, true, true, true}};
    for (int first = 0; first < 2; first++) {
        memset(s.is_victim, 0, sizeof s.is_victim);
        s.is_victim[first] = s.is_victim[first + 1] = true;
        s.is_connected = first == 1;
        run_scene(s);
    }
}

static void test_aborts(void **state)
{
    (void)state;
    for (int victim = 0; victim < 2; victim++)
        run_scene(three_jobs(victim, ABORTS, victim ? TURNS : WAITS, false));
    run_scene(three_jobs(1, ABORTS_BESIDE, TURNS, true));
    run_scene(three_jobs(0, ABORTS_BESIDE, TURNS, false));
}

static void test_exits(void **state)
{
    (void)state;
    for (int victim = 0; victim < 2; victim++)
        run_scene(three_jobs(victim, EXITS, victim ? WAITS : TURNS, victim == 0));
}

/* One after the other: PB 0 is lost, and when all know it, the next. */
static int loses_one_by_one(seat *me)
{
    if (join_scene(me))
        return 1;
    waitio_group_t g = group_of_all(0);
    me->step = 1;
    for (int pb = 0; pb < 2; pb++) {
        if (me->pb == pb) {
            seat_turn(me, 1);
            return 0;
        }
        double end = h3ou__now() + 60;
        int code = 0;
        while (!code && !waitio__job_is_lost(pb) && h3ou__now() < end)
            code = waitio_progress(0.02);
        if (code || !waitio__job_is_lost(pb))
            return bad(me, 2 + pb, "not told");
        me->step = 2 + pb;
    }
    if (exchange(g, me, false, 2))
        return bad(me, 4, "after");
    if (ask_the_lost(g))
        return bad(me, 5, "asked the lost");
    seat_turn(me, 1);
    seat_keep(me, waitio_progress(0));
    waitio_group_free(g);
    return waitio_finalize();
}

/* all_allowed: also PB 2 and 3 may be lost; else the end of PB 2 ends the run. */
static void lose_three(bool all_allowed)
{
    run r;
    scene = (struct scene){.npb = 4, .size = {2, 2, 2, 2}, .is_victim = {true, true}, .is_allowed = {true, true}};
    scene.is_allowed[2] = scene.is_allowed[3] = all_allowed;
    begin(&r, loses_one_by_one);
    for (int pb = 0; pb < 2; pb++) {
        end_job(&r, pb);
        for (int i = 4; i < 8; i++)
            assert_true(seat_reaches(&r.seat[i], 2 + pb, 20));
    }
    h3ou__sleep(0.3);
    if (!all_allowed)
        end_job(&r, 2);
    for (int i = 4; i < 8 && all_allowed; i++)
        r.seat[i].go = 1;
    double end = h3ou__now() + 30;
    while (!all_allowed && !*r.seat[6].text && h3ou__now() < end) /* the King of PB 3 ends by itself */
        h3ou__sleep(0.01);
    r.seat[7].go = 1;
    assert_true(run_end(&r, 20) || !all_allowed);
    for (int i = 4; i < 8 && all_allowed; i++) {
        print_message("%s", r.seat[i].code ? r.seat[i].text : "");
        assert_int_equal(r.seat[i].code, 0);
    }
    if (!all_allowed) {
        assert_int_equal(r.seat[6].code, WAITIO_EPEER);
        assert_non_null(strstr(r.seat[6].text, "the job of PB 2, component c2, died"));
    }
    run_close(&r);
}

static void test_without_master(void **state)
{
    (void)state;
    lose_three(true);
    lose_three(false);
}

/* One process of PB 1 is killed; the other one lives on, and learns that the others go on without it. */
static int leaves_a_straggler(seat *me)
{
    if (join_scene(me))
        return 1;
    waitio_group_t g = group_of_all(0);
    me->step = 1;
    if (me->pb != 1) {
        int code = meet_the_end(g, me);
        if (code || exchange(g, me, false, 2) || ask_the_lost(g))
            return bad(me, 2, "the end");
        me->step = 2;
        seat_turn(me, 1);
        waitio_group_free(g);
        return seat_keep(me, waitio_finalize());
    }
    seat_idle(me, 1);
    waitio_req_t req;
    waitio_isend(g, number_of(2, 1), buffer, 8, 9, &req);
    double end = h3ou__now() + 60;
    int code = 0;
    while (!code && h3ou__now() < end)
        code = waitio_progress(0.02);
    seat_keep(me, code);
    waitio_group_free(g);
    waitio_finalize();
    return code;
}

static void lose_but_one(void)
{
    run r;
    scene = three_jobs(1, KILLED, WAITS, false);
    begin(&r, leaves_a_straggler);
    seat_kill(&r.seat[3]);
    for (int i = 0; i < 7; i++)
        assert_true(scene.is_victim[r.seat[i].pb] || seat_reaches(&r.seat[i], 2, 20));
    for (int i = 0; i < 7; i++)
        r.seat[i].go = r.seat[i].pb == 1;
    assert_true(seat_reaches(&r.seat[2], 1, 1));
    double end = h3ou__now() + 30;
    while (!*r.seat[2].text && h3ou__now() < end)
        h3ou__sleep(0.01);
    for (int i = 0; i < 7; i++)
        r.seat[i].go = 1;
    assert_true(run_end(&r, 20));
    for (int i = 0; i < 7; i++)
        assert_int_equal(scene.is_victim[r.seat[i].pb] ? 0 : r.seat[i].code, 0);
    assert_int_equal(r.seat[2].code, WAITIO_EPEER);
    assert_non_null(strstr(r.seat[2].text, "the other jobs go on without this one: the job of PB 1, component c1"));
    run_close(&r);
}

static void test_straggler(void **state)
{
    (void)state;
    lose_but_one();
}

/* The straggler is told at once, and tries to join again. */
static void test_straggler_with_thread(void **state)
{
    (void)state;
    setenv("WAITIO_PROGRESS", "thread", 1);
    lose_but_one();
    unsetenv("WAITIO_PROGRESS");
}

/* A job that was not named ends the run, as without any loss that is allowed. */
static int ends_with_others(seat *me)
{
    if (join_scene(me))
        return 1;
    me->step = 1;
    int code = seat_turn(me, 1);
    seat_keep(me, code);
    waitio_finalize();
    return code;
}

static void test_not_allowed(void **state)
{
    (void)state;
    run r;
    scene = three_jobs(1, KILLED, TURNS, false);
    for (int pb = 0; pb < 3; pb++)
        scene.size[pb] = 1;
    scene.is_allowed[1] = false;
    begin(&r, ends_with_others);
    end_job(&r, 1);
    assert_true(run_end(&r, 10));
    for (int i = 0; i < 3; i += 2) {
        assert_int_equal(r.seat[i].code, WAITIO_EPEER);
        assert_non_null(strstr(r.seat[i].text, "the job of PB 1, component c1, died"));
    }
    run_close(&r);
}

/* With the argument "all" every test; else those that are also run under valgrind and the thread sanitizer. */
int main(int argc, char **argv)
{
    const struct CMUnitTest few[] = {
        cmocka_unit_test(test_killed_idle),
        cmocka_unit_test(test_aborts),
        cmocka_unit_test(test_straggler_with_thread),
    };
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_killed_idle),
        cmocka_unit_test(test_killed_while_awaited),
        cmocka_unit_test(test_killed_in_long_messages),
        cmocka_unit_test(test_killed_while_others_leave),
        cmocka_unit_test(test_any_source),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_aborts),
        cmocka_unit_test(test_exits),
        cmocka_unit_test(test_without_master),
        cmocka_unit_test(test_straggler),
        cmocka_unit_test(test_not_allowed),
    };
    bool is_all = argc > 1 && !strcmp(argv[1], "all");
    return is_all ? cmocka_run_group_tests(all, NULL, NULL) : cmocka_run_group_tests(few, NULL, NULL);
}
