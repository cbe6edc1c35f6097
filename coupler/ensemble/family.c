/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/family.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/members.h"

int h3ou__family_children(int place, int size)
{
    int n = 0;
    while ((place >> n & 1) == 0 && place + (1 << n) < size)
        n++;
    return n;
}

/* Makes the bridge to the member at a place of my group. */
static int bridge_to(h3ou__bridge_task *task, const h3ou__family *f, int place, bool is_parent, h3ou__bridge **out)
{
    h3ou__world *w = task->world;
    int me = h3ou__world_me(w), group = h3ou__world_component_member(w, me) % f->ngroup;
    task->other = h3ou__world_member(w, h3ou__world_component_base(w, me), group + place * f->ngroup);
    task->is_parent = is_parent;
    return h3ou__bridge_make(task, out);
}

int h3ou__family_make(h3ou__bridge_task task, const char *base, h3ou__family **out)
{
    h3ou__world *w = task.world;
    int me = h3ou__world_me(w), member = h3ou__world_component_member(w, me), err = H3OU__OK;
    h3ou__family *f = calloc(1, sizeof *f);
    if (!f)
        return h3ou__no_memory("the members of an ensemble");
    f->grid = task.grid;
    f->ngroup = h3ou__world_members(w, base);
    f->place = member / f->ngroup;
    f->size = h3ou__members_in_group(member, h3ou__world_component_members(w, me), f->ngroup);
    int nchild = h3ou__family_children(f->place, f->size);
    for (; f->nchild < nchild && !err; f->nchild += !err)
        err = bridge_to(&task, f, f->place + (1 << f->nchild), true, &f->child[f->nchild]);
    if (!err && f->place > 0)
        err = bridge_to(&task, f, f->place & (f->place - 1), false, &f->parent);
    if (err) {
        h3ou__family_free(f);
        return err;
    }
    h3ou__log(H3OU__LOG_LOUD, "members", "grid=%s with=%s place=%d of=%d children=%d", f->grid->name, base, f->place,
              f->size, f->nchild);
    *out = f;
    return H3OU__OK;
}

void h3ou__family_free(h3ou__family *f)
{
    if (!f)
        return;
    for (int i = 0; i < f->nchild; i++)
        h3ou__bridge_free(f->child[i]);
    h3ou__bridge_free(f->parent);
    free(f);
}
