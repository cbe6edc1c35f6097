/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alone.h"
#include "must.h"
#include "os/os_clock.h"
#include "rogue.h"
#include "talker.h"

enum { JOBS = 3, MEMORY_MOST = 96 << 20, DESCRIPTORS_MOST = 300 };
static const int size[JOBS] = {2, 1, 2};
static const double end_within = 90; /* s */

/* Each run goes another way. */
static const struct way {
    const char *name, *value[3][2];
} ways[] = {
    {"default", {{0}}},
    {"tcp", {{"WAITIO_ROUTES", "tcp"}}},
    {"sealed", {{"WAITIO_ROUTES", "tcp"}, {"WAITIO_ENCRYPT", "1"}, {"WAITIO_CHECKSUM", "1"}}},
    {"unix", {{"WAITIO_ROUTES", "unix"}}},
    {"single copy", {{"WAITIO_ROUTES", "shm"}, {"WAITIO_SINGLE_COPY", "1"}, {"WAITIO_EAGER_LIMIT", "100"}}},
    {"thread", {{"WAITIO_PROGRESS", "thread"}}},
    {"streams", {{"WAITIO_COMM_TYPE", "socket"}, {"WAITIO_STREAMS", "3"}, {"WAITIO_EAGER_LIMIT", "1000"}}},
    {"resting", {{"WAITIO_ROUTES", "tcp"}, {"WAITIO_MAX_CONNECTIONS", "2"}, {"WAITIO_CREDIT", "20000"}}},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void go_by(const struct way *w, bool sets)
{
    for (int i = 0; i < 3 && w->value[i][0]; i++) {
        if (sets)
            setenv(w->value[i][0], w->value[i][1], 1);
        else
            unsetenv(w->value[i][0]);
    }
}

static void tell(const run *r, const char *what)
{
    fprintf(stderr, "%s\n", what);
    for (int i = 0; i < r->n; i++)
        fprintf(stderr, "PB %d rank %d: status %d, code %d, step %d: %s\n", r->seat[i].pb, r->seat[i].rank,
                r->seat[i].status, r->seat[i].code, r->seat[i].step, r->seat[i].text);
}

static void must_be(const run *r, bool truth, const char *what)
{
    if (!truth)
        tell(r, what);
    MUST(truth);
}

/* Nobody crashed; who ended with an error says why; what arrived was right. */
static void check_ends(const run *r, bool may_fail)
{
    for (int i = 0; i < r->n; i++) {
        const seat *s = &r->seat[i];
        must_be(r, s->status == 0, "a process did not end by itself");
        must_be(r, s->code != TALKER_WRONG, "a message was changed");
        must_be(r, !s->code || (may_fail && s->text[0]), "a process failed, or does not say why");
    }
}

/* One line for each run. */
static void tell_run(const run *r, const struct way *w, double since)
{
    printf("  %-11s %5.1f s:", w->name, h3ou__now() - since);
    for (int i = 0; i < r->n; i++)
        printf(" %d", r->seat[i].code);
    printf("\n");
    if (getenv("FUZZ_TELL"))
        tell(r, "");
}

static uint64_t check_board(const run *r, const board *b)
{
    uint64_t arrived = 0;
    for (int i = 0; i < b->honest; i++) {
        const notice *n = &b->notice[i];
        must_be(r, n->memory <= MEMORY_MOST, "a process holds too much memory");
        must_be(r, n->descriptors <= DESCRIPTORS_MOST, "a process has too many descriptors open");
        arrived += n->arrived;
    }
    return arrived;
}

/* The one that speaks has said all. */
static void await(run *r, const seat *s)
{
    double end = h3ou__now() + end_within;
    while (s->status < 0 && waitpid(s->pid, (int *)&s->status, WNOHANG) != s->pid && h3ou__now() < end)
        h3ou__sleep(0.002);
    must_be(r, s->status >= 0, "who speaks does not end");
}

static void report(const char *who, uint64_t runs, uint64_t arrived, uint64_t failed)
{
    const rogue_report *all = rogue_reports();
    printf("%s: %llu messages to %llu runs, %llu answers or connections; %llu messages of others arrived, %llu runs "
           "ended with an error\n",
           who, (unsigned long long)all->said, (unsigned long long)runs, (unsigned long long)all->stood,
           (unsigned long long)arrived, (unsigned long long)failed);
    MUST(all->said && all->stood && arrived);
}

void coupled_strangers(uint64_t messages, uint64_t seed)
{
    uint64_t arrived = 0, runs = 0;
    memset(rogue_reports(), 0, sizeof(rogue_report));
    for (; rogue_reports()->said < messages; runs++) {
        run r;
        const struct way *w = &ways[runs % WAYS];
        double since = h3ou__now();
        board *b = talker_board(TALKERS, 60);
        uint64_t rest = messages - rogue_reports()->said, share = 1 + messages / WAYS;
        go_by(w, true);
        run_begin(&r, JOBS, size);
        for (int pb = 0; pb < JOBS && runs % 2; pb++)
            b->king_port[pb] = free_port();
        rogue_order_now =
            (rogue_order){.messages = rest < share ? rest : share, .seed = seed + runs, .port = r.port, .board = b};
        seat *speaks = run_start(&r, JOBS, 0, rogue_stranger);
        run_start_all(&r, talker);
        await(&r, speaks);
        for (int i = 0; i < r.n; i++)
            r.seat[i].go = 1;
        must_be(&r, run_end(&r, end_within), "a process does not end");
        tell_run(&r, w, since);
        check_ends(&r, false);
        arrived += check_board(&r, b);
        run_close(&r);
        go_by(w, false);
    }
    report("coupled-strangers", runs, arrived, 0);
}

/* Who of the last job has gone mad: its rank 1, its King or both; or somebody joins in the job's place. */
static seat *start(run *r, uint64_t kind)
{
    seat *speaks = NULL;
    for (int pb = 0; pb < JOBS - 1; pb++)
        for (int rank = 0; rank < size[pb]; rank++)
            run_start(r, pb, rank, talker);
    if (kind == 3)
        return run_start(r, JOBS - 1, 0, rogue_joiner);
    for (int rank = 0; rank < size[JOBS - 1]; rank++) {
        bool is_mad = kind == 2 || rank != (int)kind;
        seat *s = run_start(r, JOBS - 1, rank, is_mad ? rogue_rank : rogue_idler);
        speaks = is_mad ? s : speaks;
    }
    return speaks;
}

void coupled_insiders(uint64_t messages, uint64_t seed)
{
    uint64_t arrived = 0, runs = 0, failed = 0;
    memset(rogue_reports(), 0, sizeof(rogue_report));
    setenv("WAITIO_PATIENCE", "2", 1);
    for (; rogue_reports()->said < messages; runs++) {
        run r;
        const struct way *w = &ways[(seed + runs / 3) % WAYS];
        double since = h3ou__now();
        board *b = talker_board(TALKERS - 2, 5);
        go_by(w, true);
        run_begin(&r, JOBS, size);
        rogue_order_now = (rogue_order){.messages = 2000, .seed = seed + runs, .port = r.port, .board = b};
        await(&r, start(&r, (seed + runs) % 4));
        for (int i = 0; i < r.n; i++)
            r.seat[i].go = 1;
        must_be(&r, run_end(&r, end_within), "a process does not end");
        tell_run(&r, w, since);
        check_ends(&r, true);
        arrived += check_board(&r, b);
        failed += r.seat[0].code != 0;
        run_close(&r);
        go_by(w, false);
    }
    unsetenv("WAITIO_PATIENCE");
    report("coupled-insiders", runs, arrived, failed);
}
