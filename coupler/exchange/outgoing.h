/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A field that my component puts, for one receiving component: put stores values, which are sent when their exchange
 * time is reached. exchange_times.h says when that is, and which puts an exchange has. With lag 0 each put is sent at once.
 * In an average each value counts by the length of its step. message_form.h describes the messages.
 */
#ifndef H3OU_COUPLER_EXCHANGE_OUTGOING_H
#define H3OU_COUPLER_EXCHANGE_OUTGOING_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/message_ring.h"
#include "coupler/array/placed_cells.h"
#include "coupler/cells/pack_cells.h"
#include "coupler/cells/sum_cells.h"
#include "coupler/clock/exchange_times.h"
#include "coupler/clock/model_clock.h"
#include "coupler/config/config.h"
#include "coupler/ensemble/group_statistic.h"
#include "coupler/grid/grid.h"
#include "coupler/grid/turn_vectors.h"
#include "coupler/message/bundles.h"
#include "coupler/message/parcel.h"
#include "coupler/message/sent_shares.h"
#include "coupler/plan/plan.h"

/* Inside one component so many calls of h3ou__outgoing_send_now may come before those of h3ou__incoming_recv_now. */
enum { H3OU__NOW_AHEAD = 4 };

/* Returns the tag of what is sent at once, of a field whose exchanges have the tag `tag`. */
static inline int h3ou__tag_now(const h3ou__config *config, int tag)
{
    return tag + config->nvar;
}

struct h3ou__observers;

/* Whether intervals end with a put in their last step: none has yet; each has since the first that did; one has not
 * since then, which holds for good. */
enum h3ou__put_habit { H3OU__PUTS_UNKNOWN, H3OU__PUTS_REGULAR, H3OU__PUTS_IRREGULAR };

typedef struct h3ou__outgoing {
    const h3ou__config *config;
    const h3ou__config_var *var;
    const h3ou__plan *plan; /* borrowed; NULL until it is made */
    h3ou__world *world;
    const h3ou__grid *grid; /* borrowed */
    int64_t n;              /* the grid's cells on this process */
    int slices_put;         /* of the arrays that the model puts (slices.h) */
    int layer;              /* layers of these, those of all slices */
    int slices;             /* of so many layers each, which the leader of a group sends */
    h3ou__schedule times;   /* set with the plan */
    int64_t next;           /* exchange to be sent next */
    int64_t first;          /* exchanges before this one are not sent: their receiver starts later, or had them before a restart */
    bool has_value;         /* something was put */
    bool has_initial;       /* something was put before the first step */
    bool nan_logged;        /* log_nan has logged a NaN */
    int32_t *needed;        /* [nneeded] cells that some receiver needs, ascending */
    int64_t nneeded;
    uint8_t *has_sum;       /* [n] 1 of these cells, of statistics that add, else 0 */
    int64_t values;         /* n * layer * components: of one slice */
    double *newest;         /* [values] put last; missing ones are NaN, those of cells with share 0 are 0 */
    bool is_behind;         /* newest is older: the value that was put last is in the sums only (kept_value.h) */
    bool has_nan;           /* one of the values that were put last is NaN; where they were only added, one of a needed
                               cell is */
    double *share;          /* [n] shares of newest, or, without, those put last */
    double *share_aside;    /* [n] room for the next ones, when shares were put; or NULL */
    int64_t share_number;   /* counts shares that were others than those put before; 0: none were put */
    bool has_share;         /* false: all cells count fully */
    double *sum;        /* [values], of means those of share times value, when some put of the interval had shares */
    double *share_sum;  /* [n] of the puts of the interval before the last share_puts ones; where these are all, those
                           of an earlier interval, with share_sum_number */
    int64_t share_puts; /* these had `share` and the weight 1 */
    int64_t share_sum_number; /* of the shares in share_sum, as that of a sample (interval_statistic.h); 0: unknown */
    bool sum_has_share;     /* false: sum_weight is that of all cells */
    int64_t sum_shares;     /* share_number of each put in sum, if all have the same one and the weight 1; else 0 */
    int64_t nsum;
    double sum_step;  /* step of the first put in sum, in seconds: the others have the weight step / sum_step */
    double sum_weight;
    bool is_fresh; /* something was put since the last exchange */
    bool is_warned; /* a warning said that the interval does not fit my steps */
    bool stale_warned;
    bool range_told; /* a warning named a value outside data_range */
    double *by_member; /* [values] of a vector of which each member gets its slice, slice after slice; or NULL */
    h3ou__axes *axes; /* [partners of the plan] of the cells of each message, of a vector of two components that is sent
                         as three; else NULL */
    h3ou__group_statistic *members; /* of a member of a group, whose statistic is sent; owned; else NULL */
    const struct h3ou__observers *observers; /* observer.h; borrowed */
    unsigned watched;          /* bits of the sides that they see */
    int tag;
    int64_t now_count; /* calls of h3ou__outgoing_send_now */
    int64_t told;       /* next, as the receiver was told when a restart was written; until `telling` is complete */
    h3ou__req *telling; /* [ntelling] on their way */
    int ntelling;
    h3ou__rational put_at;   /* beginning of the step of the last put */
    h3ou__rational put_step; /* its length */
    bool put_ends;           /* the last put came in the last step of an interval that goes on */
    enum h3ou__put_habit put_habit; /* of the intervals that have ended */
    bool is_sent;            /* exchange o->next was sent in put; its interval has not ended */
    bool is_final;           /* no put of the same step may follow the last one: second_put */
    bool is_ahead;           /* an exchange was sent by h3ou__outgoing_send_ahead, the last one that of ahead_to */
    h3ou__rational ahead_to; /* when it would have been sent */
    int window; /* when so many parcels are on their way the sender waits for the oldest */
    h3ou__parcels parcels;
    bool is_direct;      /* the receivers are coupled with each member of a group itself */
    h3ou__picked *cells; /* [partners of the plan] of each message */
    h3ou__placed_cells placed; /* the same in the model's arrays, where these have more than the cells */
    h3ou__sent_shares *shares; /* [partners] */
    h3ou__ring **ring;   /* [partners] by which the messages of exchanges go; NULL of a message that is bundled */
    const h3ou__sent_in *sent_in; /* [partners] in which bundles; borrowed; NULL: none of the messages is */
    double **message;    /* [partners] the messages that were packed last */
    bool is_packed;      /* they have the value that was put last, which is not in newest; ready_message.h */
    bool is_forgotten;   /* memory of newest and of parcels was given back, at the first value that was packed */
    char what[3 * H3OU__NAME];
    int label; /* of the time that sending takes (timeline.h) */
} h3ou__outgoing;

