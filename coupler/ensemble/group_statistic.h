/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One field's statistic over the members of a group: in every exchange each member adds what its children sent to the
 * description of its own values (member_statistic.h), and sends it to its parent. The leader finishes it. The rows of a
 * message are those of part 0, a row for each layer of each component, then those of part 1, and, when some member's cells
 * count by shares, two more: the sum of the shares, and that of their squares.
 *
 * Values that are collected (member_statistic.h) have no description: a message has the rows of all members of the part of
 * the tree below it, in the order of the members, for a quantile one layer of a component after the other.
 */
#ifndef H3OU_COUPLER_ENSEMBLE_GROUP_STATISTIC_H
#define H3OU_COUPLER_ENSEMBLE_GROUP_STATISTIC_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/ensemble/family.h"
#include "coupler/ensemble/mail.h"
#include "coupler/statistic/member_statistic.h"

typedef struct h3ou__group_statistic {
    h3ou__world *world;
    const h3ou__config *config;
    const h3ou__config_var *var;
    const h3ou__family *family; /* borrowed */
    const h3ou__member_statistic *statistic;
    bool counts; /* my member is one of those whose values count */
    const char *what;
    int64_t n;      /* my cells */
    int rows;       /* of values */
    double *room;   /* for value, or where it stands in the message to my parent NULL */
    double *value;  /* [parts * rows][n]: my values, then their description, then on the leader the statistic in part 0 */
    double *stack;  /* [members below][collected_rows][n] of values that are collected; else NULL */
    double *members_room; /* [members of the group] for the selection of a statistic */
    double *share;  /* [n] of value, when has_share */
    double *square; /* [n] of the squares of the shares, after share */
    bool has_share;
    bool is_told; /* a warning named the member that put no value */
    h3ou__mails mail;
} h3ou__group_statistic;

/* rows: layers times components of the field. tag, what: of its messages; what is borrowed. H3OU__ECONFIG when the group
 * lacks the member that counts. */
int h3ou__group_statistic_create(h3ou__world *world, const h3ou__family *family, const h3ou__config *config,
                            const h3ou__config_var *var, int rows, int tag, const char *what, h3ou__group_statistic **out);
/* Allowed when no message is under way, or after the world was closed. NULL allowed. */
void h3ou__group_statistic_free(h3ou__group_statistic *g);
/* Is called before an exchange is put together, so that g->value and g->share may be written: waits for the message that they
 * were sent in. */
int h3ou__group_statistic_begin(h3ou__group_statistic *g);
/* Puts one exchange together. Before: g->value has the values of my member, and g->share their shares when g->has_share,
 * where 0, values of 0; has_value: there are such. After, on the leader: the statistic (or, where all
 * values are it, g->stack), and the means of the shares, over *members members. Sets *has_value to whether all members
 * that count have values. A member without any while others have some is
 * told in a warning. Waits for the children. */
int h3ou__group_statistic_exchange(h3ou__group_statistic *g, double time, bool *has_value, int *members);
/* Sends my parent word that nothing follows because my member ended at `now`. */
int h3ou__group_statistic_end(h3ou__group_statistic *g, double time, double now);
/* Waits until my messages have left and my children have ended. */
int h3ou__group_statistic_drain(h3ou__group_statistic *g);

#endif
