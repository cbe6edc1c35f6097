/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/progress/progress.h"

#include <sched.h>

#include "os/os_clock.h"
#include "os/pause.h"
#include "waitio/message/call_lock.h"
#include "waitio/message/job_loss.h"
#include "waitio/message/lane_rest.h"
#include "waitio/message/peer.h"
#include "waitio/progress/departure.h"

/* s: how often timeouts are checked, and the longest sleep: after something has happened, and in a process to which
 * nothing happens. Ten thousand of these may wait on one machine while one process has work. */
static const double tick = 0.1, calm_tick = 1.6, least_sleep = 1e-3;
static const double spin =
    50e-6; /* s: to be woken takes about 20 us, so a process spins for this long before it blocks */
static const double longest_copy = 500e-6; /* s: for how much longer it spins while its peer copies */
static const double most_given = 1e-3; /* s in which others have the core while a wait yields, and that do not count as spinning */
static const double moment = 10e-3; /* s: the longest time for which only one peer is polled */
/* LOOKS: polls of one peer between two full turns. HOT: polls without a pause. PASSES: waits that poll one peer only,
 * before the clock is read. ASIDE: waits that block in reading from one link, before the poller stops watching it. */
enum { LOOKS = 16, HOT = 64, PASSES = 16, ASIDE = 64 };

/* True if what waits here has to be looked at after a tenth of a second, although nothing arrives. */
static bool has_near_timeout(const waitio__instance *in)
{
    if (in->listening.king_links || in->hub.is_behind || in->has_loss_news || in->nlanes > in->set.connections_most)
        return true;
    for (int i = 0; i < WAITIO__ROUTES; i++)
        if (in->listening.messages[i].is_open && !in->listening.messages[i].is_watched)
            return true;
    for (const waitio__peer *p = in->peers.first; p; p = p->next)
        if (waitio__peer_has_near_timeout(p))
            return true;
    return false;
}

/* Something has happened, or the program has called: its consequences are looked at soon. */
static void schedule_tick(waitio__instance *in, double now)
{
    in->tick = tick;
    if (in->next_tick > now + tick)
        in->next_tick = now + tick;
}

static void tick_all(waitio__instance *in)
{
    waitio__peers_tick(in, in->now);
    if (in->listening.king_ops)
        in->listening.king_ops->tick(in, in->now);
    waitio__job_loss_tick(in, in->now);
    waitio__greetings_tick(&in->greetings, in->now);
    waitio__lanes_rest_excess(in);
    if (in->hub.is_behind)
        waitio__departure_review(in);
    for (int i = 0; i < WAITIO__ROUTES; i++)
        waitio__listener_retry(&in->listening.messages[i]);
    double longer = 2 * in->tick < calm_tick ? 2 * in->tick : calm_tick;
    in->tick = has_near_timeout(in) ? tick : longer;
    in->next_tick = in->now + in->tick;
}

/* Returns for how long (s) a turn may sleep that was to sleep for `seconds`: not beyond the next tick. */
static double sleep_most(const waitio__instance *in, double seconds)
{
    if (seconds <= 0)
        return 0;
    double until_tick = in->next_tick - h3ou__now();
    until_tick = until_tick > least_sleep ? until_tick : least_sleep;
    return seconds < until_tick ? seconds : until_tick;
}

int waitio__progress(waitio__instance *in, double seconds)
{
    in->turn++;
    in->quiet = 0;
    in->passes = 0;
    if (in->waiting.dirty)
        waitio__lanes_flush(in);
    if (seconds > 0 && in->waiting.owing) {
        waitio__lanes_acknowledge_owed(in);
        waitio__lanes_flush(in);
    }
    int n = waitio__hub_turn(&in->hub, sleep_most(in, seconds));
    in->now = h3ou__now();
    if (n)
        schedule_tick(in, in->now);
    if (!n && in->waiting.owing)
        waitio__lanes_acknowledge_owed(in);
    if (in->now >= in->next_tick)
        tick_all(in);
    if (in->waiting.dirty)
        waitio__lanes_flush(in);
    if (in->greetings.dead)
        waitio__greetings_free_dead(&in->greetings);
    return n;
}

/* Polls only the peer that is waited for, and the links with `ready`: no system call, or one. */
static int poll_focus(waitio__instance *in, waitio__peer *focus)
{
    waitio__lane *l = focus ? focus->lane[0] : NULL;
    int n = in->hub.nasked ? waitio__hub_ask_ready(&in->hub) : 0;
    if (l && l->channel.has_link && !l->channel.link.conduit->ready)
        n += waitio__channel_poll(&l->channel);
    if (in->waiting.dirty)
        waitio__lanes_flush(in);
    return n;
}

