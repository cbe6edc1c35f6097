/* SPDX-License-Identifier: BSD-3-Clause */
/* A field that my component gets from another: receives are posted ahead of time; get completes and interpolates. */
#ifndef H3OU_COUPLER_EXCHANGE_INCOMING_H
#define H3OU_COUPLER_EXCHANGE_INCOMING_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/message_ring.h"
#include "coupler/array/placed_cells.h"
#include "coupler/clock/exchange_times.h"
#include "coupler/clock/model_clock.h"
#include "coupler/config/config.h"
#include "coupler/ensemble/relay.h"
#include "coupler/grid/grid.h"
#include "coupler/grid/turn_vectors.h"
#include "coupler/message/bundles.h"
#include "coupler/message/got_shares.h"
#include "coupler/message/member_streams.h"
#include "coupler/message/message_form.h"
#include "coupler/plan/plan.h"

/* An exchange that was received before its time, because a restart was written: it is taken from here when it is due. */
typedef struct h3ou__ahead {
    struct h3ou__ahead *next; /* the later one */
    int64_t number;           /* of the exchange */
    double mark;              /* h3ou__exchange_mark */
    int state;                /* enum h3ou__message_state */
    double *value;            /* H3OU__VALUE: what the model gets, [component][model_layer][n], of a group with unset cells; else NULL */
} h3ou__ahead;

struct h3ou__observers;
struct h3ou__budget;

typedef struct h3ou__incoming {
    const h3ou__config *config;
    const h3ou__config_var *var;
    const h3ou__plan *plan; /* borrowed */
    h3ou__world *world;
    int64_t n;              /* my cells of the grid */
    int slices;             /* of the arrays that the model gets (slices.h) */
    int model_layer;        /* layers of these, those of all slices */
    int layer;              /* layers of an exchange: for each member of my group model_layer, where each gets its own */
    h3ou__schedule times;
    int64_t next;           /* exchange whose messages are awaited */
    h3ou__ahead *ahead;     /* exchanges before `next` that were received ahead of their time, the earliest first */
    double *held;           /* values of the exchange taken last, when it was one of these; else NULL */
    double got;             /* h3ou__exchange_mark of the exchange received last */
    bool is_posted;         /* receives are posted for it */
    bool has_ended;         /* the sender said that nothing follows */
    double ended;           /* has_ended: the time at which the sender ended */
    int teller;             /* rank of my component that tells all others of the sender's end; -1: each process learns it */
    h3ou__req *req;         /* [partners] */
    h3ou__ring **ring;      /* [partners] by which the messages of exchanges come; NULL with streams */
    const h3ou__got_in *got_in; /* [partners] in which bundles they come; borrowed; NULL: in none */
    const double **arrived; /* [partners] the messages that came last */
    int64_t *length;        /* [partners] of these */
    double *message;        /* with streams: what one process that had all source cells would have sent */
    double *at_once;        /* all messages of what was sent at once, each on a cache line, when it was first needed */
    bool has_singles;       /* the messages in `arrived` have values of float */
    bool is_single;         /* source has: of float, else of double */
    void *room;             /* for source that is put together from messages, or NULL */
    double *share_room;     /* for share, the same */
    double *pair_room;      /* [2 * slots] for pairs that are put together, or taken apart, when that was first needed */
    h3ou__got_shares got_shares;    /* that senders said to keep */
    int64_t share_number;           /* of share, as that of h3ou__apply */
    struct h3ou__kept_shares *kept; /* of h3ou__apply, when shares came first; or NULL */
    void *marks;                    /* room of h3ou__apply, of source's type, when shares changed each time; or NULL */
    const void *source;     /* exchange next - 1: [component][layer][slot], or as h3ou__incoming_is_turned says */
    bool is_paired;         /* source is [slot][2], the share and the value of each */
    const double *share;    /* [slot] of source, unless is_paired */
    bool has_share;         /* false: all source cells count fully */
    bool has_nan;           /* some value of source is NaN */
    const h3ou__grid *grid; /* borrowed */
    h3ou__axes axes;        /* of the cells of the rows, of a vector that comes as three components and is got as two */
    double *raised;         /* [3][layer][n] its target values before they are projected */
    double *perturbed;      /* [model_layer][n] of values to which something is added, or NULL */
    uint64_t perturb_key[2]; /* perturbation.h */
    h3ou__placed_rows placed; /* cells of the plan's rows in the model's arrays, where these have more than the cells */
    double *aside;          /* [component][layer][n] target values before they go to the model's arrays; or NULL */
    double *aside_room;     /* memory of aside, where the relay has none for it */
    double *former, *latest, *blend; /* with flag='INT', what a member gets: of the exchange before, of the last, between the two */
    int64_t ncomputed;      /* with flag='INT': exchanges whose values were computed */
    h3ou__relay *relay;     /* of a member of a group, all of which get what its leader receives; owned; else NULL */
    h3ou__member_streams *streams; /* of a component that is coupled with each member itself, what these send; owned; else NULL */
    bool has_now;           /* source, or what came from the leader, is what was sent at once, and the next get returns it */
    int64_t now_count;      /* calls of h3ou__incoming_recv_now */
    bool is_at_once;        /* source is what the last of them received */
    bool is_replaced;       /* so are the values that get returns, until the next exchange is taken */
    bool was_got;           /* the model has called get for it */
    bool is_warned;         /* a warning said that the interval does not fit my steps */
    struct h3ou__budget *budget; /* budget.h; owned; NULL: the integrals are not computed */
    const struct h3ou__observers *observers; /* observer.h; borrowed */
    unsigned watched;       /* bits of the sides that they see */
    int tag;
    char what[3 * H3OU__NAME];
    int label; /* of the time that receiving and remapping take (timeline.h) */
} h3ou__incoming;

