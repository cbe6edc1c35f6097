/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/joining/meeting.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/env.h"
#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/identity/encrypted_link.h"

/* PLACES: names on this host that are tried, since another user may hold some of them. */
enum { PLACES = 16, NAME = 64, NAME_BYTES = 16 };
static const double answer_within = 5, first_pauses = 0.02, later_pauses = 0.2, turn = 0.05; /* s */

static int fail_later(waitio__meeting *m, int code)
{
    if (!m->failed) {
        m->failed = code;
        snprintf(m->why, sizeof m->why, "%s", h3ou__fail_text());
    }
    return code;
}

/* The key by which only processes of this job are known: of the secret, the master's address and the job's number. */
static int make_key(waitio__meeting *m)
{
    const char *host = getenv("WAITIO_MASTER_HOST"), *port = getenv("WAITIO_MASTER_PORT"), *id = getenv("WAITIO_PBID");
    int64_t pbid = 0;
    waitio__key secret, of_job;
    int code = id && *id ? h3ou__env_int("WAITIO_PBID", 0, INT32_MAX, 0, &pbid) : H3OU__OK;
    if (!code)
        code = waitio__secret_read(&secret);
    if (code)
        return code;
    host = host ? host : "";
    port = port ? port : "";
    waitio__key_derive(&secret, "king", (uint64_t)pbid, &of_job);
    waitio__key_mac(&of_job, host, strlen(host) + 1, port, strlen(port) + 1, NULL, 0, m->key.byte);
    sodium_memzero(&secret, sizeof secret);
    sodium_memzero(&of_job, sizeof of_job);
    return H3OU__OK;
}

/* Finds the address at which the King listens, if its host and port are given. */
static int find_place(waitio__meeting *m)
{
    int64_t port;
    m->host = getenv("WAITIO_KING_HOST");
    if (!m->host || !*m->host)
        return H3OU__OK;
    int code = h3ou__env_int("WAITIO_KING_PORT", 1, 65535, 0, &port);
    if (!code && !port)
        code = h3ou__fail(H3OU__EENV, "WAITIO_KING_HOST is set, but not WAITIO_KING_PORT: a free port of that host");
    if (code)
        return code;
    m->port = (int)port;
    m->at = calloc(WAITIO__MASTERS, sizeof *m->at);
    if (!m->at)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the addresses of WAITIO_KING_HOST");
    code = h3ou__address_resolve(m->host, m->port, m->at, WAITIO__MASTERS, &m->nat);
    return code ? h3ou__fail_in(code, "WAITIO_KING_HOST") : code;
}

/* Makes a name that cannot be guessed without the secret. */
static void make_name(const waitio__meeting *m, int place, char name[NAME])
{
    unsigned char mac[WAITIO__KEY], digit = (unsigned char)place;
    char digits[2 * NAME_BYTES + 1];
    waitio__key_mac(&m->key, "place", 6, &digit, 1, NULL, 0, mac);
    sodium_bin2hex(digits, sizeof digits, mac, NAME_BYTES);
    snprintf(name, NAME, "waitio-king-%s", digits);
}

/* Over a network, encrypts the link with the keys of the greeting. */
static int link_encrypt(waitio__meeting *m, const waitio__greeting *g, waitio__link *link)
{
    waitio__key key[2];
    if (!link->conduit->may_encrypt)
        return H3OU__OK;
    waitio__greeting_keys(g, key);
    return waitio__encrypted_link_wrap(link, WAITIO__ENCRYPTED_LONG, &key[!g->is_mine], &key[g->is_mine], &m->memory);
}

/* The King's side of the meeting; that of the others stands below. */

static const waitio__key *king_key(void *owner, const waitio__greet *hello)
{
    waitio__meeting *m = owner;
    if (hello->purpose == WAITIO__FOR_KING)
        return &m->key;
    h3ou__fail(H3OU__EPROTO, "a connection that is not meant for rank 0 of a job without MPI");
    return NULL;
}

/* True if the process of that rank has not come yet. A wrong rank or size is an error of the job, since the process has
 * proven that it belongs to it. */
static bool is_awaited(waitio__meeting *m, int rank, int64_t size)
{
    if (size != m->size)
        fail_later(m, h3ou__fail(H3OU__EJOIN,
                                 "rank %d of this job says that it has %lld processes, rank 0 says %d: check the "
                                 "launcher, or WAITIO_SIZE",
                                 rank, (long long)size, m->size));
    else if (rank < 1 || rank >= m->size || m->link[rank].conduit)
        fail_later(m, h3ou__fail(H3OU__EJOIN,
                                 "two processes of this job say that they are rank %d of %d: check the launcher, or "
                                 "WAITIO_RANK",
                                 rank, m->size));
    else
        return true;
    return false;
}

static void king_judge(void *owner, const waitio__greet *proof, waitio__greet *verdict)
{
    verdict->verdict = is_awaited(owner, proof->source, proof->epoch) ? WAITIO__TAKEN : WAITIO__UNFIT;
}

