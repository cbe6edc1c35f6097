/* SPDX-License-Identifier: BSD-3-Clause */
#include "rogue.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <unistd.h>

#include "alone.h"
#include "must.h"
#include "os/os_clock.h"
#include "os/share.h"
#include "phrase.h"
#include "stranger.h"
#include "waitio/joining/king_link.h"
#include "waitio/message/call_lock.h"
#include "waitio/message/lane.h"
#include "waitio/progress/progress.h"
#include "waitio/progress/progress_thread.h"

enum { STREAMS = 3 };
static const double give_up_after = 1; /* s without a connection that was taken */
static const double reach_within = 10; /* s until there is the first */

rogue_order rogue_order_now;
static rogue_report *reports;

rogue_report *rogue_reports(void)
{
    if (!reports)
        reports = mmap(NULL, sizeof *reports, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    MUST(reports != MAP_FAILED);
    return reports;
}

/* Without the secret. */

/* What a process gives to who accepts at its name for shared memory, as large as that has to be. */
static size_t size_of_memory(void)
{
    waitio__conduit_settings set = {.instance = 0};
    waitio__address at = {.port = 1};
    waitio__link ear, link, other;
    size_t size = 0;
    off_t end;
    int fd;
    h3ou__address_resolve("127.0.0.9", 1 + (int)(getpid() % 60000), &at, 1, &fd);
    if (waitio__shm.listen(&set, &at, &ear, NULL))
        return 0;
    if (!waitio__shm.open(&set, &at, &link)) {
        if (!waitio__shm.opened(&link) && !waitio__shm.accept(&ear, &other)) {
            if (!h3ou__local_receive(other.fd, &fd) && fd >= 0) {
                end = lseek(fd, 0, SEEK_END);
                size = end > 0 ? (size_t)end : 0;
                close(fd);
            }
            waitio__shm.close(&other);
        }
        waitio__shm.close(&link);
    }
    waitio__shm.close(&ear);
    return size;
}

/* Memory of the right size with anything in it; memory that is too short, or may become so; what is no memory. */
static void give_memory(int to, size_t right)
{
    void *base = NULL;
    size_t n = dice(2) ? right : dice(2 * right);
    int fd = -1;
    switch (dice(4)) {
    case 0:
        fd = memfd_create("stranger", MFD_CLOEXEC | (dice(2) ? MFD_ALLOW_SEALING : 0));
        if (fd >= 0 && ftruncate(fd, (off_t)n))
            n = 0;
        break;
    case 1:
        fd = dup(0);
        break;
    default:
        if (!n || h3ou__share_new(n, &fd, &base))
            return;
        for (int i = 0; i < 64; i++)
            ((unsigned char *)base)[dice(dice(2) ? n : n < 512 ? n : 512)] = (unsigned char)dice(256);
        h3ou__share_unmap(base, n);
    }
    if (fd < 0)
        return;
    h3ou__local_give(to, fd);
    if (dice(2) && ftruncate(fd, 0))
        errno = 0; /* sealed */
    close(fd);
}

static int call_name(const struct sockaddr *name, socklen_t length)
{
    int fd = socket(name->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || !connect(fd, name, length) || errno == EINPROGRESS)
        return fd;
    close(fd);
    return -1;
}

/* Where the processes of a job meet before they have joined: names of this host with the master's port in them. */
static int call_meeting(void)
{
    struct sockaddr_un name[8];
    socklen_t length[8];
    char line[512], part[32], text[128];
    uint64_t n = 0;
    FILE *f = fopen("/proc/net/unix", "r");
    snprintf(part, sizeof part, "-%d-", rogue_order_now.port);
    while (f && n < 8 && fgets(line, sizeof line, f)) {
        if (!strstr(line, part) || sscanf(line, "%*s %*s %*s %*s %*s %*s %*s @%100s", text) != 1)
            continue;
        size_t used = strlen(text);
        name[n] = (struct sockaddr_un){.sun_family = AF_UNIX};
        memcpy(name[n].sun_path + 1, text, used);
        length[n++] = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + used);
    }
    if (f)
        fclose(f);
    uint64_t which = n ? dice(n) : 0;
    return n ? call_name((struct sockaddr *)&name[which], length[which]) : -1;
}