/* family: of a member of a group, else NULL. The plan of a member that does not lead its group has no partners. */
int h3ou__incoming_create(const h3ou__config *config, int var, const h3ou__plan *plan, const h3ou__schedule *times,
                          h3ou__world *world, const h3ou__grid *grid, const h3ou__family *family, const h3ou__got_in got_in[],
                          h3ou__incoming **out);
/* Allowed when no receive is posted any more, or after the world was closed: posted receives borrow this memory. */
void h3ou__incoming_free(h3ou__incoming *in);
/* Receives and drops the exchanges before `now` (seconds since the run's start) that the model did not get. */
int h3ou__incoming_advance(h3ou__incoming *in, h3ou__rational now);
/* Says that the exchange received last is not got any more, so that senders may write to its memory. */
void h3ou__incoming_release(h3ou__incoming *in);
/* Collective over my component, at the end of its step, which ends at `now`: receives ahead the exchanges that were sent by the sender's
 * time `senders`, and with flag='INT' takes those whose times are over. next: of a process that gets some cells; sent: with lag=0 how
 * many exchanges were sent in all. */
int h3ou__incoming_receive_ahead(h3ou__incoming *in, h3ou__rational now, h3ou__rational senders, int64_t next, int64_t sent);
/* Its steps: receives exchange next, without computing what the model gets; on a member of a group computes it, or takes what the
 * leader computed, and passes it on to the others; takes the first of those received ahead. */
int h3ou__incoming_receive(h3ou__incoming *in, int *state);
int h3ou__incoming_pass_on(h3ou__incoming *in, int *state);
int h3ou__incoming_take_ahead(h3ou__incoming *in, int *state);
void h3ou__incoming_let_go(h3ou__incoming *in); /* frees in->held */
void h3ou__incoming_free_ahead(h3ou__incoming *in);
/* Adds an exchange to those that were received ahead; with has_value its values, to be filled by the caller, are (*out)->value. */
int h3ou__incoming_add_ahead(h3ou__incoming *in, int64_t number, int state, bool has_value, h3ou__ahead **out);
/* Receives what h3ou__outgoing_send_now sends; the next get before the following step returns it. */
int h3ou__incoming_recv_now(h3ou__incoming *in);
/* Sets *ok to whether an exchange is due at clock->now (with lag=0: always) and the step began with an exchange,
 * and then sets the cells that have a row,
 * and, when the coupler made the weights, the others too. H3OU__ESIZE when the arrays do not fit the grid and the
 * layers. */
