/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/message/arrival_order.h"

#include <stdlib.h>

#include "universe/message/inside.h"
#include "universe/message/send_buffer.h"
#include "universe/world/failure.h"

static universe_order *listed; /* of communicators that keep receives */

static universe_order *order_get(universe_comm *c)
{
    if (!c->order) {
        c->order = calloc(1, sizeof *c->order);
        if (!c->order)
            return NULL;
        c->order->stray_end = &c->order->stray;
        c->order->comm = c;
    }
    return c->order;
}

static void order_list(universe_order *o)
{
    if (o->is_listed)
        return;
    o->is_listed = true;
    o->next = listed;
    listed = o;
    universe.sweep = universe_sweep;
}

static void order_unlist(universe_order *o)
{
    universe_order **at = &listed;
    while (*at && *at != o)
        at = &(*at)->next;
    if (*at)
        *at = o->next;
    o->is_listed = false;
}

static void order_append(universe_order *o, universe_message *m)
{
    m->is_kept = true;
    o->comm->passing.kept++;
    m->after = NULL;
    m->before = o->last;
    *(o->last ? &o->last->after : &o->first) = m;
    o->last = m;
    if (!m->is_crossing) {
        m->is_counted = true;
        universe.open++;
    }
    order_list(o);
}

static void order_cut(universe_order *o, universe_message *m)
{
    *(m->before ? &m->before->after : &o->first) = m->after;
    *(m->after ? &m->after->before : &o->last) = m->before;
    m->before = m->after = NULL;
    m->is_kept = false;
    o->comm->passing.kept--;
    universe.open -= m->is_counted;
    m->is_counted = false;
}

/* Gives the job's MPI the receives at the head that wait for none from any source. */
static void order_release(universe_order *o)
{
    while (o->first && o->first->other != ABI_ANY_SOURCE) {
        universe_message *m = o->first;
        const universe_comm *c = o->comm;
        order_cut(o, m);
        int code = universe_inside_irecv(m->buf, m->count, m->type, c->local_rank[m->other], m->tag, c->local, &m->inner);
        if (code)
            universe_message_end(m, code, NULL);
        else
            m->is_inside = true;
    }
    if (!o->first)
        order_unlist(o);
}

void universe_order_remove(universe_message *m)
{
    universe_order *o = m->base.comm->order;
    order_cut(o, m);
    order_release(o);
}

static bool fits(int source, int tag, const abi_Status *status)
{
    return (source == ABI_ANY_SOURCE || source == status->MPI_SOURCE) && (tag == ABI_ANY_TAG || tag == status->MPI_TAG);
}

static int local_source(const universe_message *m)
{
    return m->other == ABI_ANY_SOURCE ? ABI_ANY_SOURCE : m->base.comm->local_rank[m->other];
}

universe_stray *universe_order_find(universe_comm *c, int source, int tag)
{
    universe_stray *s = c->order ? c->order->stray : NULL;
    while (s && !fits(source, tag, &s->status))
        s = s->next;
    return s;
}

abi_Message universe_order_pick(universe_comm *c, universe_stray *s)
{
    universe_order *o = c->order;
    universe_stray **at = &o->stray;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    if (o->stray_end == &s->next)
        o->stray_end = at;
    abi_Message message = s->message;
    c->passing.kept--;
    free(s);
    return message;
}

static void stray_add(universe_order *o, abi_Message message, const abi_Status *status)
{
    universe_stray *s = malloc(sizeof *s);
    if (!s)
        universe_end(1, "no memory for a message that has arrived");
    *s = (universe_stray){.message = message, .status = *status};
    *o->stray_end = s;
    o->comm->passing.kept++;
    o->stray_end = &s->next;
}

/* Gives a message to the first receive that it fits. */
static void message_offer(universe_order *o, abi_Message message, const abi_Status *status)
{
    for (universe_message *m = o->first, *after; m; m = after) {
        after = m->after;
        if (!fits(local_source(m), m->tag, status))
            continue;
        bool is_free = !m->is_crossing || universe_message_withdraw(m);
        order_cut(o, m);
        if (!is_free)
            continue;
        universe_message_take(m, &message);
        return;
    }
    stray_add(o, message, status);
}

void universe_order_pull(universe_comm *c)
{
    universe_order *o = c->order;
    while (o && o->first) {
        int found = 0;
        abi_Message message;
        abi_Status status;
        if (universe.mpi->Improbe(ABI_ANY_SOURCE, ABI_ANY_TAG, c->local, &found, &message, &status) || !found)
            return;
        message_offer(o, message, &status);
        order_release(o);
    }
}

bool universe_orders_pull(void)
{
    bool are_kept = listed != NULL;
    for (universe_order *o = listed, *next; o; o = next) {
        next = o->next;
        universe_order_pull(o->comm);
    }
    return are_kept;
}

/* Gives a receive a message of this job that has come already, if one fits and no other job's has been matched; returns whether. */
static bool take_arrived(universe_comm *c, universe_message *m)
{
    universe_order_pull(c);
    universe_stray *s = universe_order_find(c, local_source(m), m->tag);
    abi_Message message = (abi_Message)ABI_MESSAGE_NULL;
    int found = 0;
    if (m->is_crossing && s && !universe_message_withdraw(m))
        return false;
    if (s)
        message = universe_order_pick(c, s);
    else if (m->is_crossing || universe_order_keeps(c) || m->other != ABI_ANY_SOURCE)
        return false;
    else if (universe.mpi->Improbe(ABI_ANY_SOURCE, m->tag, c->local, &found, &message, NULL) || !found)
        return false;
    universe_message_take(m, &message);
    return true;
}

void universe_order_post(universe_message *m)
{
    universe_comm *c = m->base.comm;
    universe_order *o = order_get(c);
    bool is_any = m->other == ABI_ANY_SOURCE;
    if (!o) {
        universe_message_end(m, ABI_ERR_NO_MEM, "no memory for the order of receives");
        return;
    }
    if (is_any && !o->was_outside) { /* so that neither route is served always before the other */
        o->was_outside = true;
        universe_message_cross(m);
        if (m->base.is_complete || take_arrived(c, m))
            return;
    } else {
        o->was_outside = o->was_outside && !is_any;
        if (take_arrived(c, m))
            return;
        if (is_any)
            universe_message_cross(m);
        if (m->base.is_complete)
            return;
    }
    order_append(o, m);
    order_release(o);
}

void universe_order_free(universe_comm *c)
{
    universe_order *o = c->order;
    if (!o)
        return;
    order_unlist(o);
    while (o->stray)
        universe_order_pick(c, o->stray);
    free(o);
    c->order = NULL;
}
