/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which fields travel together from one process to another: those between the same two components whose exchanges are due at the
 * same times, with the same `second_put`. Both ends find the same bundles from the configuration and from their plans, without a
 * message.
 *
 * With bundle='auto' these are short messages (AUTO_PART) of fields that leave at set_time; with 'always' those of any length, and
 * fields that leave in put, too. A bundle has at least two messages, and with 'auto' at most so many bytes in all (AUTO_WHOLE). Not
 * bundled are fields with lag=0, those of a component with itself, of groups of members or of members that may be lost, and of a
 * run in which a process opens several components: they leave at times of their own.
 */
#ifndef H3OU_COUPLER_MESSAGE_BUNDLE_PLAN_H
#define H3OU_COUPLER_MESSAGE_BUNDLE_PLAN_H

#include "coupler/config/config.h"
#include "coupler/plan/plan.h"

/* A message of a bundle. */
typedef struct h3ou__bundled {
    int var;      /* of the configuration */
    int at;       /* which partner of the variable's plan the other end is */
    int64_t most; /* numbers of the longest message */
} h3ou__bundled;

typedef struct h3ou__bundle_plan {
    h3ou__comm *model;
    int partner; /* rank of model */
    int n;       /* messages, at least 2, by the number of their variables */
    h3ou__bundled *part;
} h3ou__bundle_plan;

typedef struct h3ou__bundle_plans {
    int n;
    h3ou__bundle_plan *bundle;
    h3ou__bundled *part; /* of all of them */
} h3ou__bundle_plans;

/* plan: [nvar] of each variable that my component sends (or gets) with this process, else NULL. H3OU__ENOMEM. */
int h3ou__bundle_plans_make(const h3ou__config *config, const h3ou__world *world, const h3ou__plan *const plan[],
                            h3ou__bundle_plans *out);
void h3ou__bundle_plans_free(h3ou__bundle_plans *plans);

/* Numbers of a bundle's list of parts (bundle_sent.h): for each its field, its beginning and its length. */
enum { H3OU__BUNDLE_FIELD, H3OU__BUNDLE_BEGIN, H3OU__BUNDLE_NUMBERS, H3OU__BUNDLE_ENTRY };

/* Returns the number at which the first part of a bundle of n fields begins. */
int64_t h3ou__bundle_first(int n);

/* Returns the number at which the message begins that follows one that begins at `at` and has so many numbers: on a cache line. */
static inline int64_t h3ou__bundle_after(int64_t at, int64_t numbers)
{
    enum { LINE = 64 / sizeof(double) };
    return (at + numbers + LINE - 1) / LINE * LINE;
}

#endif
