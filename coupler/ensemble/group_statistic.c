/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/group_statistic.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_state.h"
#include "coupler/config/leniency.h"

enum { SHARES = 2 }; /* rows of shares at the end of a message */

/* Returns the rows that describe the values of some members. */
static int described_rows(const h3ou__group_statistic *g)
{
    return g->statistic->parts * g->rows;
}

int h3ou__group_statistic_create(h3ou__world *world, const h3ou__family *family, const h3ou__config *config,
                            const h3ou__config_var *var, int rows, int tag, const char *what, h3ou__group_statistic **out)
{
    h3ou__group_statistic *g = calloc(1, sizeof *g);
    if (!g)
        return h3ou__no_memory("%s", what);
    *g = (h3ou__group_statistic){.world = world, .config = config, .var = var, .what = what};
    g->statistic = h3ou__member_statistic_of(var->members.send);
    g->n = family->grid->n;
    g->rows = rows;
    int described = described_rows(g);
    g->value = calloc((size_t)((described + SHARES) * g->n) + 1, sizeof *g->value);
    int err = g->value ? H3OU__OK : h3ou__no_memory("%s", what);
    if (!err) {
        g->share = g->value + described * g->n;
        g->square = g->share + g->n;
        err = h3ou__mails_create(world, family, tag, described + SHARES, what, &g->mail);
    }
    for (int i = 0; i < g->mail.nchild && !err; i++)
        err = h3ou__mail_post(g->mail.child[i]);
    *out = g;
    return err;
}

void h3ou__group_statistic_free(h3ou__group_statistic *g)
{
    if (!g)
        return;
    h3ou__mails_free(&g->mail);
    free(g->value);
    free(g);
}

/* Makes all cells count fully, so that shares can be added. */
static void begin_shares(h3ou__group_statistic *g, double members)
{
    for (int64_t i = 0; i < g->n && !g->has_share; i++)
        g->share[i] = g->square[i] = members;
    g->has_share = true;
}

/* Returns the arrays of one row of mine, that of `members` members. */
static h3ou__partial my_row(const h3ou__group_statistic *g, int row, double members)
{
    h3ou__partial p = {.members = members};
    p.weight = g->has_share ? g->share : NULL;
    p.square = g->has_share ? g->square : NULL;
    for (int part = 0; part < g->statistic->parts; part++)
        p.part[part] = g->value + (part * g->rows + row) * g->n;
    return p;
}

/* Adds the values of one process of a child: `rows` rows of `count` cells each. */
static void merge_part(h3ou__group_statistic *g, double *from, int rows, const int64_t cell[], int64_t count,
                       double members_before, double members_added)
{
    int described = described_rows(g);
    h3ou__partial theirs = {.members = members_added};
    if (rows > described) {
        theirs.weight = from + described * count;
        theirs.square = theirs.weight + count;
    }
    for (int row = 0; row < g->rows; row++) {
        h3ou__partial mine = my_row(g, row, members_before);
        for (int part = 0; part < g->statistic->parts; part++)
            theirs.part[part] = from + (part * g->rows + row) * count;
        g->statistic->merge(&mine, &theirs, cell, count);
    }
    for (int64_t i = 0; i < count && g->has_share; i++) {
        g->share[cell[i]] += h3ou__partial_weight(&theirs, i);
        g->square[cell[i]] += h3ou__partial_square(&theirs, i);
    }
}

/* Adds what a child sent: `rows` rows, the last of them for shares when there are more than of values. */
static void add_child(h3ou__group_statistic *g, const h3ou__mail *m, int rows, double members_before, double members_added)
{
    if (rows > described_rows(g))
        begin_shares(g, members_before);
    for (int k = 0; k < m->bridge->npartner; k++) {
        const int64_t *cell;
        int64_t count;
        double *from = h3ou__mail_part(m, k, &cell, &count);
        merge_part(g, from, rows, cell, count, members_before, members_added);
    }
}

static int fail_ended(const h3ou__group_statistic *g, const h3ou__mail *m, double time, double ended)
{
    return h3ou__fail(
        H3OU__ENOVALUE,
        "%s:%d: %s: member %s ended %.0f s after the start, before the exchange at %.0f s: all members must "
        "run to the same end",
        g->config->file, g->var->line, g->what, m->bridge->name, ended, time);
}