static void king_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    waitio__meeting *m = owner;
    int rank = other->source;
    if (g->mine.verdict != WAITIO__TAKEN)
        return;
    int code = is_awaited(m, rank, other->epoch) ? link_encrypt(m, g, link) : m->failed;
    if (code) {
        fail_later(m, code);
        link->conduit->close(link);
        return;
    }
    m->link[rank] = *link;
    m->here++;
}

static void king_failed(void *owner, waitio__greeting *g, int code)
{
    (void)owner;
    (void)g;
    (void)code;
}

static void king_arrived(void *owner, waitio__link *link)
{
    static const waitio__greeting_ops ops = {
        .key = king_key, .judge = king_judge, .greeted = king_greeted, .failed = king_failed};
    waitio__meeting *m = owner;
    if (link->conduit == &waitio__unix && h3ou__local_is_foreign(link->fd)) {
        h3ou__log(H3OU__LOG_LOUD, "stranger_refused", "reason=\"a process of another user\"");
        link->conduit->close(link);
        return;
    }
    waitio__greeting_accept(&m->greetings, link, &ops, m);
}

/* Listens at the first of the names that no other user holds. */
static int listen_at_name(const waitio__meeting *m, int *fd)
{
    int failed = EADDRINUSE;
    for (int place = 0; place < PLACES && failed == EADDRINUSE; place++) {
        char name[NAME];
        int there;
        make_name(m, place, name);
        failed = h3ou__local_listen(name, fd);
        if (failed != EADDRINUSE || h3ou__local_connect(name, &there))
            continue;
        bool is_twin = !h3ou__local_is_foreign(there);
        close(there);
        if (is_twin)
            return h3ou__fail(H3OU__EJOIN,
                              "another job on this host has the same WAITIO_PBID (%s) and master: give each job its "
                              "own WAITIO_PBID",
                              getenv("WAITIO_PBID") ? getenv("WAITIO_PBID") : "not set");
    }
    return failed ? h3ou__fail(H3OU__EOS, "the place where the processes of this job meet: %s", strerror(failed))
                  : H3OU__OK;
}

static int listen_here(waitio__meeting *m)
{
    waitio__link link = {.conduit = &waitio__unix, .fd = -1};
    int code = listen_at_name(m, &link.fd);
    if (!code)
        waitio__listener_adopt(&m->door[0], &link);
    return code;
}

static int listen_across(waitio__meeting *m)
{
    int code = waitio__listeners_open(m->door, &waitio__tcp, NULL, m->at, m->nat);
    if (code == H3OU__EHOST)
        return h3ou__fail(code,
                          "WAITIO_KING_HOST=%s is not this machine, where rank 0 of this job runs: name this host, or "
                          "start that process there",
                          m->host);
    if (code == H3OU__EREFUSED)
        return h3ou__fail(H3OU__EJOIN,
                          "WAITIO_KING_PORT=%d on %s is in use: choose a free port of that host, another one for each "
                          "job",
                          m->port, m->host);
    if (!code && h3ou__host_is_hidden(m->host, &m->at[0]))
        h3ou__log(H3OU__LOG_WHISPER, "only_this_host",
                  "king=%s:%d reason=\"WAITIO_KING_HOST leads to a loopback address here\"", m->host, m->port);
    return code;
}

/* As hint_of_master (bootstrap.c) for the host of the King. */
static const char *hint_of_king(const waitio__meeting *m)
{
    return m->at && h3ou__host_is_hidden(m->host, &m->at[0])
               ? "; WAITIO_KING_HOST leads to a loopback address, where only processes on this host can come"
               : "";
}

static int king_meet(waitio__meeting *m)
{
    double end = h3ou__now() + m->timeout;
    int code = m->at ? listen_across(m) : listen_here(m);
    for (int i = 0; i < WAITIO__MASTERS && !code; i++)
        if (m->door[i].is_open)
            code = waitio__listener_watch(&m->door[i], &m->hub, king_arrived, m);
    while (!code && !m->failed && m->here < m->size) {
        double now = h3ou__now();
        if (now >= end)
            return h3ou__fail(H3OU__ETIMEOUT,
                              "waited %g s: %d of the %d processes of this job (without MPI) did not come%s",
                              m->timeout, m->size - m->here, m->size, hint_of_king(m));
        waitio__hub_turn(&m->hub, end - now < turn ? end - now : turn);
        waitio__greetings_tick(&m->greetings, now);
        waitio__greetings_free_dead(&m->greetings);
        for (int i = 0; i < WAITIO__MASTERS; i++)
            waitio__listener_retry(&m->door[i]);
    }
    return code;
}

/* At the other processes: */

static void other_speaks(void *owner, waitio__greet *proof)
{
    (void)owner;
    (void)proof;
}

static void meeting_schedule_attempt(waitio__meeting *m)
{
    m->next_attempt = h3ou__now() + (m->attempt < 100 ? first_pauses : later_pauses);
}

