/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the components agree on a model time at which all stop (docs/adr/0031-early-stop.md). The processes are a tree: the root is
 * rank 0 of the first component; below it are the leaders, ranks 0 of the others; below a leader the processes of its component.
 * A leader greets the root when it knows how often its model asks, and tells it when it wishes a stop. The root then asks all; each
 * process replies with the first time at which it can stop, and does not go on past it without the decision, which comes down the
 * tree. Before that no process waits.
 *
 * Letters are looked at when the model asks, and while the process waits for something else, so that nobody waits for a reply of
 * one that waits for him.
 */
#ifndef H3OU_COUPLER_STOP_STOP_AGREEMENT_H
#define H3OU_COUPLER_STOP_STOP_AGREEMENT_H

#include "comm/comm.h"
#include "coupler/stop/stop_times.h"

typedef struct h3ou__stop h3ou__stop;

/* What the agreement must know of the model; `user` is passed on. */
typedef struct h3ou__stop_model {
    void *user;
    h3ou__rational (*next_exchange)(void *user, h3ou__rational after); /* at which steps end, too, that are not alike */
    bool (*can_stop)(void *user);                                      /* at some time */
    bool (*is_good)(void *user, int64_t time);                         /* can stop at that time */
    h3ou__rational (*lead)(void *user, int component); /* by how much later than that time the component with this id stops */
} h3ou__stop_model;

int h3ou__stop_create(h3ou__world *world, const h3ou__stop_model *model, h3ou__stop **out);
void h3ou__stop_free(h3ou__stop *s);
/* A step of my component begins. is_uneven: the next ones have other lengths. */
void h3ou__stop_begin_step(h3ou__stop *s, h3ou__rational now, h3ou__rational end, bool is_uneven);
/* The model asks at the end of its step. Waits only when a stop is being agreed on. *is_now: it is to stop. H3OU__ETIME: the
 * time agreed on is past, and no step ended there. */
int h3ou__stop_ask(h3ou__stop *s, h3ou__rational now, bool *is_now);
/* Looks at the letters that came, without waiting. An error is returned by the next call. */
void h3ou__stop_poll(h3ou__stop *s);
/* Returns whether there is a decision; *time: when my component stops; -1: the run does not stop early. */
bool h3ou__stop_is_decided(const h3ou__stop *s, int64_t *time);
/* My component has ended, at the model time `end`: nobody asks it any more. */
int h3ou__stop_leave(h3ou__stop *s, h3ou__rational end);
/* Answers those that go on, until nobody asks. Collective over the component. */
int h3ou__stop_end(h3ou__stop *s);

#endif
