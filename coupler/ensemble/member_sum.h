/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mean over the members of a group: each member adds what its children sent to its own sum, and sends the sum to
 * its parent, in every exchange of a field. A sum has a row for each layer of each component, and, when some member's
 * cells count by shares, one more: the sum of the shares.
 */
#ifndef H3OU_COUPLER_ENSEMBLE_MEMBER_SUM_H
#define H3OU_COUPLER_ENSEMBLE_MEMBER_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/ensemble/family.h"
#include "coupler/ensemble/mail.h"

typedef struct h3ou__member_sum {
    h3ou__world *world;
    const h3ou__config *config;
    const h3ou__config_var *var;
    const char *what;
    int64_t n;   /* my cells */
    int rows;    /* of values */
    double *sum; /* [rows + 1][n], the last row for shares */
    bool has_share;
    bool is_told; /* a warning named the member that put no value */
    h3ou__mails mail;
} h3ou__member_sum;

/* rows: layers times components of the field. tag, what: of its messages; what is borrowed. */
int h3ou__member_sum_create(h3ou__world *world, const h3ou__family *family, const h3ou__config *config,
                            const h3ou__config_var *var, int rows, int tag, const char *what, h3ou__member_sum **out);
/* Allowed when no message is under way, or after the world was closed. NULL allowed. */
void h3ou__member_sum_free(h3ou__member_sum *g);
/* Adds up one exchange. Before: g->sum has my values, each times its share when g->has_share, and then the shares;
 * has_value: there are such. After, on the leader: g->sum has the sums over *members members. Sets *has_value to
 * whether all members have values. A member without any while others have some is told in a warning. Waits for the
 * children. */
int h3ou__member_sum_exchange(h3ou__member_sum *g, double time, bool *has_value, int *members);
/* Sends my parent word that nothing follows because my member ended at `now`. */
int h3ou__member_sum_end(h3ou__member_sum *g, double time, int64_t now);
/* Waits until my messages have left and my children have ended. */
int h3ou__member_sum_drain(h3ou__member_sum *g);

#endif
