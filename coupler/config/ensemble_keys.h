/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of a variable that say what the members of an ensemble send and get: statistic, to_members, perturb. */
#ifndef H3OU_COUPLER_CONFIG_ENSEMBLE_KEYS_H
#define H3OU_COUPLER_CONFIG_ENSEMBLE_KEYS_H

#include "coupler/config/config.h"

enum h3ou__members_send {
    H3OU__SEND_MEAN,
    H3OU__SEND_STD,  /* divided by the number of members */
    H3OU__SEND_STD1, /* divided by the number of members less 1 */
    H3OU__SEND_MIN,
    H3OU__SEND_MAX,
    H3OU__SEND_QUANTILE, /* the quantile `level` */
    H3OU__SEND_MEMBER,   /* what member `number` of the group sends, from 0 */
    H3OU__SEND_STACKED   /* what all members send, one after the other: the receiver gets (cell, layer, member) */
};

/* Sets in v->members what the keys' texts say; empty texts are the mean, and the same for all. H3OU__ECONFIG with a
 * sentence that has the allowed words, or says which other key does not fit. */
int h3ou__ensemble_keys_parse(h3ou__config_var *v);

#endif
