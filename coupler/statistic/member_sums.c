/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/statistic/member_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/statistic/member_statistic.h"
#include "coupler/statistic/unset_value.h"

enum { SHARES = 2, MOST_PARTS = 16 }; /* rows of shares behind the values; parts of a tree over H3OU__MEMBERS_MOST */

/* A part of the tree that waits for the next ones. */
typedef struct part {
    double *value; /* [parts of the statistic * rows][ncell], then the shares, and their squares */
    double members;
    bool has_share;
} part;

struct h3ou__member_sums {
    h3ou__member_sums_task task;
    const h3ou__member_statistic *statistic;
    int npart, members;
    part part[MOST_PARTS];
    double *stack; /* [rows][nmember][ncell] of values that are collected */
    double *room;  /* [nmember] */
};

static bool is_collected(const h3ou__member_sums *s)
{
    return s->statistic->parts == 0;
}

/* Returns the rows of values of a part, before its shares. */
static int64_t described_rows(const h3ou__member_sums *s)
{
    return (int64_t)(is_collected(s) ? 1 : s->statistic->parts) * s->task.rows;
}

static double *share_of(const h3ou__member_sums *s, const part *p)
{
    return p->value + described_rows(s) * s->task.ncell;
}

static double *square_of(const h3ou__member_sums *s, const part *p)
{
    return share_of(s, p) + s->task.ncell;
}

int h3ou__member_sums_create(const h3ou__member_sums_task *task, h3ou__member_sums **out)
{
    h3ou__member_sums *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return h3ou__no_memory("%s", task->what);
    s->task = *task;
    s->statistic = h3ou__member_statistic_of((enum h3ou__members_send)task->members->send);
    size_t cells = (size_t)task->ncell + 1, members = (size_t)task->nmember;
    s->room = malloc(sizeof *s->room * members);
    s->stack = malloc(sizeof *s->stack * (is_collected(s) ? (size_t)task->rows * members * cells : 1));
    if (!s->room || !s->stack)
        return h3ou__no_memory("%s", task->what);
    return H3OU__OK;
}

void h3ou__member_sums_free(h3ou__member_sums *s)
{
    if (!s)
        return;
    for (int i = 0; i < MOST_PARTS; i++)
        free(s->part[i].value);
    free(s->room);
    free(s->stack);
    free(s);
}

void h3ou__member_sums_clear(h3ou__member_sums *s)
{
    s->npart = s->members = 0;
    if (is_collected(s))
        h3ou__unset(s->stack, (int64_t)s->task.rows * s->task.nmember * s->task.ncell);
}

/* Returns the part that follows those that wait, with memory, or NULL. */
static part *next_part(h3ou__member_sums *s)
{
    part *p = &s->part[s->npart];
    size_t values = (size_t)((described_rows(s) + SHARES) * s->task.ncell) + 1;
    p->members = 0.0;
    p->has_share = false;
    if (!p->value)
        p->value = malloc(sizeof *p->value * values);
    return p->value ? p : NULL;
}

int h3ou__member_sums_begin(h3ou__member_sums *s, double **value, double **share)
{
    part *p = next_part(s);
    if (!p)
        return h3ou__no_memory("%s", s->task.what);
    *value = p->value;
    *share = share_of(s, p);
    return H3OU__OK;
}

/* Returns the arrays of one row of a part. */
static h3ou__partial row_of(const h3ou__member_sums *s, const part *p, int row)
{
    h3ou__partial of = {.members = p->members};
    of.weight = p->has_share ? share_of(s, p) : NULL;
    of.square = p->has_share ? square_of(s, p) : NULL;
    for (int k = 0; k < s->statistic->parts; k++)
        of.part[k] = p->value + ((int64_t)k * s->task.rows + row) * s->task.ncell;
    return of;
}

static void swap_parts(part *a, part *b)
{
    part c = *a;
    *a = *b;
    *b = c;
}

/* Merges the last part into the one before it. */
static void merge_last(h3ou__member_sums *s)
{
    part *mine = &s->part[s->npart - 2], *theirs = &s->part[s->npart - 1];
    s->npart--;
    if (mine->members == 0.0)
        swap_parts(mine, theirs);
    if (theirs->members == 0.0)
        return;
    double *share = share_of(s, mine), *square = square_of(s, mine);
    for (int64_t i = 0; i < s->task.ncell && theirs->has_share && !mine->has_share; i++)
        share[i] = square[i] = mine->members;
    mine->has_share |= theirs->has_share;
    for (int row = 0; row < s->task.rows; row++) {
        h3ou__partial to = row_of(s, mine, row), from = row_of(s, theirs, row);
        s->statistic->merge(&to, &from, NULL, s->task.ncell);
    }
    h3ou__partial from = row_of(s, theirs, 0);
    for (int64_t i = 0; i < s->task.ncell && mine->has_share; i++) {
        share[i] += h3ou__partial_weight(&from, i);
        square[i] += h3ou__partial_square(&from, i);
    }
    mine->members += theirs->members;
}

