/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/part/absent.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/part/collective_tag.h"
#include "os/os_clock.h"

enum { MOST_ASKED = 64, MOST_NAMED = 8, CALL_TEXT = 64 };
static const double ASKING = 1.0; /* seconds */

typedef struct answer {
    int32_t from; /* block rank */
    char what[CALL_TEXT];
} answer;

/* The rank in my job of a member of my block. */
static int place_in_job(const h3ou__comm *c, int block_rank)
{
    int job, job_rank;
    h3ou__comm_place(c, h3ou__comm_king(c, c->block) + block_rank, &job, &job_rank);
    return job_rank;
}

static int wait_here(h3ou__world *w, h3ou__mpi_req *req)
{
    int done = 0, err = H3OU__OK;
    while (!err && !done)
        err = w->mpi->test(req, &done, NULL);
    return err;
}

/* Receives a message that has arrived from some member of my job; *found is 0 if there is none. */
static int take_message(const h3ou__comm *c, int tag, void *buf, int64_t bytes, int *found)
{
    int64_t length;
    h3ou__mpi_req req;
    h3ou__world *w = c->world;
    int err = w->mpi->iprobe(w->route[c->kind], H3OU__ANY_SOURCE, tag, found, &length);
    if (err || !*found)
        return err;
    err = w->mpi->irecv(w->route[c->kind], buf, bytes, H3OU__BYTE, H3OU__ANY_SOURCE, tag, &req);
    return err ? err : wait_here(w, &req);
}

/* A message so short is sent at once by every MPI, whether the other end receives it or not. */
static int send_message(const h3ou__comm *c, int block_rank, int tag, const void *buf, int64_t bytes)
{
    h3ou__mpi_req req;
    h3ou__world *w = c->world;
    int err = w->mpi->isend(w->route[c->kind], buf, bytes, H3OU__BYTE, place_in_job(c, block_rank), tag, &req);
    return err ? err : wait_here(w, &req);
}

int h3ou__absent_answer(const h3ou__comm *c, const char *what)
{
    for (int found = 1; c->inside;) {
        int32_t asker = 0;
        answer mine = {.from = c->block_rank};
        int err = take_message(c, H3OU__TAG_ASK, &asker, sizeof asker, &found);
        if (err || !found)
            return err;
        snprintf(mine.what, sizeof mine.what, "%s", what);
        if ((err = send_message(c, asker, H3OU__TAG_HERE, &mine, sizeof mine)) != H3OU__OK)
            return err;
    }
    return H3OU__OK;
}

typedef struct sentence {
    char text[900];
    int named, left;
} sentence;

__attribute__((format(printf, 2, 3))) static void add_words(sentence *s, const char *format, ...)
{
    va_list more;
    size_t used = strlen(s->text);
    va_start(more, format);
    vsnprintf(s->text + used, sizeof s->text - used, format, more);
    va_end(more);
}

static void name_member(sentence *s, const h3ou__comm *c, int rank, const char *elsewhere)
{
    char member[128];
    if (s->named++ >= MOST_NAMED) {
        s->left++;
        return;
    }
    add_words(s, "%s%s", s->named > 1 ? ", " : "", h3ou__comm_member(c, rank, member, sizeof member));
    if (elsewhere)
        add_words(s, " (which is in a %s)", elsewhere);
}

/* Asks the members of my block, and waits until all have answered, or a second. */
static int ask_block(const h3ou__comm *c, const char *what, int n, answer here[])
{
    int err = H3OU__OK, missing = n - 1;
    int32_t me = c->block_rank;
    for (int i = 0; i < n && !err; i++)
        err = i == me ? H3OU__OK : send_message(c, i, H3OU__TAG_ASK, &me, sizeof me);
    for (double end = h3ou__now() + ASKING; !err && missing && h3ou__now() < end;) {
        int found;
        answer a = {0};
        err = h3ou__absent_answer(c, what);
        if (!err && (err = take_message(c, H3OU__TAG_HERE, &a, sizeof a, &found)) == H3OU__OK && found && a.from >= 0 &&
            a.from < n) {
            missing -= !here[a.from].what[0];
            here[a.from] = a;
        } else {
            h3ou__sleep(1e-3);
        }
    }
    return err;
}

