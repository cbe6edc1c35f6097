/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One component of a recorded run alone: its gets return what they returned then, its puts are compared bit for bit with what it put
 * then, for any number of processes. Of a process that opens several components each has a replay of its own, and what they exchange
 * with each other comes from the records, too. Differences of puts are told, the first of each field by each process: in the log, and in a
 * report that h3ou replay reads.
 */
#ifndef H3OU_COUPLER_RECORD_REPLAY_H
#define H3OU_COUPLER_RECORD_REPLAY_H

#include "coupler/clock/model_clock.h"
#include "coupler/record/model_values.h"
#include "coupler/record/recording.h"

typedef struct h3ou__replay h3ou__replay;

/* Returns whether this process replays: H3OU_REPLAY names the folder of a record. */
bool h3ou__replay_is_asked(void);
/* Reads the record of the component that the program opens as `name`, if H3OU_REPLAY_COMPONENT names it, or a member of it; without that
 * variable of any. H3OU__ENAME when another component is to be replayed. */
int h3ou__replay_open(const char *name, h3ou__replay **out);
void h3ou__replay_free(h3ou__replay *r); /* NULL allowed */
const h3ou__recording *h3ou__replay_recording(const h3ou__replay *r);
/* Finds in the record the cells of a grid. H3OU__EINDEX when it had other cells in the recorded run. Collective over the component. */
int h3ou__replay_grid(h3ou__replay *r, h3ou__comm *local, const h3ou__grid *grid);
/* Says in the log what is replayed. */
void h3ou__replay_log(const h3ou__replay *r, h3ou__comm *local);
/* Compares what is put with the record. Fails only when H3OU_REPLAY_STOP is set and they differ. */
int h3ou__replay_put(h3ou__replay *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *given);
/* Sets the cells that were set in the recorded run. H3OU__ETIME when it had no such get at that time. */
int h3ou__replay_get(h3ou__replay *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *to, bool *ok);
/* Sets the clock as h3ou_read_restart did in the recorded run. H3OU__ESTATE when it read none. */
int h3ou__replay_restart(const h3ou__replay *r, h3ou__clock *clock);
/* Tells what was put in the recorded run up to now, the end of the component, and is not in this one. */
int h3ou__replay_end(h3ou__replay *r, const h3ou__config *config, const h3ou__clock *clock);

#endif
