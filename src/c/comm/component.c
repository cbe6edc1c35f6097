/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding which processes run which component: names go to the job's King, the Kings exchange them, each tells its job.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/env.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/members.h"
#include "os/program.h"
#include "waitio/message/instance.h"

/* The record of a component: name (64 bytes), nensemble, members that the job says it holds (0: unsaid), job, number of
 * runs of ranks, then first rank and length of each run. Numbers are 32 bits, little-endian. */
enum { HEAD = H3OU__NAME + 16, TAG = H3OU__TAG_COLLECTIVE + 100, MOST_BYTES = 1 << 28 };

/* What each process sends to its King: its component's name, nensemble, members held, then h3ou__program. */
enum { AT_COUNTS = H3OU__NAME, AT_PROGRAM = H3OU__NAME + 8, ENTRY = AT_PROGRAM + H3OU__PROGRAM };

typedef struct records {
    size_t size;
    unsigned char *data;
} records;

static int append_bytes(records *r, const void *data, size_t size)
{
    if (!h3ou__resize(&r->data, 1, (int64_t)(r->size + size)))
        return h3ou__no_memory("the list of components");
    memcpy(r->data + r->size, data, size);
    r->size += size;
    return H3OU__OK;
}

static int append_number(records *r, int number)
{
    unsigned char bytes[4];
    h3ou__put32(bytes, (uint32_t)number);
    return append_bytes(r, bytes, 4);
}

static bool is_same_name(const char *names, int i, int j)
{
    return !memcmp(names + (size_t)i * ENTRY, names + (size_t)j * ENTRY, H3OU__NAME);
}

/* Returns the lowest rank that has the component of rank i. */
static int first_rank_like(const char *names, int i)
{
    int j = 0;
    while (!is_same_name(names, j, i))
        j++;
    return j;
}

/* Warns when different programs of one job have the same component name; this is allowed, but may be a mistake. */
static void warn_of_programs(const char *names, int size)
{
    for (int i = 1; i < size; i++) {
        int j = is_same_name(names, i - 1, i) ? i - 1 : first_rank_like(names, i);
        const char *a = names + (size_t)j * ENTRY, *b = names + (size_t)i * ENTRY;
        if (!memcmp(a + AT_PROGRAM, b + AT_PROGRAM, H3OU__PROGRAM))
            continue;
        h3ou__log(H3OU__LOG_WARNING, "warning",
                  "component %.*s: process %d of the job is the program %s, process %d is %s%s: both are one "
                  "component; if they should be two, give each its own name in h3ou_init",
                  H3OU__NAME, a, j, a + AT_PROGRAM, i, b + AT_PROGRAM,
                  strcmp(a + AT_PROGRAM, b + AT_PROGRAM) != 0 ? "" : ", another file of this name");
        return;
    }
}

/* Fails when the processes of one component do not agree on its members. */
static int check_counts(const char *names, int first, int i)
{
    const char *a = names + (size_t)first * ENTRY, *b = names + (size_t)i * ENTRY;
    int had = (int)h3ou__get32((const unsigned char *)a + AT_COUNTS);
    int has = (int)h3ou__get32((const unsigned char *)b + AT_COUNTS);
    if (!memcmp(a + AT_COUNTS, b + AT_COUNTS, 8))
        return H3OU__OK;
    return h3ou__fail(H3OU__EJOIN,
                      "component %.*s: process %d of the job has nensemble=%d, process %d has %d%s: give h3ou_init "
                      "the number of all members everywhere",
                      H3OU__NAME, a, first, had, i, has, had == has ? " and another H3OU_MEMBERS" : "");
}

/* Appends the record of the component of rank `first`, its lowest rank. */
static int describe_component(const char *names, int size, int job, int first, records *r)
{
    int nrun = 0;
    for (int i = first; i < size; i++)
        nrun += is_same_name(names, first, i) && (i == first || !is_same_name(names, first, i - 1));
    int err = append_bytes(r, names + (size_t)first * ENTRY, AT_PROGRAM);
    if (err || (err = append_number(r, job)) != H3OU__OK || (err = append_number(r, nrun)) != H3OU__OK)
        return err;
    for (int i = first; i < size && !err; i++) {
        int end = i;
        while (end < size && !err && is_same_name(names, first, end))
            err = check_counts(names, first, end++);
        if (end > i && !err && (err = append_number(r, i)) == H3OU__OK)
            err = append_number(r, end - i);
        i = end > i ? end - 1 : i;
    }
    return err;
}