/* Returns whether a member of my block has not begun the call, as far as the processes of my host count their calls. */
static bool is_late(const h3ou__comm *c, int block_rank)
{
    int place = c->inside && c->host->block ? h3ou__host_map_place(&c->host->map, block_rank) : -1;
    return place >= 0 && !h3ou__host_block_is_here(c->host->block, place);
}

/* Names those of my host that have not begun the call, as far as they count their calls. */
static void name_late(sentence *s, const h3ou__comm *c)
{
    for (int i = 0; c->inside && c->host->block && i < c->host->map.nmember; i++)
        if (is_late(c, c->host->map.member[i]))
            name_member(s, c, h3ou__comm_king(c, c->block) + c->host->map.member[i], NULL);
}

/* Asks those of my block, and names who is in another call. Who does not answer has not come, or, where the members count their
 * calls, has done its part already. */
static int name_block(sentence *s, const h3ou__comm *c, const char *what)
{
    int n = h3ou__comm_block_size(c, c->block), king = h3ou__comm_king(c, c->block);
    if (!c->inside || n > MOST_ASKED)
        return H3OU__OK;
    answer *here = calloc((size_t)n, sizeof *here);
    int err = here ? ask_block(c, what, n, here) : h3ou__no_memory("the names of processes");
    for (int i = 0; i < n && !err; i++) {
        bool came = here[i].what[0] != 0;
        if (i != c->block_rank && (came ? strncmp(here[i].what, what, CALL_TEXT - 1) != 0 : !c->host->is_shared))
            name_member(s, c, king + i, came ? here[i].what : NULL);
    }
    free(here);
    return err;
}

/* Names the members from which messages have not come, but those of my block that have begun the call. Returns whether there are
 * some. */
static bool name_awaited(sentence *s, const h3ou__comm *c, h3ou__coll_run *run)
{
    int awaited[MOST_NAMED], n = h3ou__coll_awaited(run, awaited, MOST_NAMED), before = s->named, inside;
    for (int i = 0; i < n; i++) {
        bool is_counted = h3ou__comm_block_of(c, awaited[i], &inside) == c->block && c->inside && c->host->block &&
                          h3ou__host_map_place(&c->host->map, inside) >= 0;
        if (!is_counted || is_late(c, inside))
            name_member(s, c, awaited[i], NULL);
    }
    return s->named > before;
}

/* Answers others for a while, in which the King that is awaited may say who of its own job has not come: returns the
 * error with which that one has ended the run. */
static int let_others_tell(const h3ou__comm *c, const char *what, double seconds)
{
    int err = H3OU__OK;
    for (double end = h3ou__now() + seconds; !err && h3ou__now() < end;)
        if ((err = h3ou__absent_answer(c, what)) == H3OU__OK && c->world->group)
            err = waitio_progress(0.01);
    return err;
}

int h3ou__absent_fail(const h3ou__comm *c, const char *what, h3ou__coll_run *run)
{
    char name[H3OU__COMM_NAME];
    sentence who = {0};
    bool is_awaited = false;
    int err = H3OU__OK;
    name_late(&who, c);
    if (!who.named && !run)
        err = name_block(&who, c, what);
    if (!err && !who.named) /* a King knows whose message it awaits: it tells first */
        err = let_others_tell(c, what, run ? 2 * ASKING : 3 * ASKING);
    if (err)
        return err;
    if (!who.named && run)
        is_awaited = name_awaited(&who, c, run);
    if (who.left)
        add_words(&who, " and %d more", who.left);
    if (is_awaited && c->nblock < c->size)
        add_words(&who, ", or others of the same job");
    if (!who.named)
        add_words(&who, "%s", c->nblock > 1 ? "a process of another job or component" : "a process of this component");
    return h3ou__fail(H3OU__ETIMEOUT,
                      "%s on %s (%d processes): did not come within %.0f s, which is the patience of this run (H3OU_PATIENCE): %s",
                      what, h3ou__comm_name(c, name, sizeof name), c->size, c->world->patience, who.text);
}
