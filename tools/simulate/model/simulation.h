/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the stages of all members on a modelled machine, message by message. A round begins when the one before it has
 * ended; all its messages are then started, in the order of the schedule. A message that is longer than its transport
 * sends eagerly waits for its receive: the sender asks, the receiver allows, and then the data are sent.
 */
#ifndef H3OU_TOOL_SIMULATE_SIMULATION_H
#define H3OU_TOOL_SIMULATE_SIMULATION_H

#include "tools/simulate/model/stage.h"

typedef struct simulation_result {
    double last, mean;        /* seconds of a call: until the last member, and the mean one, has done all of them, each
                                 divided by the number of calls */
    int64_t sent, received;   /* messages of the schedules, in all calls */
    int64_t events, most_events; /* in all; in the queue at a time */
    int64_t schedule_bytes;   /* the most that a schedule takes in a member's memory */
    double mean_bytes;        /* the mean of that over the members, of the longest stage of each */
    int64_t memory;           /* bytes: the most that the simulation itself took at a time, without the machine */
} simulation_result;

typedef struct simulation_plan {
    const stage *stage; /* [nstage] */
    int nstage, calls;  /* one after the other, which nothing but their messages holds apart */
} simulation_plan;

/* Opens *m again. H3OU__EARG with a sentence when members wait for messages that nobody sends. */
int simulation_run(modelled_machine *m, const simulation_plan *plan, simulation_result *out);

#endif
