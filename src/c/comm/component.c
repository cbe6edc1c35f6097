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
#include "comm/announced.h"
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

/* What the processes of a job sent to their King: `most` entries of each, of which those with an empty name count for nothing. */
typedef struct entries {
    int n, most;
    const char *data;
} entries;

static const char *entry_of(const entries *e, int i)
{
    return e->data + (size_t)i * ENTRY;
}

static int process_of(const entries *e, int i)
{
    return i / e->most;
}

static bool is_same_name(const entries *e, int i, int j)
{
    return !memcmp(entry_of(e, i), entry_of(e, j), H3OU__NAME);
}

/* Returns the first entry that has the name of entry i. */
static int first_like(const entries *e, int i)
{
    int j = 0;
    while (!is_same_name(e, j, i))
        j++;
    return j;
}

/* Warns when different programs of one job have the same component name; this is allowed, but may be a mistake. */
static void warn_of_programs(const entries *e)
{
    for (int i = 1; i < e->n; i++) {
        int j = is_same_name(e, i - 1, i) ? i - 1 : first_like(e, i);
        const char *a = entry_of(e, j), *b = entry_of(e, i);
        if (!*b || !memcmp(a + AT_PROGRAM, b + AT_PROGRAM, H3OU__PROGRAM))
            continue;
        h3ou__log(H3OU__LOG_WARNING, "warning",
                  "component %.*s: process %d of the job is the program %s, process %d is %s%s: both are one "
                  "component; if they should be two, give each its own name in h3ou_init",
                  H3OU__NAME, a, process_of(e, j), a + AT_PROGRAM, process_of(e, i), b + AT_PROGRAM,
                  strcmp(a + AT_PROGRAM, b + AT_PROGRAM) != 0 ? "" : ", another file of this name");
        return;
    }
}

/* Fails when the processes of one component do not agree on its members. */
static int check_counts(const entries *e, int first, int i)
{
    const char *a = entry_of(e, first), *b = entry_of(e, i);
    int had = (int)h3ou__get32((const unsigned char *)a + AT_COUNTS);
    int has = (int)h3ou__get32((const unsigned char *)b + AT_COUNTS);
    if (!memcmp(a + AT_COUNTS, b + AT_COUNTS, 8))
        return H3OU__OK;
    return h3ou__fail(H3OU__EJOIN,
                      "component %.*s: process %d of the job has nensemble=%d, process %d has %d%s: give h3ou_init "
                      "the number of all members everywhere",
                      H3OU__NAME, a, process_of(e, first), had, process_of(e, i), has,
                      had == has ? " and another H3OU_MEMBERS" : "");
}

/* Appends the record of the component of entry `first`, its first one. */
static int describe_component(const entries *e, int job, int first, records *r)
{
    int begin = process_of(e, first), end = begin, nrun = 0;
    int err = append_bytes(r, entry_of(e, first), AT_PROGRAM);
    if (!err)
        err = append_number(r, job);
    size_t count = r->size;
    if (!err)
        err = append_number(r, 0);
    for (int i = first; i <= e->n && !err; i++) {
        if (i < e->n && !is_same_name(e, first, i))
            continue;
        int process = process_of(e, i);
        bool is_run_over = i == e->n || process > end;
        if (is_run_over && (err = append_number(r, begin)) == H3OU__OK && (err = append_number(r, end - begin)) == H3OU__OK)
            nrun++;
        if (is_run_over)
            begin = process;
        end = process + 1;
        if (!err && i < e->n)
            err = check_counts(e, first, i);
    }
    if (!err)
        h3ou__put32(r->data + count, (uint32_t)nrun);
    return err;
}

