/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A statistic over the members of a group (member_statistic.h), put together on one process from the members' values,
 * which come one after the other by ascending place. They are merged as along the tree over the members (family.h),
 * with the same bits: as soon as a part of the tree is complete, it is merged with the one before it, so that of N
 * members log2 N + 1 parts are held. Members that are left out count as absent. Values that are collected are held of
 * all members.
 */
#ifndef H3OU_COUPLER_STATISTIC_MEMBER_SUMS_H
#define H3OU_COUPLER_STATISTIC_MEMBER_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/config/config.h"

typedef struct h3ou__member_sums h3ou__member_sums;

/* What is put together; borrowed. */
typedef struct h3ou__member_sums_task {
    const h3ou__config_members *members;
    int nmember, layer, rows; /* rows: layers times components of a member's values */
    int64_t ncell;
    const char *what; /* for errors */
} h3ou__member_sums_task;

/* The caller frees *out, also after an error. */
int h3ou__member_sums_create(const h3ou__member_sums_task *task, h3ou__member_sums **out);
void h3ou__member_sums_free(h3ou__member_sums *s); /* NULL allowed */
/* Begins the next exchange. */
void h3ou__member_sums_clear(h3ou__member_sums *s);
/* Returns where the next member's values are to be written, *value: [rows][ncell], and the shares of its cells, *share:
 * [ncell]. Cells with the share 0 have the value 0. */
int h3ou__member_sums_begin(h3ou__member_sums *s, double **value, double **share);
/* Adds them, as those of a place of the group. has_share: else all cells count fully, whatever share[] has. */
void h3ou__member_sums_end(h3ou__member_sums *s, int place, bool has_share);
/* Leaves out the member of a place. */
int h3ou__member_sums_skip(h3ou__member_sums *s, int place);
/* Returns the rows of the statistic: those of all members where it has their values, else of one. */
int h3ou__member_sums_rows(const h3ou__member_sums *s);
/* After the last member: writes the statistic to `to`, row after row or, is_turned, all rows of a cell together; behind
 * it the shares of the cells, when it returns true. */
bool h3ou__member_sums_write(h3ou__member_sums *s, bool is_turned, double to[]);
/* Returns how many members have taken part in the exchange. */
int h3ou__member_sums_members(const h3ou__member_sums *s);

#endif