/* Adds the part of one place: where it completes parts of the tree, these are merged. */
static void add_part(h3ou__member_sums *s, int place)
{
    s->npart++;
    for (int bits = place; bits & 1; bits >>= 1)
        merge_last(s);
}

/* Keeps the values of one member. Cells with the share 0 are left out. */
static void collect(h3ou__member_sums *s, int place, const part *p)
{
    const double *share = share_of(s, p);
    int64_t n = s->task.ncell;
    for (int row = 0; row < s->task.rows; row++)
        for (int64_t i = 0; i < n; i++)
            if (!p->has_share || share[i] > 0.0)
                s->stack[((int64_t)row * s->task.nmember + place) * n + i] = p->value[row * n + i];
    s->members++;
}

void h3ou__member_sums_end(h3ou__member_sums *s, int place, bool has_share)
{
    part *p = &s->part[s->npart];
    const h3ou__config_members *m = s->task.members;
    p->has_share = has_share;
    if (is_collected(s)) {
        collect(s, place, p);
        return;
    }
    bool counts = m->send != H3OU__SEND_MEMBER || m->number == place;
    const double *share = share_of(s, p);
    double *square = square_of(s, p);
    p->members = counts;
    s->members += counts;
    for (int64_t i = 0; i < s->task.ncell && has_share; i++)
        square[i] = share[i] * share[i];
    for (int row = 0; row < s->task.rows; row++) {
        h3ou__partial mine = row_of(s, p, row);
        s->statistic->begin(&mine, s->task.ncell);
    }
    add_part(s, place);
}

int h3ou__member_sums_skip(h3ou__member_sums *s, int place)
{
    if (is_collected(s))
        return H3OU__OK;
    if (!next_part(s))
        return h3ou__no_memory("%s", s->task.what);
    add_part(s, place);
    return H3OU__OK;
}

int h3ou__member_sums_rows(const h3ou__member_sums *s)
{
    return s->task.rows * (is_collected(s) && !s->statistic->select ? s->task.nmember : 1);
}

/* Writes one row of the result. */
static void write_row(const h3ou__member_sums *s, bool is_turned, int row, const double from[], double to[])
{
    int64_t n = s->task.ncell, apart = is_turned ? h3ou__member_sums_rows(s) : 1;
    double *first = is_turned ? to + row : to + row * n;
    for (int64_t i = 0; i < n; i++)
        first[i * apart] = h3ou__is_unset(from[i]) ? NAN : from[i];
}

/* Writes the values of all members: of each component all layers of the first member, then those of the next. */
static void write_stack(const h3ou__member_sums *s, bool is_turned, double to[])
{
    int layer = s->task.layer, nmember = s->task.nmember;
    for (int row = 0; row < s->task.rows; row++)
        for (int m = 0; m < nmember; m++)
            write_row(s, is_turned, (row / layer * nmember + m) * layer + row % layer,
                      s->stack + ((int64_t)row * nmember + m) * s->task.ncell, to);
}

/* Selects the statistic from the values of all members. A member that counts in a cell counts fully. */
static bool write_selected(h3ou__member_sums *s, bool is_turned, double to[])
{
    part *p = next_part(s);
    double *share = to + (int64_t)s->task.rows * s->task.ncell;
    bool has_share = false;
    if (!p)
        return false;
    for (int row = 0; row < s->task.rows; row++) {
        s->statistic->select(s->stack + (int64_t)row * s->task.nmember * s->task.ncell, s->task.nmember, s->task.ncell,
                             s->task.members->level, s->room, p->value, square_of(s, p));
        write_row(s, is_turned, row, p->value, to);
    }
    for (int64_t i = 0; i < s->task.ncell; i++) {
        share[i] = square_of(s, p)[i] / s->members;
        has_share |= share[i] < 1.0;
    }
    return has_share;
}

bool h3ou__member_sums_write(h3ou__member_sums *s, bool is_turned, double to[])
{
    if (is_collected(s) && s->statistic->select)
        return write_selected(s, is_turned, to);
    if (is_collected(s)) {
        write_stack(s, is_turned, to);
        return false;
    }
    while (s->npart > 1)
        merge_last(s);
    const part *all = &s->part[0];
    double *share = to + (int64_t)s->task.rows * s->task.ncell;
    for (int row = 0; row < s->task.rows; row++) {
        h3ou__partial of = row_of(s, all, row);
        s->statistic->finish(&of, s->task.ncell);
        write_row(s, is_turned, row, of.part[0], to);
    }
    for (int64_t i = 0; i < s->task.ncell && all->has_share; i++)
        share[i] = share_of(s, all)[i] / all->members;
    return all->has_share;
}

int h3ou__member_sums_members(const h3ou__member_sums *s)
{
    return s->members;
}
