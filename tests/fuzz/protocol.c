/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Speaks the protocol to the processes of runs, with and without the secret. protocol [WHAT [MESSAGES [SEED]]], WHAT
 * being one of the names below, or all. What is said follows from the seed alone; it ends with the counts, or at what
 * does not hold.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "coupled.h"
#include "insider.h"
#include "must.h"
#include "os/os_clock.h"
#include "stranger.h"
#include "waitio/joining/king_link.h"
#include "waitio/message/lane_connect.h"
#include "waitio/progress/progress.h"
#include "world.h"

static uint64_t most = 20000, seed = 1;

static int call_world(void *owner)
{
    world *w = owner;
    waitio__link link[2];
    world_pair(link);
    if (dice(2))
        waitio__lane_accept(w->in[0], &link[0]);
    else
        waitio__king_link_accept(w->in[0], &link[0]);
    return link[1].fd;
}

/* Without the secret, to an instance of this process. */
static void strangers(void)
{
    uint64_t said = 0, heard = 0, arrived = 0, refused = 0;
    for (uint64_t round = 0; said < most; round++) {
        stranger s;
        dice_seed(seed + round);
        world *w = world_begin();
        waitio__instance *in = w->in[0];
        in->self.join_key = w->all.join_key;
        stranger_begin(&s, call_world, w);
        for (int purpose = WAITIO__FOR_JOIN; purpose <= WAITIO__FOR_LANE; purpose++) {
            waitio__greet hello = {.purpose = purpose, .source = 2};
            stranger_record(&s, &hello, purpose == WAITIO__FOR_JOIN ? &in->self.join_key : &in->self.lane_key);
        }
        while (s.said < most / 4 + 1) {
            for (int i = 0; i < 8; i++)
                stranger_step(&s);
            world_turn(w);
            MUST(!in->failed && !in->listening.king_links && in->greetings.n <= STRANGER_CALLS + 4);
        }
        MUST(in->counters.connections_opened <= 2 && in->counters.reconnections == 0);
        stranger_end(&s);
        refused += in->greetings.strangers;
        arrived += w->arrived;
        said += s.said;
        heard += s.heard;
        world_end(w);
    }
    printf("strangers: %llu messages, %llu answers, %llu refused; %llu messages of others arrived\n",
           (unsigned long long)said, (unsigned long long)heard, (unsigned long long)refused,
           (unsigned long long)arrived);
    MUST(heard && refused && arrived);
}

static void insiders(const char *name, void (*speak)(insider_counts *))
{
    insider_counts counts = {0};
    for (uint64_t round = 0; counts.said < most; round++) {
        dice_seed(seed + round);
        speak(&counts);
    }
    printf("%s: %llu messages over %llu connections; %llu requests met one; %llu messages of others arrived\n", name,
           (unsigned long long)counts.said, (unsigned long long)counts.stood, (unsigned long long)counts.completed,
           (unsigned long long)counts.arrived);
    MUST(counts.stood);
}

static void processes(void)
{
    insiders("processes", insider_as_process);
}

static void kings(void)
{
    insiders("kings", insider_as_king);
}

static void masters(void)
{
    insiders("masters", insider_as_master);
}

static void coupled_with_strangers(void)
{
    coupled_strangers(most, seed);
}

static void coupled_with_insiders(void)
{
    coupled_insiders(most, seed);
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {{"strangers", strangers},
             {"processes", processes},
             {"kings", kings},
             {"masters", masters},
             {"coupled-strangers", coupled_with_strangers},
             {"coupled-insiders", coupled_with_insiders}};

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    int done = 0;
    if (argc > 2)
        most = strtoull(argv[2], NULL, 0);
    if (argc > 3)
        seed = strtoull(argv[3], NULL, 0);
    printf("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (!strcmp(what, "all") || !strcmp(what, modes[i].name)) {
            double begin = h3ou__now();
            fflush(NULL);
            modes[i].run();
            printf("%s: %.1f s\n", modes[i].name, h3ou__now() - begin);
            done++;
        }
    if (!done)
        fprintf(
            stderr,
            "usage: %s [all|strangers|processes|kings|masters|coupled-strangers|coupled-insiders [MESSAGES [SEED]]]\n",
            argv[0]);
    return done ? 0 : 2;
}