/* Creates the field without a plan, so that initial values may be put before there is one. */
int h3ou__outgoing_create(const h3ou__config *config, int var, h3ou__world *world, const h3ou__grid *grid,
                          h3ou__outgoing **out);
/* Gives the field its plan, before the first step; before that its members, if it has any. The plan of a member that does
 * not lead its group has no partners. */
int h3ou__outgoing_plan(h3ou__outgoing *o, const h3ou__plan *plan, const h3ou__schedule *times,
                        const h3ou__clock *clock, const h3ou__sent_in sent_in[]);
void h3ou__outgoing_free(h3ou__outgoing *o);
/* Copies what the model gives; with lag 0 sends it, and with second_put='error' in the step before an exchange, if that can be done
 * without waiting: else h3ou__outgoing_advance does. H3OU__ESIZE when the arrays do not fit the grid and the layers, H3OU__EARG
 * for a share outside 0 to 1, H3OU__ESTATE for a second put that second_put refuses. */
int h3ou__outgoing_put(h3ou__outgoing *o, const h3ou__clock *clock, const h3ou__arrays *given);
/* Looks at the newest values of the cells that are sent; missing values and cells with share 0 do not count. The first
 * one outside data_range is a warning, once, or with range_action="error" H3OU__EARG (data_range.c). */
int h3ou__data_range_check(h3ou__outgoing *o, const h3ou__clock *clock);
/* Progresses the messages on their way without waiting: a long message moves only while its sender is in a call. *busy: whether some
 * are on their way still. */
int h3ou__outgoing_progress(h3ou__outgoing *o, bool *busy);
/* Returns where the message of partner k may be written, so that its receiver reads it there; NULL: nowhere now. */
double *h3ou__outgoing_place(const h3ou__outgoing *o, int k);
/* Sends the exchanges due at `now` (seconds since the run's start); clock is that of the step before, but clock->is_idle that of
 * the step that begins. Waits only when `window` parcels are on their way. */
int h3ou__outgoing_advance(h3ou__outgoing *o, const h3ou__clock *clock, h3ou__rational now);
/* Send exchanges before my component's next set_time, when another component of this process is in a call that waits: those up to
 * number `last`, which it gets; those that are due by `time`, or before it, if the field was put in the current step, since other
 * processes may wait for them. Neither sends one that is due after the end of my component's step. A later put of a value that
 * belongs to what was sent fails. */
int h3ou__outgoing_send_ahead(h3ou__outgoing *o, const h3ou__clock *clock, int64_t last);
int h3ou__outgoing_send_complete(h3ou__outgoing *o, const h3ou__clock *clock, h3ou__rational time, bool before);
/* What has already sent an exchange of my component's current step, so that the next step cannot leave it out: a put
 * (second_put='error'), a call of another component of this process (only what is due at the end of the step counts),
 * or a restart, which also ends intervals whose exchange is not sent because its receiver starts later. */
enum h3ou__sent_by { H3OU__SENT_BY_NONE, H3OU__SENT_BY_PUT, H3OU__SENT_BY_SIBLING, H3OU__SENT_BY_RESTART };
enum h3ou__sent_by h3ou__outgoing_sent_by(const h3ou__outgoing *o, const h3ou__clock *clock);
/* At the end of my component's step, which ends at `now`: sends the exchanges that are due before, and with a lag above 0 those
 * that are due then, since their receivers need them for times before. */
int h3ou__outgoing_complete(h3ou__outgoing *o, const h3ou__clock *clock, h3ou__rational now);
/* Called by rank 0 of my component, with lag=0: tells n processes of `comm`, ranks 0 of the receiving component or its members, how
 * many exchanges were sent. A member that follows sends none itself, and tells nobody. */
int h3ou__outgoing_tell_count(h3ou__outgoing *o, h3ou__comm *comm, int n, const int to[]);
/* Sends what is there at once, with the time -1, -2 and so on: the number of the call, by which the receiver checks it. */
int h3ou__outgoing_send_now(h3ou__outgoing *o, const h3ou__clock *clock);
/* Tells the receivers that nothing follows because my component ends at `now`. */
int h3ou__outgoing_end(h3ou__outgoing *o, h3ou__rational now);
/* Waits until all that is on its way has been sent. */
int h3ou__outgoing_drain(h3ou__outgoing *o);

#endif