static int describe_job(const h3ou__world *w, const entries *e, records *r)
{
    int err = H3OU__OK;
    for (int i = 0; i < e->n && !err; i++) {
        bool known = !*entry_of(e, i);
        /* A component has few runs of ranks, so the search backwards usually ends at once. */
        for (int j = i - 1; j >= 0 && !known; j--)
            known = is_same_name(e, i, j);
        if (!known)
            err = describe_component(e, w->job, i, r);
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

/* Writes the entry of a component of this process. */
static void write_entry(const char *name, int nensemble, int64_t held, char *entry)
{
    memcpy(entry, name, strnlen(name, H3OU__NAME));
    h3ou__put32((unsigned char *)entry + AT_COUNTS, (uint32_t)nensemble);
    h3ou__put32((unsigned char *)entry + AT_COUNTS + 4, (uint32_t)held);
    h3ou__program(entry + AT_PROGRAM);
}

/* Gathers the entries of all processes of the job on its King, which frees out->data. */
static int gather_entries(h3ou__world *w, const char *mine, int n, entries *out)
{
    h3ou__mpi_req req;
    int64_t count = n, most = 0;
    int err = w->mpi->iallreduce(w->job_comm, &count, &most, 1, H3OU__INT64, H3OU__MAX, &req);
    if (err || (err = h3ou__wait_mpi(w, &req, "the number of this process's components")) != H3OU__OK)
        return err;
    char *all = calloc((size_t)(w->job_rank == 0 ? w->job_size : 1) * (size_t)most, ENTRY);
    *out = (entries){.n = w->job_size * (int)most, .most = (int)most, .data = all};
    err = all ? w->mpi->igather(w->job_comm, mine, most * ENTRY, all, H3OU__BYTE, 0, &req) : h3ou__no_memory("the list of components");
    return err ? err : h3ou__wait_mpi(w, &req, "the names of this job's components");
}

static bool has_common_process(const h3ou__component *a, const h3ou__component *b)
{
    for (int i = 0; i < a->nrun && a->job == b->job; i++)
        for (int j = 0; j < b->nrun; j++)
            if (a->run[2 * i] < b->run[2 * j] + b->run[2 * j + 1] && b->run[2 * j] < a->run[2 * i] + a->run[2 * i + 1])
                return true;
    return false;
}

/* Gives components that have a process in common different colors. */
static int color_components(h3ou__world *w)
{
    for (int i = 0; i < w->ncomponent; i++) {
        unsigned taken = 0;
        for (int j = 0; j < i; j++)
            if (has_common_process(&w->component[i], &w->component[j]))
                taken |= 1U << w->component[j].color;
        int color = 0;
        while (taken >> color & 1U)
            color++;
        if (color >= H3OU__OWN_MOST)
            return h3ou__fail(H3OU__EJOIN, "component '%s' has processes in common with %d others: there may be %d",
                              w->component[i].name, color, H3OU__OWN_MOST - 1);
        w->component[i].color = color;
    }
    return H3OU__OK;
}

/* Finds out whether processes open several components: then the components of a job have more processes than it. */
static int find_shared(h3ou__world *w)
{
    int64_t all = 0;
    for (int i = 0; i < w->ncomponent; i++)
        all += w->component[i].size;
    w->is_shared = all > w->first[w->njob];
    if (w->is_shared && w->is_ensemble)
        return h3ou__fail(H3OU__EUNSUPPORTED, "a process opens several components, and a component has several members: both in one "
                                              "run are not part of this version");
    return w->is_shared ? color_components(w) : H3OU__OK;
}

int h3ou__components_find(h3ou__world *w, const char *name, int nensemble)
{
    char mine[H3OU__OWN_MOST * ENTRY] = "";
    entries all = {0};
    records r = {0};
    int64_t held;
    int n = h3ou__announced(), err = h3ou__env_int("H3OU_MEMBERS", 1, nensemble, 0, &held);
    if (err)
        return err;
    for (int i = 0; i < n; i++)
        write_entry(h3ou__announced_name(i), nensemble, held, mine + i * ENTRY);
    if (n == 0)
        write_entry(name, nensemble, held, mine);
    err = gather_entries(w, mine, n > 0 ? n : 1, &all);
    if (!err && w->job_rank == 0)
        warn_of_programs(&all);
    if (!err && w->job_rank == 0 && (err = describe_job(w, &all, &r)) == H3OU__OK && w->njob > 1)
        err = exchange_among_kings(w, &r);
    if (!err)
        err = broadcast_in_job(w, &r);
    if (!err)
        err = parse_records(w, &r);
    if (!err)
        err = h3ou__members_split(w);
    if (!err)
        err = find_shared(w);
    if (!err && w->group)
        err = name_jobs(w);
    free((char *)(uintptr_t)all.data);
    free(r.data);
    return err;
}

/* Fills in the components of a run that is known by its names. */
static int add_known(h3ou__world *w, int n, const h3ou__known_component known[])
{
    if (!(w->component = calloc((size_t)n, sizeof *w->component)))
        return h3ou__no_memory("the list of components");
    for (w->ncomponent = 0; w->ncomponent < n; w->ncomponent++) {
        const h3ou__known_component *k = &known[w->ncomponent];
        h3ou__component *c = &w->component[w->ncomponent];
        memcpy(c->name, k->name, sizeof c->name);
        memcpy(c->base, k->base, sizeof c->base);
        c->member = k->member;
        c->nmember = k->members;
        w->is_ensemble |= k->members > 1;
    }
    return H3OU__OK;
}

/* Gives a known component the processes that run it here. */
static int take_processes(h3ou__world *w, h3ou__component *found)
{
    for (int i = 0; i < w->ncomponent; i++) {
        h3ou__component *c = &w->component[i];
        if (strcmp(c->name, found->base) != 0)
            continue;
        c->run = found->run;
        c->nrun = found->nrun;
        c->size = found->size;
        found->run = NULL;
        return H3OU__OK;
    }
    return h3ou__fail(H3OU__ENAME, "h3ou_init: the recorded run had no component '%s'", found->base);
}

/* Sets *found to a world that has nothing but the components that the processes of the job open, which the caller frees. */
static int find_here(h3ou__world *w, const char *name, h3ou__world *found)
{
    char mine[H3OU__OWN_MOST * ENTRY] = "";
    entries all = {0};
    records r = {0};
    int n = h3ou__announced();
    for (int i = 0; i < n; i++)
        write_entry(h3ou__announced_name(i), 1, 0, mine + i * ENTRY);
    if (n == 0)
        write_entry(name, 1, 0, mine);
    *found = (h3ou__world){.njob = w->njob};
    int err = gather_entries(w, mine, n > 0 ? n : 1, &all);
    if (!err && w->job_rank == 0)
        err = describe_job(w, &all, &r);
    if (!err)
        err = broadcast_in_job(w, &r);
    if (!err)
        err = parse_records(found, &r);
    free((char *)(uintptr_t)all.data);
    free(r.data);
    return err;
}

int h3ou__components_know(h3ou__world *w, int n, const h3ou__known_component known[], int me)
{
    h3ou__world found = {0};
    int err = add_known(w, n, known);
    if (!err)
        err = find_here(w, known[me].name, &found);
    for (int i = 0; i < found.ncomponent && !err; i++)
        err = take_processes(w, &found.component[i]);
    h3ou__components_free(&found);
    return err ? err : find_shared(w);
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