static enum waitio__wait_mode choose_mode(waitio__instance *in)
{
    if (in->set.waiting == WAITIO__SPIN)
        return WAITIO__SPIN_YIELDING;
    return in->set.waiting == WAITIO__BLOCK ? WAITIO__BLOCKING : waitio__wait_policy_begin(&in->wait_policy);
}

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Pauses between two polls. *given: for how long others have had the core. False: one that computes had it, so this wait spins no more. */
static bool pause_between(waitio__instance *in, enum waitio__wait_mode mode, double now, double *given)
{
    if (mode == WAITIO__SPIN_HOLDING) {
        cpu_relax();
        return true;
    }
    sched_yield();
    double took = h3ou__now() - now;
    waitio__wait_policy_yielded(&in->wait_policy, took);
    if (took >= h3ou__yield_given)
        *given += took;
    if (in->set.waiting == WAITIO__SPIN || took < h3ou__yield_taken)
        return true;
    waitio__wait_policy_preempted(&in->wait_policy);
    return false;
}

/* Polls at once, some dozens of times, without sched_yield: a message by shared memory takes less time than a system
 * call, unless its sender needs this core. */
static bool poll_hot(waitio__instance *in, bool (*done)(waitio__instance *, void *), void *arg, waitio__peer *focus)
{
    if (!in->hub.nasked || !focus || in->wait_policy.shares)
        return false;
    for (int i = 0; i < HOT; i++) {
        if (waitio__hub_ask_ready(&in->hub) && done(in, arg))
            return true;
        cpu_relax();
    }
    return false;
}

/* A process that has one connection and would block in the poller blocks in reading from that connection: this saves
 * the call of the poller. Not for long, since all else waits meanwhile. */
static bool block_in_read(waitio__instance *in, waitio__peer *focus)
{
    waitio__lane *l = focus ? focus->lane[0] : NULL;
    if (in->nlanes != 1 || in->hub.nasked || in->greetings.n || !l || l->state != WAITIO__READY)
        return false;
    if (in->waiting.owing) {
        waitio__lanes_acknowledge_owed(in);
        waitio__lanes_flush(in);
    }
    in->hub.sleeps++;
    in->quiet = 0;
    if (in->passes == ASIDE)
        waitio__hub_set_aside(&in->hub, &l->channel.source);
    return waitio__channel_read_blocking(&l->channel);
}

/* True if this wait may poll the awaited peer only: the others are not kept waiting for longer than `moment`. */
static bool may_pass_by(waitio__instance *in)
{
    return ++in->passes % PASSES || h3ou__now() - in->now < moment;
}

/* Returns for how long (s) a wait spins while nothing arrives: longer while the other process copies its part of a long message. */
static double spin_for(const waitio__request *r)
{
    const double SLOW_COPY = 1e-10; /* seconds a byte */
    if (!r || r->state != WAITIO__MOVING || !r->is_single_copy)
        return spin;
    double copying = SLOW_COPY * (double)r->length;
    return spin + (copying < longest_copy ? copying : longest_copy);
}

/* Returns whether a wait in which nothing has arrived for so many seconds spins on. given: of them, others have had the core. */
static bool may_spin(double seconds, double given, const waitio__request *r)
{
    return seconds < spin_for(r) + (given < most_given ? given : most_given);
}

int waitio__progress_until(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                           double seconds, waitio__awaited awaited)
{
    waitio__peer *focus = awaited.peer;
    in->turn++;
    if (in->waiting.dirty)
        waitio__lanes_flush(in);
    if (in->call_lock)
        return waitio__call_lock_await(in, done, arg, seconds);
    enum waitio__wait_mode mode = choose_mode(in);
    bool spins = mode != WAITIO__BLOCKING, spins_on = in->set.waiting == WAITIO__SPIN, passes = may_pass_by(in);
    if (passes && !spins && seconds >= tick && block_in_read(in, focus) && done(in, arg))
        return H3OU__OK;
    if (passes && spins && (poll_hot(in, done, arg, focus) || (poll_focus(in, focus) && done(in, arg)))) {
        if (mode == WAITIO__SPIN_HOLDING)
            waitio__wait_policy_succeeded(&in->wait_policy, mode);
        if (in->waiting.dirty)
            waitio__lanes_flush(in);
        return H3OU__OK;
    }
    double now = h3ou__now(), end = now + seconds, spun = now, given = 0; /* spun: since when nothing arrives */
    schedule_tick(in, now);
    /* Where the awaited process needs this core the loop yields to it first, but a wait of no time never comes to that. */
    if (!passes || !spins || !in->wait_policy.shares || seconds <= 0)
        waitio__progress(in, 0);
    for (int look = 1; !done(in, arg); look++) {
        if (spins && look % LOOKS && poll_focus(in, focus)) {
            spun = h3ou__now();
            given = 0;
            continue;
        }
        now = h3ou__now();
        if (now >= end)
            return H3OU__ETIMEOUT;
        if (spins && (spins_on || may_spin(now - spun, given, awaited.request))) {
            if (look % LOOKS == 0 && waitio__progress(in, 0)) {
                spun = now;
                given = 0;
            } else {
                spins = pause_between(in, mode, now, &given);
            }
            continue;
        }
        if (spins && mode == WAITIO__SPIN_HOLDING)
            waitio__wait_policy_fruitless(&in->wait_policy);
        if (waitio__progress(in, end - now) && spins) {
            spun = h3ou__now();
            given = 0;
        }
    }
    if (spins && may_spin(now - spun, given, awaited.request))
        waitio__wait_policy_succeeded(&in->wait_policy, mode);
    return H3OU__OK;
}
