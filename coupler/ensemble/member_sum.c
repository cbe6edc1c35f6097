/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/member_sum.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_state.h"
#include "coupler/config/leniency.h"

int h3ou__member_sum_create(h3ou__world *world, const h3ou__family *family, const h3ou__config *config,
                            const h3ou__config_var *var, int rows, int tag, const char *what, h3ou__member_sum **out)
{
    h3ou__member_sum *g = calloc(1, sizeof *g);
    if (!g)
        return h3ou__no_memory("%s", what);
    *g = (h3ou__member_sum){.world = world, .config = config, .var = var, .what = what};
    g->n = family->grid->n;
    g->rows = rows;
    g->sum = calloc((size_t)((rows + 1) * g->n) + 1, sizeof *g->sum);
    int err = g->sum ? H3OU__OK : h3ou__no_memory("%s", what);
    if (!err)
        err = h3ou__mails_create(world, family, tag, rows + 1, what, &g->mail);
    for (int i = 0; i < g->mail.nchild && !err; i++)
        err = h3ou__mail_post(g->mail.child[i]);
    *out = g;
    return err;
}

void h3ou__member_sum_free(h3ou__member_sum *g)
{
    if (!g)
        return;
    h3ou__mails_free(&g->mail);
    free(g->sum);
    free(g);
}

/* Makes all cells count fully, so that shares can be added. */
static void begin_shares(h3ou__member_sum *g, double members)
{
    double *share = g->sum + g->rows * g->n;
    for (int64_t i = 0; i < g->n && !g->has_share; i++)
        share[i] = members;
    g->has_share = true;
}

/* Adds what a child sent: `rows` rows, the last of them for shares when there is one more than of values. */
static void add_child(h3ou__member_sum *g, const h3ou__mail *m, int rows, double members_before, double members_added)
{
    bool shared = rows > g->rows;
    if (shared)
        begin_shares(g, members_before);
    for (int k = 0; k < m->bridge->npartner; k++) {
        const int64_t *cell;
        int64_t count;
        const double *from = h3ou__mail_part(m, k, &cell, &count);
        for (int row = 0; row < rows; row++, from += count) {
            double *to = g->sum + row * g->n;
            for (int64_t i = 0; i < count; i++)
                to[cell[i]] += from[i];
        }
        double *share = g->sum + g->rows * g->n;
        for (int64_t i = 0; i < count && g->has_share && !shared; i++)
            share[cell[i]] += members_added;
    }
}

static int fail_ended(const h3ou__member_sum *g, const h3ou__mail *m, double time, double ended)
{
    return h3ou__fail(
        H3OU__ENOVALUE,
        "%s:%d: %s: member %s ended %.0f s after the start, before the exchange at %.0f s: all members must "
        "run to the same end",
        g->config->file, g->var->line, g->what, m->bridge->name, ended, time);
}

static void warn_no_value(h3ou__member_sum *g, const h3ou__mail *m, double time, bool child_has)
{
    h3ou__warn(&g->is_told,
               "%s:%d: %s: %s put no value for the exchange at %.0f s, %s did: there is no mean over the members",
               g->config->file, g->var->line, g->what,
               child_has ? h3ou__world_component_name(g->world, h3ou__world_me(g->world)) : m->bridge->name, time,
               child_has ? m->bridge->name : h3ou__world_component_name(g->world, h3ou__world_me(g->world)));
}

static int receive_child(h3ou__member_sum *g, h3ou__mail *m, double time, bool *has_value, int *members)
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
    if (child_has && rows != g->rows && rows != g->rows + 1)
        return h3ou__fail(H3OU__EPROTO, "%s: %s sent %d rows of values, %d are awaited", g->what, m->bridge->name, rows,
                          g->rows);
    *has_value = *has_value && child_has;
    if (*has_value)
        add_child(g, m, rows, *members, head.members);
    *members += (int)head.members;
    return h3ou__mail_post(m);
}

int h3ou__member_sum_exchange(h3ou__member_sum *g, double time, bool *has_value, int *members)
{
    int err = H3OU__OK;
    *members = 1;
    for (int i = 0; i < g->mail.nchild && !err; i++)
        err = receive_child(g, g->mail.child[i], time, has_value, members);
    if (err || !g->mail.parent)
        return err;
    h3ou__mail_head head = {time, *has_value ? H3OU__VALUE : H3OU__NO_VALUE, *members, 0.0};
    return h3ou__mail_send(g->mail.parent, &head, g->sum, g->n, *has_value ? g->rows + g->has_share : 0);
}

int h3ou__member_sum_end(h3ou__member_sum *g, double time, int64_t now)
{
    h3ou__mail_head head = {time, H3OU__END, 0.0, (double)now};
    return g->mail.parent ? h3ou__mail_send(g->mail.parent, &head, NULL, 0, 0) : H3OU__OK;
}

int h3ou__member_sum_drain(h3ou__member_sum *g)
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
