/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan of one pair of grids: which of my cells I send to whom, or which cells come from whom and the sparse rows
 * that I apply to them. The rows are kept by the receiving processes; a source cell is sent once to each receiver that
 * needs it.
 *
 * While it is made, no process holds a table of global size that it was not given: table entries find the owner of
 * their target cell through the receiving grid's spread directory, or, those of a leader's table, by the first process,
 * which knows who holds which cell; the needed source cells find theirs through the sending grid's directory; all in
 * rounds of a bounded number of entries (H3OU_PLAN_CHUNK, default 16384, four times as many of a leader's own table).
 * Rows that the receiving processes made from coordinates need neither directory: they are of own cells, and know the
 * owners of their sources.
 */
#ifndef H3OU_COUPLER_PLAN_PLAN_H
#define H3OU_COUPLER_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "coupler/clock/model_clock.h"
#include "coupler/grid/grid.h"
#include "coupler/plan/entry_list.h"
#include "coupler/weights/make_online.h"
#include "coupler/weights/weight_table.h"
#include "interp/weights/sparse.h"

/* How the values of one member arrive at a process that is coupled with each member of a group itself (member_plans.h). */
typedef struct h3ou__member_plan {
    int component; /* id of the member */
    int npartner;
    int *partner;   /* [npartner] ranks of the plan's model */
    int64_t *start; /* [npartner + 1] */
    int64_t *slot;  /* [start[npartner]] slots of the plan's rows, in the order of arrival */
} h3ou__member_plan;

typedef struct h3ou__plan {
    h3ou__comm *model; /* sending component's ranks, then the receiving one's, or all; owned by the world */
    bool sender;
    int64_t start_of_other; /* start of the other component, in seconds since 1970 */
    /* Partners, as ranks of model, and the slots of each: slot[start[k] .. start[k + 1]). Of a sender a slot is the
     * place of a cell of mine; of a receiver the slots are numbered as they arrive and `slot` is NULL. */
    int npartner;
    int *partner;
    int64_t *start;
    int32_t *slot;
    int64_t *source;   /* receiver: the global index of each slot */
    h3ou__sparse rows; /* receiver: the rows; col is a slot */
    bool in_row_order; /* cells are sent in the order in which a receiver's rows read them: reading_order.h */
    bool from_itself;  /* receiver: some of the cells are of this very process, when a component exchanges with itself */
    bool rotated;      /* the table says how each link turns vectors, so these are sent as two components */
    double *turn;      /* receiver, rotated: [2 * links] cosine and sine */
    /* Of a component that is coupled with each member of a group itself. A receiver's slots then come from nobody: its only
     * partner is itself, and the members are these. */
    int nmember;
    h3ou__member_plan *member; /* receiver: [nmember] by ascending number; else NULL */
    int *place;                /* sender: [npartner] place in the group of the member that a partner is of; else NULL */
    /* of a receiver whose weights the coupler made */
    bool is_made;
    h3ou__remainder left; /* the gradient's sources are slots */
} h3ou__plan;

/* The arguments of h3ou__plan_make; all borrowed. */
typedef struct h3ou__plan_task {
    h3ou__world *world;
    h3ou__pair_name name;
    bool sender;              /* my component's role */
    const h3ou__grid *grid;   /* my component's grid of the pair, registered */
    const h3ou__grid *source; /* of a pair inside my component the sending grid; `sender` is false, `grid` the receiving one */
    const h3ou__table *table; /* what I gave, or NULL */
    struct h3ou__listed_rows
        *listed; /* NULL, or where h3ou__plan_list_own_rows may have listed my rows of it: the plan takes them */
    const h3ou__config *config;
    h3ou__clock *clock; /* my start; the other component's is compared with it */
    h3ou__comm *local, *model;
    int nsend, nrecv; /* processes of the sending and of the receiving component */
    int64_t chunk;
    bool is_flat;             /* all fields of the pair have few values for each cell, as both know: reading_order.h */
    bool may_wait;            /* a table that neither component has given yet may still come */
    int64_t start_of_other;   /* out: as in h3ou__plan */
    bool waits;               /* out: no table was given yet, as both components agree, and nothing was planned */
    bool given_here, spread, rotated; /* which component gave the table, and how: agreed when the two have met */
    bool is_made;             /* the receiving processes have rows that they made, with the owners of their sources */
} h3ou__plan_task;

/* Before that, collective over the receiving component: lists my rows of the table, if my component gave it
 * (listed_rows.h). The table's entries are not needed any more then. */
int h3ou__plan_list_own_rows(h3ou__plan_task *task, struct h3ou__listed_rows *listed);
/* Collective over both components; *out is NULL when task->waits. world, name, sender, grid, source, table, config and clock
 * are set by the caller. */
int h3ou__plan_make(h3ou__plan_task *task, h3ou__plan **out);
/* After that, of a pair inside my component: makes the plan of the sending side, *out, for that of the receiving one. */
int h3ou__plan_make_own_sender(const h3ou__plan_task *task, const h3ou__plan *receiver, h3ou__plan **out);
/* The same, when the receiving component has the plan `first` of the same exchange with another member of the sending
 * one: what is received is of the same cells, for the same rows, and has none itself. The receiver gives `first` and gets
 * slot[start[npartner]], the slots of `first` in the order of arrival, which the caller frees; the sender gives NULL twice. */
int h3ou__plan_share(h3ou__plan_task *task, const h3ou__plan *first, h3ou__plan **out, int64_t **slot);
void h3ou__plan_free(h3ou__plan *p);
/* Takes what weights leave beside their rows (fixed values, gradients, unserved cells); grid: the receiving one. */
int h3ou__plan_keep_remainder(h3ou__plan *p, const h3ou__grid *grid, h3ou__remainder *left);

/* The steps, each collective over one or both components (plan_rows.c, plan_needs.c, plan_own.c, plan_made.c,
 * plan_order.c). */
/* Called by the sending component: sends the table that it gave. */
int h3ou__plan_pass_entries(const h3ou__plan_task *task);
/* Called by the receiving component: sends the table's entries to the owners of their target cells; *list gets mine, as they
 * come. The caller frees it with h3ou__entry_list_free, also after an error. */
int h3ou__plan_redistribute_entries(const h3ou__plan_task *task, h3ou__entry_list *list);
/* Called by the receiving component: fills owner[n] with the ranks of the sending component that own need[0..n), which
 * is ascending. */
int h3ou__plan_ask_owners(const h3ou__plan_task *task, const int64_t need[], int64_t n, int64_t owner[]);
/* Called by the sending component: answers that, and stores in the plan what to send to whom. */
int h3ou__plan_answer_owners(const h3ou__plan_task *task, h3ou__plan *plan);
/* The same inside my component, where the processes have the sending grid's directory. */
int h3ou__plan_find_own_owners(const h3ou__plan_task *task, const int64_t need[], int64_t n, int64_t owner[]);
/* Stores in the plan of a sender what to send to whom: items {place, receiver}, those of a receiver in its order. */
int h3ou__plan_fill_sender(const int64_t item[], int64_t n, h3ou__plan *p);
/* The receiving component tells the owners of the slots of a plan what they are to send; the owners learn it. */
int h3ou__plan_tell_owners(const h3ou__plan_task *task, const h3ou__plan *plan);
int h3ou__plan_hear_receivers(const h3ou__plan_task *task, h3ou__plan *plan);
/* Called by both components, when the plan has its slots and rows: gives the slots the order of reading_order.h, where
 * that gains. */
int h3ou__plan_order(const h3ou__plan_task *task, h3ou__plan *plan);

#endif
