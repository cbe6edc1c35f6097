/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of a grid's values between two members of a component: which of my cells stand on which process of the other
 * member. Both ends list the cells of two processes in the same order. */
#ifndef H3OU_COUPLER_ENSEMBLE_BRIDGE_H
#define H3OU_COUPLER_ENSEMBLE_BRIDGE_H

#include <stdint.h>

#include "comm/comm.h"
#include "coupler/clock/model_clock.h"
#include "coupler/config/config.h"
#include "coupler/grid/grid.h"

typedef struct h3ou__bridge {
    h3ou__comm *model;         /* of both members; owned by the world */
    char name[H3OU__NAME + 1]; /* of the other member */
    int npartner;
    int *partner;   /* [npartner] ranks of model */
    int64_t *start; /* [npartner + 1] */
    int32_t *cell;  /* [start[npartner]] positions of my cells, partner after partner */
} h3ou__bridge;

/* The arguments of h3ou__bridge_make; all borrowed. */
typedef struct h3ou__bridge_task {
    h3ou__world *world;
    const h3ou__config *config;
    h3ou__clock *clock;
    const h3ou__grid *grid; /* of my member, registered */
    int other;              /* the other member's component id */
    bool is_parent;         /* of the two, the one nearer to the leader of the group */
} h3ou__bridge_task;

/* Collective over both members, whose processes may hold other cells each, but together the same: else H3OU__EINDEX. */
int h3ou__bridge_make(const h3ou__bridge_task *task, h3ou__bridge **out);
void h3ou__bridge_free(h3ou__bridge *b); /* NULL allowed */

#endif