static int describe_job(const h3ou__world *w, const char *names, records *r)
{
    int err = H3OU__OK;
    for (int i = 0; i < w->job_size && !err; i++) {
        bool known = false;
        /* A component has few runs of ranks, so the search backwards usually ends at once. */
        for (int j = i - 1; j >= 0 && !known; j--)
            known = is_same_name(names, i, j);
        if (!known)
            err = describe_component(names, w->job_size, w->job, i, r);
    }
    return err;
}

/* Sends records from King to King, before there are communicators: length, then bytes. */
static int king_send(const h3ou__world *w, int job, const records *r)
{
    unsigned char size[8];
    waitio_req_t req[2];
    h3ou__put64(size, r->size);
    int err = waitio_isend(w->group, w->first[job], (char *)size, 8, TAG, &req[0]);
    if (!err && (err = waitio_wait(&req[0])) == H3OU__OK &&
        (err = waitio_isend(w->group, w->first[job], (char *)r->data, r->size, TAG, &req[1])) == H3OU__OK)
        err = waitio_wait(&req[1]);
    return err;
}

static int king_recv(const h3ou__world *w, int job, records *r)
{
    unsigned char size[8];
    waitio_req_t req;
    int err = waitio_irecv(w->group, w->first[job], (char *)size, 8, TAG, &req);
    if (err || (err = waitio_wait(&req)) != H3OU__OK)
        return err;
    uint64_t bytes = h3ou__get64(size);
    if (bytes > MOST_BYTES)
        return h3ou__fail(H3OU__EPROTO, "the list of components of job %d has %llu bytes, more than is possible: do all jobs run the same "
                          "version of h3ou?",
                          job, (unsigned long long)bytes);
    if (!h3ou__resize(&r->data, 1, (int64_t)(r->size + bytes)))
        return h3ou__no_memory("the list of components");
    if ((err = waitio_irecv(w->group, w->first[job], (char *)r->data + r->size, bytes, TAG, &req)) == H3OU__OK)
        err = waitio_wait(&req);
    r->size += err ? 0 : bytes;
    return err;
}

static int exchange_among_kings(const h3ou__world *w, records *r)
{
    int err = H3OU__OK;
    if (w->job != 0) {
        if ((err = king_send(w, 0, r)) == H3OU__OK) {
            r->size = 0;
            err = king_recv(w, 0, r);
        }
        return err;
    }
    for (int job = 1; job < w->njob && !err; job++)
        err = king_recv(w, job, r);
    for (int job = 1; job < w->njob && !err; job++)
        err = king_send(w, job, r);
    return err;
}

static int broadcast_in_job(h3ou__world *w, records *r)
{
    h3ou__mpi_req req;
    int64_t size = (int64_t)r->size;
    int err = w->mpi->ibcast(w->job_comm, &size, 1, H3OU__INT64, 0, &req);
    if (err || (err = h3ou__wait_mpi(w, &req, "the list of components")) != H3OU__OK)
        return err;
    if (w->job_rank != 0) {
        r->size = (size_t)size;
        if (!(r->data = malloc(r->size + 1)))
            return h3ou__no_memory("the list of components");
    }
    err = w->mpi->ibcast(w->job_comm, r->data, size, H3OU__BYTE, 0, &req);
    return err ? err : h3ou__wait_mpi(w, &req, "the list of components");
}

static int add_component(h3ou__world *w, const unsigned char *head, const unsigned char *runs, int nrun)
{
    if (!h3ou__resize(&w->component, sizeof *w->component, w->ncomponent + 1))
        return h3ou__no_memory("the list of components");
    h3ou__component *c = &w->component[w->ncomponent++];
    memset(c, 0, sizeof *c);
    memcpy(c->base, head, H3OU__NAME);
    c->nmember = (int)h3ou__get32(head + H3OU__NAME);
    c->held = (int)h3ou__get32(head + H3OU__NAME + 4);
    c->job = (int)h3ou__get32(head + H3OU__NAME + 8);
    c->nrun = nrun;
    if (!(c->run = malloc(sizeof *c->run * (size_t)(2 * nrun + 1))))
        return h3ou__no_memory("the list of components");
    for (int i = 0; i < 2 * nrun; i++)
        c->run[i] = (int)h3ou__get32(runs + 4 * i);
    for (int i = 0; i < nrun; i++)
        c->size += c->run[2 * i + 1];
    return H3OU__OK;
}

