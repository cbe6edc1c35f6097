/* SPDX-License-Identifier: BSD-3-Clause */
#include "talker.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alone.h"
#include "must.h"
#include "waitio/message/instance.h"

enum { GROUP = 77, MOST = 200000, FOR_OTHERS = 8, DESCRIPTORS_MOST = 4096 };
static const double round_within = 60; /* s */

static board *of_run;

/* What a process has open with the processes that do not mean well. */
typedef struct other {
    waitio_req_t req[FOR_OTHERS];
    char *bytes[FOR_OTHERS];
    int left; /* active */
} other;

typedef struct talk {
    seat *me;
    notice *mine;
    int number, n;
    waitio_group_t g;
    waitio_req_t req[2 * TALKERS];
    waitio_status_t status[2 * TALKERS];
    char *in[TALKERS], *out[TALKERS];
    other other;
} talk;

board *talker_board(int honest, double join_within)
{
    if (!of_run)
        of_run = mmap(NULL, sizeof *of_run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MUST(of_run != MAP_FAILED);
    memset(of_run, 0, sizeof *of_run);
    of_run->honest = honest;
    of_run->join_within = join_within;
    return of_run;
}

/* Every listening socket of this process. */
static void tell_doors(notice *mine)
{
    int n = 0, yes;
    for (int fd = 0; fd < DESCRIPTORS_MOST && n < TALKER_DOORS; fd++) {
        socklen_t length = sizeof yes;
        door *d = &mine->door[n];
        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &length) || !yes)
            continue;
        d->length = sizeof d->name;
        n += !getsockname(fd, (struct sockaddr *)&d->name, &d->length);
    }
    mine->ndoors = n;
}

int talker_join(seat *me, int *number)
{
    char port[16];
    snprintf(port, sizeof port, "%d", of_run->king_port[me->pb]);
    if (of_run->king_port[me->pb]) {
        setenv("WAITIO_KING_HOST", "127.0.0.1", 1);
        setenv("WAITIO_KING_PORT", port, 1);
    }
    int code = seat_join(me, of_run->join_within);
    if (code)
        return code;
    const waitio__instance *in = waitio__instance_current();
    *number = in->me;
    notice *mine = &of_run->notice[in->me];
    mine->lane_key = in->self.lane_key;
    mine->join_key = in->self.join_key;
    tell_doors(mine);
    me->step = 1;
    return code;
}

static void measure(notice *mine)
{
    waitio_counters_t c;
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    if (n > mine->descriptors)
        mine->descriptors = n;
    if (waitio_get_counters(&c))
        return;
    mine->strangers = c.strangers;
    if (c.memory > mine->memory)
        mine->memory = c.memory;
}

/* The same at both ends, in every run. */
static uint64_t seed_of(int round, int from, int to)
{
    return ((uint64_t)round * TALKERS + (uint64_t)from) * TALKERS + (uint64_t)to;
}

static size_t size_of(int round, int from, int to)
{
    static const size_t most[] = {1, 100, 3000, 3000, 3000, 20000, 70000, MOST};
    uint64_t x = (seed_of(round, from, to) + 1) * 0x9e3779b97f4a7c15u;
    return 1 + (size_t)((x >> 32) % most[x >> 61]);
}

static int post(talk *t, int round, bool is_last, int *n)
{
    int code = 0;
    *n = 0;
    for (int i = 0; i < t->n && !code; i++)
        if (i != t->number)
            code = waitio_irecv(t->g, i, t->in[i], size_of(round, i, t->number), round, &t->req[(*n)++]);
    for (int i = 0; i < t->n && !code; i++) {
        size_t size = size_of(round, t->number, i);
        if (i == t->number)
            continue;
        fill_pattern(t->out[i] + 1, size - 1, seed_of(round, t->number, i));
        t->out[i][0] = (char)is_last;
        code = waitio_isend(t->g, i, t->out[i], size, round, &t->req[(*n)++]);
    }
    return code;
}

/* What has arrived is what was sent, also where others have not come. */
static bool is_right(talk *t, int round)
{
    int at = 0;
    bool right = true;
    for (int i = 0; i < t->n; i++) {
        if (i == t->number)
            continue;
        const waitio_status_t *s = &t->status[at++];
        size_t size = size_of(round, i, t->number);
        if (s->error)
            continue;
        t->mine->arrived++;
        right = right && s->length == size && is_pattern(t->in[i] + 1, size - 1, seed_of(round, i, t->number));
    }
    return right;
}

/* Messages with those that do not mean well: whatever becomes of them. */
static void want(talk *t)
{
    other *o = &t->other;
    for (int i = 0; i < FOR_OTHERS && t->n < TALKERS; i++) {
        int rank = t->n + (int)dice((uint64_t)(TALKERS - t->n));
        size_t n = dice(dice(2) ? 1000 : MOST);
        waitio_group_t g = group_of_all(i % TALKER_GROUPS);
        o->bytes[i] = calloc(1, n ? n : 1);
        if (!g || !o->bytes[i])
            return;
        if (i % 3 == 0)
            waitio_isend(g, rank, o->bytes[i], n, (int64_t)dice(4), &o->req[i]);
        else
            waitio_irecv(g, rank, o->bytes[i], n, dice(3) ? (int64_t)dice(4) : WAITIO_ANY_TAG, &o->req[i]);
        waitio_group_free(g); /* held by its message */
    }
}

static int talk_on(talk *t)
{
    int code = 0, n;
    bool is_last = false;
    for (int round = 1; !is_last && !code; round++) {
        bool says_last = t->number == 0 && t->me->go > 0;
        memset(t->status, 0, sizeof t->status);
        for (int i = 0; i < 2 * TALKERS; i++)
            t->status[i].error = -1;
        code = post(t, round, says_last, &n);
        if (!code)
            code = waitio_waitall_for(n, t->req, round_within, t->status);
        if (!is_right(t, round)) {
            snprintf(t->me->text, sizeof t->me->text, "round %d: a message is not what was sent", round);
            return TALKER_WRONG;
        }
        is_last = says_last || (t->number && !code && t->in[0][0]);
        if (round % 16 == 1 && waitio__instance_current())
            measure(t->mine);
    }
    return seat_keep(t->me, code);
}

int talker(seat *me)
{
    talk t = {.me = me, .n = of_run->honest};
    int code = talker_join(me, &t.number);
    if (code)
        return code;
    dice_seed((uint64_t)t.number + 1);
    t.mine = &of_run->notice[t.number];
    t.g = group_of_all(GROUP);
    for (int i = 0; i < t.n; i++) {
        t.in[i] = malloc(MOST + 1);
        t.out[i] = malloc(MOST + 1);
        MUST(t.in[i] && t.out[i]);
    }
    want(&t);
    code = talk_on(&t);
    measure(t.mine);
    waitio_group_free(t.g);
    int left = waitio_finalize();
    if (!code)
        code = seat_keep(me, left);
    for (int i = 0; i < t.n; i++) {
        free(t.in[i]);
        free(t.out[i]);
    }
    for (int i = 0; i < FOR_OTHERS; i++)
        free(t.other.bytes[i]);
    return code;
}
