/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/group_statistic.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_state.h"
#include "coupler/config/leniency.h"
#include "coupler/statistic/unset_value.h"

enum { SHARES = 2 }; /* rows of shares at the end of a message */

static bool is_collected(const h3ou__group_statistic *g)
{
    return g->statistic->parts == 0;
}

/* Returns the rows of a member's collected values that are exchanged at once: one where a statistic is selected from them,
 * so that the memory does not grow with the layers. */
static int collected_rows(const h3ou__group_statistic *g)
{
    return g->statistic->select ? 1 : g->rows;
}

/* Returns the rows of values in the message of a part of the tree with so many members. */
static int message_rows(const h3ou__group_statistic *g, int below)
{
    return is_collected(g) ? below * collected_rows(g) : g->statistic->parts * g->rows;
}

/* Returns whether what I send to my parent is put together in the message to it. */
static bool is_in_message(const h3ou__group_statistic *g)
{
    return !is_collected(g) && g->mail.parent && g->mail.parent->is_whole;
}

/* Returns the rows that describe a part of the tree, without its shares. */
static int described_rows(const h3ou__group_statistic *g)
{
    return is_collected(g) ? g->rows : message_rows(g, h3ou__family_below(g->family->place, g->family->size));
}

/* Says where my values, and the shares behind them, stand. */
static void use_memory(h3ou__group_statistic *g, double *value)
{
    g->value = value;
    g->share = value + described_rows(g) * g->n;
    g->square = g->share + g->n;
}

static int allocate(h3ou__group_statistic *g)
{
    int below = h3ou__family_below(g->family->place, g->family->size);
    size_t stacked = is_collected(g) ? (size_t)message_rows(g, below) * (size_t)g->n : 0;
    if (!is_in_message(g)) {
        g->room = calloc((size_t)((described_rows(g) + SHARES) * g->n) + 1, sizeof *g->room);
        if (!g->room)
            return h3ou__no_memory("%s", g->what);
        use_memory(g, g->room);
    }
    g->stack = calloc(stacked + (size_t)g->family->size, sizeof *g->stack);
    if (!g->stack)
        return h3ou__no_memory("%s", g->what);
    g->members_room = g->stack + stacked;
    return H3OU__OK;
}

/* Finds out whether my member is one that counts. */
static int find_counts(h3ou__group_statistic *g)
{
    const h3ou__config_members *m = &g->var->members;
    g->counts = m->send != H3OU__SEND_MEMBER || m->number == g->family->place;
    if (m->send != H3OU__SEND_MEMBER || m->number < g->family->size)
        return H3OU__OK;
    return h3ou__fail(H3OU__ECONFIG, "%s:%d: statistic='%s': the group of %s has the members 0 to %d", g->config->file,
                      g->var->line, m->statistic, h3ou__world_component_name(g->world, h3ou__world_me(g->world)),
                      g->family->size - 1);
}

int h3ou__group_statistic_create(h3ou__world *world, const h3ou__family *family, const h3ou__config *config,
                                 const h3ou__config_var *var, int rows, int tag, const char *what,
                                 h3ou__group_statistic **out)
{
    h3ou__group_statistic *g = calloc(1, sizeof *g);
    if (!g)
        return h3ou__no_memory("%s", what);
    *g = (h3ou__group_statistic){
        .world = world, .config = config, .var = var, .family = family, .what = what, .n = family->grid->n, .rows = rows};
    *out = g;
    g->statistic = h3ou__member_statistic_of(var->members.send);
    int most = is_collected(g) ? collected_rows(g) : g->statistic->parts * rows + SHARES, err = find_counts(g);
    if (!err)
        err = h3ou__mails_create(world, family, tag, most, is_collected(g), what, &g->mail);
    if (!err)
        err = allocate(g);
    for (int i = 0; i < g->mail.nchild && !err; i++)
        err = h3ou__mail_post(g->mail.child[i]);
    return err;
}