static bool is_possible(const h3ou__world *w, const unsigned char *head, size_t after)
{
    uint32_t nmember = h3ou__get32(head + H3OU__NAME), held = h3ou__get32(head + H3OU__NAME + 4),
             job = h3ou__get32(head + H3OU__NAME + 8), nrun = h3ou__get32(head + H3OU__NAME + 12);
    return nmember >= 1 && nmember <= H3OU__MEMBERS_MOST && held <= nmember && job < (uint32_t)w->njob && nrun >= 1 &&
           nrun <= after / 8;
}

static int parse_records(h3ou__world *w, const records *r)
{
    size_t at = 0;
    while (at < r->size) {
        if (r->size - at < HEAD)
            return h3ou__fail(H3OU__EPROTO, "the list of components ends early: do all jobs run the same version of h3ou?");
        const unsigned char *head = r->data + at;
        at += HEAD;
        if (!is_possible(w, head, r->size - at))
            return h3ou__fail(H3OU__EPROTO, "the list of components has an entry that names no job or no process: do all jobs run the "
                                            "same version of h3ou?");
        uint32_t nrun = h3ou__get32(head + H3OU__NAME + 12);
        int err = add_component(w, head, r->data + at, (int)nrun);
        if (err)
            return err;
        at += 8 * (size_t)nrun;
    }
    return H3OU__OK;
}

/* Gives each job's name to WaitIO on the King, which uses it when it reports that a job has died. */
static int name_jobs(const h3ou__world *w)
{
    int err = H3OU__OK;
    for (int job = 0; job < w->njob && !err && w->job_rank == 0; job++) {
        char text[200] = "";
        size_t used = 0;
        for (int i = 0; i < w->ncomponent && used < sizeof text; i++)
            if (w->component[i].job == job)
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "component ",
                                         w->component[i].name);
        err = waitio__instance_name_job(job, text);
    }
    return err;
}

int h3ou__components_find(h3ou__world *w, const char *name, int nensemble)
{
    char mine[ENTRY] = "";
    records r = {0};
    h3ou__mpi_req req;
    int64_t held;
    int err = h3ou__env_int("H3OU_MEMBERS", 1, nensemble, 0, &held);
    if (err)
        return err;
    memcpy(mine, name, strnlen(name, H3OU__NAME));
    h3ou__put32((unsigned char *)mine + AT_COUNTS, (uint32_t)nensemble);
    h3ou__put32((unsigned char *)mine + AT_COUNTS + 4, (uint32_t)held);
    h3ou__program(mine + AT_PROGRAM);
    char *names = malloc((size_t)(w->job_rank == 0 ? w->job_size : 1) * ENTRY);
    err = names ? w->mpi->igather(w->job_comm, mine, ENTRY, names, H3OU__BYTE, 0, &req) : h3ou__no_memory("the list of components");
    if (!err)
        err = h3ou__wait_mpi(w, &req, "the names of this job's components");
    if (!err && w->job_rank == 0)
        warn_of_programs(names, w->job_size);
    if (!err && w->job_rank == 0 && (err = describe_job(w, names, &r)) == H3OU__OK && w->njob > 1)
        err = exchange_among_kings(w, &r);
    if (!err)
        err = broadcast_in_job(w, &r);
    if (!err)
        err = parse_records(w, &r);
    if (!err)
        err = h3ou__members_split(w);
    if (!err && w->group)
        err = name_jobs(w);
    free(names);
    free(r.data);
    return err;
}

void h3ou__components_free(h3ou__world *w)
{
    for (int i = 0; i < w->ncomponent; i++)
        free(w->component[i].run);
    free(w->component);
    w->component = NULL;
    w->ncomponent = 0;
}

int h3ou__component_job_rank(const h3ou__component *c, int rank)
{
    for (int i = 0; i < c->nrun; i++) {
        if (rank < c->run[2 * i + 1])
            return c->run[2 * i] + rank;
        rank -= c->run[2 * i + 1];
    }
    return -1;
}

int h3ou__component_rank(const h3ou__component *c, int job_rank)
{
    int before = 0;
    for (int i = 0; i < c->nrun; i++) {
        int place = job_rank - c->run[2 * i];
        if (place >= 0 && place < c->run[2 * i + 1])
            return before + place;
        before += c->run[2 * i + 1];
    }
    return -1;
}