static void other_greeted(void *owner, waitio__greeting *g, const waitio__greet *king, waitio__link *link)
{
    waitio__meeting *m = owner;
    m->greeting = NULL;
    if (king->verdict != WAITIO__TAKEN) {
        fail_later(m, h3ou__fail(H3OU__EJOIN,
                                 "rank 0 of this job (without MPI) does not expect a rank %d of %d, or another process "
                                 "is that rank: check the launcher, or WAITIO_RANK and WAITIO_SIZE",
                                 m->rank, m->size));
        return;
    }
    int code = link_encrypt(m, g, link);
    if (code) {
        fail_later(m, code);
        link->conduit->close(link);
        return;
    }
    m->link[0] = *link;
}

static void other_failed(void *owner, waitio__greeting *g, int code)
{
    waitio__meeting *m = owner;
    m->greeting = NULL;
    if (g->has_other_secret)
        snprintf(m->cause, sizeof m->cause,
                 "what answers in its place is of another job, or does not know the secret of this one");
    else if (code == H3OU__EPROTO)
        snprintf(m->cause, sizeof m->cause, "what answers in its place is no process of WaitIO");
    else if (!m->has_answer)
        snprintf(m->cause, sizeof m->cause, "%.250s", h3ou__fail_text());
    /* A wrong reply tells more than that nothing replies any more. */
    m->has_answer = m->has_answer || code == H3OU__EPROTO;
    meeting_schedule_attempt(m);
}

/* Connects to the next of the names at which a process of this user listens; each attempt begins with another name. */
static bool reach_here(waitio__meeting *m, waitio__link *link)
{
    for (int i = 0; i < PLACES; i++) {
        char name[NAME];
        make_name(m, (m->attempt + i) % PLACES, name);
        *link = (waitio__link){.conduit = &waitio__unix, .fd = -1};
        if (h3ou__local_connect(name, &link->fd))
            continue;
        if (!h3ou__local_is_foreign(link->fd))
            return true;
        snprintf(m->cause, sizeof m->cause, "a process of another user waits in its place");
        link->conduit->close(link);
    }
    return false;
}

static bool reach_across(waitio__meeting *m, waitio__link *link)
{
    if (!waitio__tcp.open(NULL, &m->at[m->attempt % m->nat], link))
        return true;
    snprintf(m->cause, sizeof m->cause, "%.250s", h3ou__fail_text());
    return false;
}

static void meeting_attempt(waitio__meeting *m)
{
    static const waitio__greeting_ops ops = {.speak = other_speaks, .greeted = other_greeted, .failed = other_failed};
    waitio__greet hello = {.purpose = WAITIO__FOR_KING, .source = m->rank, .epoch = (uint32_t)m->size};
    waitio__link link;
    m->since = h3ou__now();
    if (m->at ? reach_across(m, &link) : reach_here(m, &link))
        m->greeting = waitio__greeting_open(&m->greetings, &link, &hello, &m->key, &ops, m);
    m->attempt++;
    if (!m->greeting)
        meeting_schedule_attempt(m);
}

static int meet_as_other(waitio__meeting *m)
{
    double end = h3ou__now() + m->timeout;
    while (!m->link[0].conduit && !m->failed) {
        double now = h3ou__now();
        if (now > end)
            return h3ou__fail(H3OU__ETIMEOUT, "waited %g s: rank 0 of this job (without MPI) did not come: %s",
                              m->timeout, *m->cause ? m->cause : "no process with the same secret waits in its place");
        if (m->greeting && now - m->since > answer_within) {
            waitio__greeting_drop(m->greeting);
            m->greeting = NULL;
            snprintf(m->cause, sizeof m->cause, "what accepts connections in its place does not answer");
        }
        if (!m->greeting && now >= m->next_attempt)
            meeting_attempt(m);
        waitio__hub_turn(&m->hub, m->greeting ? turn : first_pauses);
        waitio__greetings_free_dead(&m->greetings);
    }
    return H3OU__OK;
}

int waitio__meeting_hold(waitio__meeting *m)
{
    m->here = 1;
    int code = make_key(m);
    if (!code)
        code = find_place(m);
    if (!code)
        code = waitio__hub_open(&m->hub, &m->memory);
    if (code)
        return code;
    waitio__greetings_open(&m->greetings, &m->hub);
    code = m->rank ? meet_as_other(m) : king_meet(m);
    if (!code && m->failed)
        code = h3ou__fail(m->failed, "%s", m->why);
    /* All processes are here: one that comes now belongs to a later run. */
    for (int i = 0; i < WAITIO__MASTERS; i++)
        waitio__listener_close(&m->door[i]);
    waitio__greetings_free(&m->greetings);
    waitio__hub_close(&m->hub);
    return code;
}

void waitio__meeting_close(waitio__meeting *m)
{
    for (int i = 0; m->link && i < (m->rank ? 1 : m->size); i++)
        if (m->link[i].conduit)
            m->link[i].conduit->close(&m->link[i]);
    free(m->at);
    m->at = NULL;
    sodium_memzero(&m->key, sizeof m->key);
    waitio__memory_free(&m->memory);
}