static int call_port(int port)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    return call_name((struct sockaddr *)&at, sizeof at);
}

static int call_door(void *owner)
{
    const size_t *memory = owner;
    const notice *n = &rogue_order_now.board->notice[dice(TALKERS)];
    int king_port = rogue_order_now.board->king_port[dice(3)];
    if (!n->ndoors && king_port && dice(2))
        return call_port(king_port);
    if (!n->ndoors && dice(8) == 0)
        return call_meeting();
    if (!n->ndoors || dice(4) == 0)
        return call_port(rogue_order_now.port);
    const door *d = &n->door[dice((uint64_t)n->ndoors)];
    int fd = call_name((const struct sockaddr *)&d->name, d->length);
    if (fd >= 0 && d->name.ss_family == AF_UNIX && *memory && dice(2))
        give_memory(fd, *memory);
    return fd;
}

/* What a listener on the wire would have heard when the processes connected. */
static void overhear(stranger *s, const notice *n)
{
    for (int purpose = WAITIO__FOR_JOIN; purpose <= WAITIO__FOR_LANE; purpose++)
        for (int source = 1; source < TALKERS; source++) {
            waitio__greet hello = {.purpose = purpose, .source = source};
            stranger_record(s, &hello, purpose == WAITIO__FOR_JOIN ? &n->join_key : &n->lane_key);
        }
}

int rogue_stranger(seat *me)
{
    stranger s;
    size_t memory = size_of_memory();
    bool has_heard = false;
    const notice *of_master = &rogue_order_now.board->notice[0];
    rogue_report *report = rogue_reports();
    dice_seed(rogue_order_now.seed);
    stranger_begin(&s, call_door, &memory);
    while (s.said < rogue_order_now.messages && !me->go) {
        uint64_t called = s.called, said = s.said;
        if (!has_heard && of_master->ndoors) {
            overhear(&s, of_master);
            has_heard = true;
        }
        for (int i = 0; i < 16; i++)
            stranger_step(&s);
        if (s.called == called && s.said == said)
            h3ou__sleep(0.001);
    }
    stranger_end(&s);
    report->said += s.said;
    report->stood += s.heard;
    return 0;
}

/* With it. */

typedef struct mad {
    waitio__instance *in; /* NULL: has not joined */
    company all;
    speaker *speaker[TALKERS * STREAMS];
    int n;
    waitio__address gate;
} mad;

static bool reach(mad *m, const speaker *s, waitio__link *link)
{
    waitio__address to = m->gate;
    if (s->is_control)
        return !waitio__tcp.open(&m->all.set, &to, link);
    const waitio__conduit *const *routes = m->in->set.route;
    int n = 0;
    while (routes[n])
        n++;
    waitio__endpoints_address(&m->in->table, s->hello.target, &to);
    return !routes[dice((uint64_t)n)]->open(&m->in->set.conduit, &to, link);
}

static void add(mad *m, int purpose, int source, int target, int lane)
{
    waitio__greet hello = {.purpose = purpose, .source = source, .target = target, .lane = lane};
    m->speaker[m->n++] = speaker_new(&m->all, &hello);
}

/* A frame on the link by which it joined, if it is a King. */
static void say_on_own_link(mad *m)
{
    waitio__king_link *k = m->in->listening.king_links;
    static const unsigned char payload[4000];
    waitio__frame f;
    speaker any = {.is_control = true, .all = &m->all};
    if (!k || k->is_dead || !k->channel.has_link)
        return;
    phrase_next(&any, &f);
    if (waitio__frame_payload(&f) <= sizeof payload && !waitio__channel_send(&k->channel, &f, payload))
        m->all.said++;
}