void h3ou__group_statistic_free(h3ou__group_statistic *g)
{
    if (!g)
        return;
    h3ou__mails_free(&g->mail);
    free(g->room);
    free(g->stack);
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

/* Adds the values of one process of a child: `rows` rows of `count` cells each. cell: NULL: all of mine in their order. */
static void merge_part(h3ou__group_statistic *g, const double *from, int rows, const int32_t cell[], int64_t count,
                       double members_before, double members_added)
{
    int described = message_rows(g, 0);
    h3ou__partial theirs = {.members = members_added};
    if (rows > described) {
        theirs.weight = from + described * count;
        theirs.square = theirs.weight + count;
    }
    for (int row = 0; row < g->rows; row++) {
        h3ou__partial mine = my_row(g, row, members_before);
        for (int part = 0; part < g->statistic->parts; part++)
            theirs.part[part] = (double *)(uintptr_t)(from + (part * g->rows + row) * count); /* only read */
        g->statistic->merge(&mine, &theirs, cell, count);
    }
    for (int64_t i = 0; i < count && g->has_share; i++) {
        int64_t at = cell ? cell[i] : i;
        g->share[at] += h3ou__partial_weight(&theirs, i);
        g->square[at] += h3ou__partial_square(&theirs, i);
    }
}

static void copy_rows(const double *from, int rows, const int32_t cell[], int64_t count, double *to, int64_t n)
{
    for (int row = 0; row < rows; row++, from += count, to += n)
        for (int64_t i = 0; i < count; i++)
            to[cell[i]] = from[i];
}

/* Takes what child number i sent: `rows` rows, the last of them for shares when there are more than of values. */
static void take_child(h3ou__group_statistic *g, int i, int rows, double members_before, double members_added)
{
    const h3ou__mail *m = g->mail.child[i];
    bool is_shared = rows > message_rows(g, h3ou__family_below(g->family->place + (1 << i), g->family->size));
    if (is_shared)
        begin_shares(g, members_before);
    for (int k = 0; k < m->bridge->npartner; k++) {
        const int32_t *cell;
        int64_t count;
        const double *from = h3ou__mail_part(m, k, &cell, &count);
        if (is_collected(g)) /* the places below the child begin 2^i after mine */
            copy_rows(from, rows, cell, count, g->stack + (int64_t)message_rows(g, 1 << i) * g->n, g->n);
        else if (members_before > 0.0)
            merge_part(g, from, rows, m->is_whole ? NULL : cell, count, members_before, members_added);
        else
            copy_rows(from, rows, cell, count, g->value, g->n);
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

/* Waits for the part of the tree below child number i. *members and *has_value are of what was put together before. */
static int receive_child(h3ou__group_statistic *g, int i, double time, bool *has_value, int *members)
{
    h3ou__mail *m = g->mail.child[i];
    h3ou__mail_head head;
    int rows, err = h3ou__mail_receive(m, &head, &rows);
    if (err || m->bridge->npartner == 0)
        return err;
    if (head.state == H3OU__END)
        return fail_ended(g, m, time, head.ended);
    if (head.time != time)
        return h3ou__fail(H3OU__EPROTO, "%s: awaited the exchange of %s at %.0f s after the start, got that at %.0f s",
                          g->what, m->bridge->name, time, head.time);
    int awaited = message_rows(g, h3ou__family_below(g->family->place + (1 << i), g->family->size));
    bool child_has = head.state == H3OU__VALUE;
    if (child_has && rows != awaited && (is_collected(g) || rows != awaited + SHARES))
        return h3ou__fail(H3OU__EPROTO, "%s: %s sent %d rows of values, %d are awaited", g->what, m->bridge->name, rows,
                          awaited);
    if (head.members > 0.0 && *members > 0 && child_has != *has_value)
        warn_no_value(g, m, time, child_has);
    if (head.members > 0.0)
        *has_value = child_has && (*has_value || *members == 0);
    if (head.members > 0.0 && *has_value)
        take_child(g, i, rows, *members, head.members);
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

/* Receives from the children, and sends what was put together to the parent. value: `rows` rows of it, and the shares. */
static int pass_on(h3ou__group_statistic *g, double time, const double *value, bool *has_value, int *members)
{
    int err = H3OU__OK, rows = message_rows(g, h3ou__family_below(g->family->place, g->family->size));
    *members = g->counts;
    for (int i = 0; i < g->mail.nchild && !err; i++)
        err = receive_child(g, i, time, has_value, members);
    if (err || !g->mail.parent)
        return err;
    h3ou__mail_head head = {.time = time, .state = *has_value ? H3OU__VALUE : H3OU__NO_VALUE, .members = *members};
    rows += g->has_share && !is_collected(g) ? SHARES : 0;
    return h3ou__mail_send(g->mail.parent, &head, value, g->n, *has_value ? rows : 0);
}

/* Puts my values in the stack's first place. Cells with the share 0 are left out. */
static void begin_stack(h3ou__group_statistic *g, const double *value, int rows)
{
    h3ou__unset(g->stack, (int64_t)message_rows(g, h3ou__family_below(g->family->place, g->family->size)) * g->n);
    for (int row = 0; row < rows; row++)
        for (int64_t i = 0; i < g->n; i++)
            if (!g->has_share || g->share[i] > 0.0)
                g->stack[row * g->n + i] = value[row * g->n + i];
}

/* Selects the statistic of one row. Afterwards g->square has how many members count in a cell. */
static void select_row(h3ou__group_statistic *g, double *value)
{
    g->statistic->select(g->stack, g->family->size, g->n, g->var->members.level, g->members_room, value, g->square);
}

/* Makes the shares of a selected statistic: a member that counts in a cell counts fully. */
static void select_shares(h3ou__group_statistic *g, int members)
{
    g->has_share = false;
    for (int64_t i = 0; i < g->n; i++) {
        g->share[i] = g->square[i] / members;
        g->has_share = g->has_share || g->share[i] < 1.0;
    }
}

/* Collects the values of all members, some rows at a time. */
static int collect(h3ou__group_statistic *g, double time, bool *has_value, int *members)
{
    int err = H3OU__OK, rows = collected_rows(g);
    bool mine = *has_value, is_selected = g->statistic->select && !g->mail.parent;
    for (int row = 0; row < g->rows && !err; row += rows) {
        bool has = mine;
        begin_stack(g, g->value + row * g->n, has ? rows : 0);
        err = pass_on(g, time, g->stack, &has, members);
        *has_value = *has_value && has;
        if (!err && *has_value && is_selected)
            select_row(g, g->value + row * g->n);
    }
    if (!err && *has_value && is_selected)
        select_shares(g, *members);
    return err;
}

int h3ou__group_statistic_begin(h3ou__group_statistic *g)
{
    double *value;
    if (!is_in_message(g))
        return H3OU__OK;
    int err = h3ou__mail_begin(g->mail.parent, &value);
    if (!err)
        use_memory(g, value);
    return err;
}

int h3ou__group_statistic_exchange(h3ou__group_statistic *g, double time, bool *has_value, int *members)
{
    if (is_collected(g))
        return collect(g, time, has_value, members);
    *has_value = *has_value && g->counts;
    g->has_share = g->has_share && *has_value;
    if (*has_value)
        begin_rows(g);
    int err = pass_on(g, time, g->value, has_value, members);
    if (!err && *has_value && !g->mail.parent)
        finish_rows(g, *members);
    return err;
}

int h3ou__group_statistic_end(h3ou__group_statistic *g, double time, double now)
{
    h3ou__mail_head head = {.time = time, .state = H3OU__END, .ended = now};
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