static void warn_no_value(h3ou__group_statistic *g, const h3ou__mail *m, double time, bool child_has)
{
    h3ou__warn(&g->is_told,
               "%s:%d: %s: %s put no value for the exchange at %.0f s, %s did: there is no statistic over the members",
               g->config->file, g->var->line, g->what,
               child_has ? h3ou__world_component_name(g->world, h3ou__world_me(g->world)) : m->bridge->name, time,
               child_has ? m->bridge->name : h3ou__world_component_name(g->world, h3ou__world_me(g->world)));
}

static int receive_child(h3ou__group_statistic *g, h3ou__mail *m, double time, bool *has_value, int *members)
{
    h3ou__mail_head head;
    int rows, err = h3ou__mail_receive(m, &head, &rows);
    if (err || m->bridge->npartner == 0)
        return err;
    if (head.state == H3OU__END)
        return fail_ended(g, m, time, head.ended);
    if (head.time != time)
        return h3ou__fail(H3OU__EPROTO, "%s: awaited the exchange of %s at %.0f s after the start, got that at %.0f s",
                          g->what, m->bridge->name, time, head.time);
    bool child_has = head.state == H3OU__VALUE;
    if (child_has != *has_value)
        warn_no_value(g, m, time, child_has);
    if (child_has && rows != described_rows(g) && rows != described_rows(g) + SHARES)
        return h3ou__fail(H3OU__EPROTO, "%s: %s sent %d rows of values, %d are awaited", g->what, m->bridge->name, rows,
                          described_rows(g));
    *has_value = *has_value && child_has;
    if (*has_value)
        add_child(g, m, rows, *members, head.members);
    *members += (int)head.members;
    return h3ou__mail_post(m);
}

/* Makes the description of my own values. */
static void begin_rows(h3ou__group_statistic *g)
{
    for (int64_t i = 0; i < g->n && g->has_share; i++)
        g->square[i] = g->share[i] * g->share[i];
    for (int row = 0; row < g->rows; row++) {
        h3ou__partial mine = my_row(g, row, 1.0);
        g->statistic->begin(&mine, g->n);
    }
}

/* Makes the statistic of all members, and the means of their shares. */
static void finish_rows(h3ou__group_statistic *g, double members)
{
    for (int row = 0; row < g->rows; row++) {
        h3ou__partial all = my_row(g, row, members);
        g->statistic->finish(&all, g->n);
    }
    for (int64_t i = 0; i < g->n && g->has_share; i++)
        g->share[i] /= members;
}

int h3ou__group_statistic_exchange(h3ou__group_statistic *g, double time, bool *has_value, int *members)
{
    int err = H3OU__OK;
    *members = 1;
    if (*has_value)
        begin_rows(g);
    for (int i = 0; i < g->mail.nchild && !err; i++)
        err = receive_child(g, g->mail.child[i], time, has_value, members);
    if (!err && !g->mail.parent && *has_value)
        finish_rows(g, *members);
    if (err || !g->mail.parent)
        return err;
    h3ou__mail_head head = {time, *has_value ? H3OU__VALUE : H3OU__NO_VALUE, *members, 0.0};
    int rows = described_rows(g) + (g->has_share ? SHARES : 0);
    return h3ou__mail_send(g->mail.parent, &head, g->value, g->n, *has_value ? rows : 0);
}

int h3ou__group_statistic_end(h3ou__group_statistic *g, double time, int64_t now)
{
    h3ou__mail_head head = {time, H3OU__END, 0.0, (double)now};
    return g->mail.parent ? h3ou__mail_send(g->mail.parent, &head, NULL, 0, 0) : H3OU__OK;
}

int h3ou__group_statistic_drain(h3ou__group_statistic *g)
{
    int err = g->mail.parent ? h3ou__mail_drain(g->mail.parent) : H3OU__OK;
    for (int i = 0; i < g->mail.nchild && !err; i++) {
        h3ou__mail_head head = {0};
        int rows;
        do {
            err = h3ou__mail_receive(g->mail.child[i], &head, &rows);
        } while (!err && head.state != H3OU__END && g->mail.child[i]->bridge->npartner > 0);
    }
    return err;
}
