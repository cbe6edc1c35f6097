/* SPDX-License-Identifier: BSD-3-Clause */
/* All to all, with parts of equal or of different sizes and types: each member sends each other one its part. */
#include "base/error.h"
#include "universe/collective/plans.h"

int universe_plan_alltoall(universe_collective *u)
{
    int n = u->request.comm->size;
    bool is_in_place = universe_is_in_place(u->a.send.buf);
    int err = universe_collective_image(u, &u->a.recv, n, false, UNIVERSE_IMAGE_ANYWHERE, &u->out);
    if (!err)
        err = universe_collective_image(u, is_in_place ? &u->a.recv : &u->a.send, n, false,
                                        is_in_place ? UNIVERSE_IMAGE_COPIED : UNIVERSE_IMAGE_ANYWHERE, &u->in);
    if (!err)
        err = universe_image_pack_all(&u->in);
    if (err)
        return err;
    u->takes_out = true;
    h3ou__call call = {.operation = H3OU__COLL_ALLTOALL, .element = 1, .is_vector = true, .counts = u->out.length, .displs = u->out.at,
                       .send_counts = u->in.length, .send_displs = u->in.at};
    return universe_collective_stage(u, UNIVERSE_AMONG_ALL, call, u->in.bytes, u->out.bytes);
}
