/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps what passes between a component and the run, for h3ou replay: a file for each process (record_block.h), which is complete up
 * to the last call when the process is killed. What cannot be written is a warning, after which this process records nothing more:
 * a full disk ends no run.
 */
#ifndef H3OU_COUPLER_RECORD_RECORDER_H
#define H3OU_COUPLER_RECORD_RECORDER_H

#include "comm/comm.h"
#include "coupler/clock/model_clock.h"
#include "coupler/record/model_values.h"

typedef struct h3ou__recorder h3ou__recorder;

/* text, size: of the configuration file. Collective over the component. *out is NULL when nothing is to be recorded: neither the
 * key record nor H3OU_RECORD names a folder. H3OU__EFILE when the file cannot be made. */
int h3ou__recorder_open(h3ou__world *world, const h3ou__config *config, const char *text, int64_t size, h3ou__recorder **out);
/* The calls below accept NULL, for no recorder, unless they return something. */
void h3ou__recorder_free(h3ou__recorder *r);
void h3ou__recorder_grid(h3ou__recorder *r, const h3ou__grid *grid);
void h3ou__recorder_step(h3ou__recorder *r, const h3ou__clock *clock);
void h3ou__recorder_restart(h3ou__recorder *r, const h3ou__clock *clock);
/* Writes a block of kind H3OU__RECORD_BESIDE. */
void h3ou__recorder_beside(h3ou__recorder *r, const char *call, int parts, int64_t count, const void *const part[],
                           const int64_t bytes[]);
void h3ou__recorder_end(h3ou__recorder *r);
/* Records what was put. */
void h3ou__recorder_put(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *given);
/* Around a get: _expect marks the cells of the model's arrays, so that _got knows which of them were written; _got records them, and
 * gives the others their values back. After _expect has returned H3OU__OK, _got must be called. err: of the get, which is recorded when it
 * is H3OU__OK; ok: it returned values. */
int h3ou__recorder_expect(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__arrays *to);
void h3ou__recorder_got(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *to, int err,
                        bool ok);
/* Records a get that returned nothing. */
void h3ou__recorder_got_nothing(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *to);

#endif