int h3ou__incoming_get(h3ou__incoming *in, const h3ou__clock *clock, const h3ou__arrays *to, bool *ok);
/* The same in a step in which nothing can be due: only checks the arrays. */
int h3ou__incoming_get_nothing(h3ou__incoming *in, const h3ou__arrays *to);
/* Returns whether source stands as [slot][layer]. */
bool h3ou__incoming_is_turned(const h3ou__incoming *in);
static inline int64_t h3ou__incoming_cells(const h3ou__incoming *in, int k) /* how many come from partner k */
{
    return in->plan->start[k + 1] - in->plan->start[k];
}
static inline int64_t h3ou__incoming_rows(const h3ou__incoming *in) /* how many values come for each of them */
{
    return in->layer * h3ou__message_width(in->var, in->plan);
}
/* Returns the length of the message of partner k, without shares. */
static inline int64_t h3ou__incoming_length(const h3ou__incoming *in, int k)
{
    return h3ou__message_length(in->has_singles, h3ou__incoming_cells(in, k), h3ou__incoming_rows(in));
}
/* Returns whether source values that are NaN do not count. */
static inline bool h3ou__incoming_skips_nan(const h3ou__incoming *in)
{
    return (in->plan->is_made || in->var->remap.has_missing) && in->has_nan;
}
/* Keeps the shares of messages that arrived and say so, also where others of the exchange have no values. */
int h3ou__incoming_keep_shares(h3ou__incoming *in);
/* Takes the values of messages that arrived as those of the exchange (take_messages.c). */
int h3ou__incoming_take_messages(h3ou__incoming *in);
/* Computes the model's arrays from in->source by the rows of the plan (apply_rows.c). */
int h3ou__incoming_apply(h3ou__incoming *in, const h3ou__arrays *to, const h3ou__place *place);
/* The same in two steps: computes all cells into an array of its own, [component][layer][n], which
 * _computed returns; writes to the model's arrays the cells of it that were set, or, on a member that follows, those
 * that its leader set. */
int h3ou__incoming_compute(h3ou__incoming *in);
const double *h3ou__incoming_computed(const h3ou__incoming *in);
void h3ou__incoming_write(const h3ou__incoming *in, const h3ou__arrays *to, const h3ou__place *place);
/* With flag='INT', on each exchange that has arrived: computes its values, unless that was done to pass them on, and keeps
 * these with those of the one before. _keep_next keeps values that are given, [component][model_layer][n]. */
int h3ou__incoming_compute_next(h3ou__incoming *in);
int h3ou__incoming_keep_next(h3ou__incoming *in, const double values[]);
/* Copies what my model gets of the exchange that was computed, or that the leader of my group sent, [component][model_layer][n]. */
void h3ou__incoming_copy_mine(const h3ou__incoming *in, double to[]);
static inline int64_t h3ou__incoming_values(const h3ou__incoming *in) /* how many these are */
{
    return (int64_t)h3ou__config_components(in->var, in->var->get_xyz) * in->model_layer * in->n;
}
/* Writes to the model's arrays what is `part` of the way, 0 to 1, from the exchange before the last to the last. */
void h3ou__incoming_write_between(const h3ou__incoming *in, double part, const h3ou__arrays *to, const h3ou__place *place);
/* Returns whether the sender has not said yet that nothing follows. */
bool h3ou__incoming_awaits_end(const h3ou__incoming *in);
/* Receives and drops one exchange. */
int h3ou__incoming_drop(h3ou__incoming *in);
/* After the last exchange was dropped: ends the messages to other members of my group. */
int h3ou__incoming_end(h3ou__incoming *in);

#endif
