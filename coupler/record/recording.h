/* SPDX-License-Identifier: BSD-3-Clause */
/* The record of one component, read: the files of all processes that it had in the recorded run (record_block.h). */
#ifndef H3OU_COUPLER_RECORD_RECORDING_H
#define H3OU_COUPLER_RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "coupler/record/record_block.h"
#include "coupler/time/rational.h"

/* A call of put or get. */
typedef struct h3ou__recorded_call {
    bool is_early; /* before the first step */
    h3ou__rational time; /* beginning of its step; of an early one 0 */
    int order;     /* among the calls for this field in that step, from 0 */
    int64_t offset;
    h3ou__block_head head;
    h3ou__record_values values;
} h3ou__recorded_call;

typedef struct h3ou__recorded_calls {
    int64_t n, room;
    h3ou__recorded_call *call;
} h3ou__recorded_calls;

typedef struct h3ou__recorded_grid {
    char name[H3OU__NAME + 1];
    int64_t n, *index;
} h3ou__recorded_grid;

/* What a call beside the exchange brought. */
typedef struct h3ou__recorded_beside {
    int64_t offset;
    h3ou__block_head head;
} h3ou__recorded_beside;

/* The clock after h3ou_read_restart. */
typedef struct h3ou__recorded_restart {
    bool has;
    int date[6];
    int64_t start, begin;
    h3ou__rational now, step;
} h3ou__recorded_restart;

/* What one process recorded. */
typedef struct h3ou__recorded_part {
    char path[H3OU__RECORD_PATH];
    int64_t run;
    int rank, size, me, ncomponent;
    bool has_end; /* the component ended well */
    h3ou__rational last; /* beginning of the last step; H3OU__NEVER: there is none */
    int ngrid;
    h3ou__recorded_grid *grid;
    int ncalls; /* 2 * variable + (1: gets), of those that were called */
    h3ou__recorded_calls *calls;
    int64_t nbeside, room_beside;
    h3ou__recorded_beside *beside;
    h3ou__recorded_restart restart;
} h3ou__recorded_part;

typedef struct h3ou__recording {
    char folder[H3OU__RECORD_PATH];
    char component[H3OU__NAME + 1];
    char config_file[512], *text; /* text, size: of the configuration */
    int64_t size;
    int ncomponent, me;
    h3ou__known_component *known; /* [ncomponent] all of the recorded run */
    int n;
    h3ou__recorded_part *part; /* [n] by rank */
} h3ou__recording;

/* Reads all but the values. component: NULL for the only one in the folder. H3OU__EFILE for what is missing, damaged, of another run
 * or no record. *out is NULL after an error. */
int h3ou__recording_open(const char *folder, const char *component, h3ou__recording **out);
void h3ou__recording_free(h3ou__recording *r); /* NULL allowed */
/* The calls of one process for a variable of the configuration; NULL: there are none. */
const h3ou__recorded_calls *h3ou__recorded_calls_of(const h3ou__recorded_part *p, int var, bool puts);
/* Reads a block; b->data is what follows its head. */
int h3ou__recorded_read(const h3ou__recorded_part *p, int64_t offset, const h3ou__block_head *head, h3ou__block_bytes *b);

#endif