static void step(mad *m)
{
    waitio__link link;
    speaker *s = m->speaker[dice((uint64_t)m->n)];
    if (m->in)
        waitio__call_lock_take(m->in); /* its thread may have been called by others */
    if (m->in && dice(200) == 0)
        say_on_own_link(m);
    if (s->talks && dice(200) == 0)
        speaker_hang_up(s);
    else if (s->talks)
        for (uint64_t n = 1 + dice(4); n && s->talks; n--)
            speaker_say(s);
    else if (!s->greeting && (!s->was_refused || dice(20) == 0) && reach(m, s, &link))
        speaker_call(s, &link);
    if (m->in)
        waitio__progress(m->in, 0);
    company_turn(&m->all);
    if (m->in)
        waitio__call_lock_give(m->in);
}

static bool talks(const mad *m)
{
    for (int i = 0; i < m->n; i++)
        if (m->speaker[i]->talks)
            return true;
    return false;
}

/* Until all is said, or nobody has listened for a while. */
static void rave(mad *m, const seat *me)
{
    double begin = h3ou__now(), last = begin;
    rogue_report *report = rogue_reports();
    while (m->all.said < rogue_order_now.messages && !me->go && h3ou__now() - last < give_up_after) {
        uint64_t said = m->all.said;
        for (int i = 0; i < 4; i++)
            step(m);
        if (talks(m) || (!m->all.stood && h3ou__now() - begin < reach_within))
            last = h3ou__now();
        if (m->all.said == said)
            h3ou__sleep(0.0005);
    }
    report->said += m->all.said;
    report->stood += m->all.stood;
    company_close(&m->all);
}

int rogue_rank(seat *me)
{
    mad m = {.n = 0};
    int number, code = talker_join(me, &number);
    if (code)
        return code;
    dice_seed(rogue_order_now.seed + (uint64_t)number);
    m.in = waitio__instance_current();
    company_open(&m.all, &m.in->self.lane_key, &m.in->self.join_key);
    m.all.honest = rogue_order_now.board->honest;
    m.all.encrypts = m.in->set.encrypts;
    m.all.npb = m.in->set.npb;
    m.all.bends_one_in = dice(2) ? 12 : 100;
    m.all.bends_greetings = dice(2);
    m.gate = m.in->set.master[0];
    waitio__call_lock_take(m.in);
    for (int i = 0; i < WAITIO__ROUTES; i++) {
        m.in->listening.messages[i].arrived = company_hear;
        m.in->listening.messages[i].owner = &m.all;
    }
    waitio__call_lock_give(m.in);
    for (int i = 0; i < m.all.honest; i++) {
        add(&m, WAITIO__FOR_LANE, number, i, 0);
        add(&m, WAITIO__FOR_LANE, number, i, 1 + (int)dice(2));
    }
    if (!m.in->self.rank)
        add(&m, dice(2) ? WAITIO__FOR_REJOIN : WAITIO__FOR_JOIN, dice(4) ? m.in->set.pbid : (int)dice(9), 0, 0);
    rave(&m, me);
    return 0;
}

int rogue_idler(seat *me)
{
    int number, code = talker_join(me, &number);
    if (!code)
        code = seat_turn(me, 1);
    if (!code)
        code = waitio_finalize();
    return seat_keep(me, code);
}

int rogue_joiner(seat *me)
{
    mad m = {.n = 0};
    waitio__key secret, join;
    int n;
    dice_seed(rogue_order_now.seed);
    if (waitio__secret_read(&secret) || h3ou__address_resolve("127.0.0.1", rogue_order_now.port, &m.gate, 1, &n))
        return seat_keep(me, TALKER_WRONG);
    waitio__key_derive(&secret, "join", 0, &join);
    company_open(&m.all, &join, &join);
    m.all.bends_greetings = dice(2);
    m.all.npb = 3;
    for (int i = 0; i < TALKERS; i++)
        add(&m, WAITIO__FOR_JOIN, dice(2) ? 2 : (int)dice(4), 0, 0);
    rave(&m, me);
    return 0;
}
