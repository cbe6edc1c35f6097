/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbourhood calls: a message to each destination of the topology, and one from each source. Two processes that have several edges between them match
 * these in the order in which each lists them. In a Cartesian topology what is sent towards one side of a dimension arrives from the other
 * side, also where both sides are the same process.
 */
#include "base/error.h"
#include "universe/collective/plans.h"
#include "universe/world/topology.h"
#include "universe/world/failure.h"

static int fail_topology(universe_collective *u)
{
    u->code = ABI_ERR_TOPOLOGY;
    return h3ou__fail(H3OU__EARG, "the communicator has no topology");
}

/* What no process sends stays as it is. */
static void skip_absent(const universe_topology *t, universe_image *m)
{
    for (int i = 0; i < t->nsource; i++)
        if (t->sources[i] == ABI_PROC_NULL)
            m->piece[i].count = 0;
}

/* Returns the source whose message is received as the i-th. */
static int receive_order(const universe_topology *t, int i)
{
    return t->kind == ABI_CART ? i ^ 1 : i;
}

/* is_same: all destinations get the same piece. */
static int add_messages(universe_collective *u, const universe_topology *t, bool is_same)
{
    h3ou__schedule *s = universe_collective_steps(u, UNIVERSE_AMONG_ALL, u->in.bytes, u->out.bytes);
    for (int i = 0; i < t->ndestination && !s->error; i++) {
        int piece = is_same ? 0 : i;
        if (t->destinations[i] != ABI_PROC_NULL)
            h3ou__schedule_send(s, t->destinations[i], h3ou__input(u->in.at[piece]), u->in.length[piece]);
    }
    for (int k = 0; k < t->nsource && !s->error; k++) {
        int i = receive_order(t, k);
        if (t->sources[i] != ABI_PROC_NULL)
            h3ou__schedule_recv(s, t->sources[i], h3ou__output(u->out.at[i]), u->out.length[i]);
    }
    h3ou__schedule_end_round(s);
    return s->error;
}

static int plan(universe_collective *u, bool is_same)
{
    const universe_topology *t = u->request.comm->topology;
    if (!t)
        return fail_topology(u);
    int err = universe_collective_image(u, &u->a.send, is_same ? 1 : t->ndestination, false, UNIVERSE_IMAGE_ANYWHERE, &u->in);
    if (!err)
        err = universe_collective_image(u, &u->a.recv, t->nsource, false, UNIVERSE_IMAGE_ANYWHERE, &u->out);
    if (!err)
        err = universe_image_pack_all(&u->in);
    if (err)
        return err;
    skip_absent(t, &u->out);
    u->takes_out = true;
    return add_messages(u, t, is_same);
}

int universe_plan_neighbor_allgather(universe_collective *u)
{
    return plan(u, true);
}

int universe_plan_neighbor_alltoall(universe_collective *u)
{
    return plan(u, false);
}

/* Elements of the arrays of a neighbourhood call; negative: there are none. */
int universe_neighbors_in(const universe_comm *c)
{
    return c->topology && c->topology->nsource ? c->topology->nsource : -1;
}

int universe_neighbors_out(const universe_comm *c)
{
    return c->topology && c->topology->ndestination ? c->topology->ndestination : -1;
}
