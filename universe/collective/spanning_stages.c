/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans add to a call: leaders, images, memory and stages. */
#include <limits.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/kept_memory.h"
#include "coll/select.h"
#include "universe/collective/spanning_collective.h"
#include "universe/member/job_memory.h"

static int fail_argument(universe_collective *u, int code, const char *what)
{
    u->code = code;
    return h3ou__fail(H3OU__EARG, "%s", what);
}

int universe_collective_check_root(universe_collective *u)
{
    int root = u->a.root;
    if (root != UNIVERSE_ROOTLESS && (root < 0 || root >= u->request.comm->size))
        return fail_argument(u, ABI_ERR_ROOT, "the root is no rank of the communicator");
    return H3OU__OK;
}

int universe_collective_check(universe_collective *u, const universe_side *side, int n)
{
    for (int i = 0; i < (side->counts.at ? n : 1); i++)
        if ((side->counts.at ? universe_number(&side->counts, i) : side->count) < 0)
            return fail_argument(u, ABI_ERR_COUNT, "a count is negative");
    for (int i = 0; i < (side->types ? n : 1); i++)
        if ((intptr_t)(side->types ? side->types[i] : side->type) == ABI_DATATYPE_NULL)
            return fail_argument(u, ABI_ERR_TYPE, "a datatype is MPI_DATATYPE_NULL");
    if ((intptr_t)u->a.op == ABI_OP_NULL)
        return fail_argument(u, ABI_ERR_OP, "the operation is MPI_OP_NULL");
    return H3OU__OK;
}

int universe_collective_image(universe_collective *u, const universe_side *side, int n, bool is_by_job, enum universe_image_manner manner,
                              universe_image *out)
{
    int err = universe_collective_check(u, side, n);
    return err ? err : universe_image_open(side, n, is_by_job ? u->d->order : NULL, u->d->is_mixed, manner, out);
}

int universe_collective_lead(universe_collective *u, int root, bool is_last)
{
    const universe_division *d = u->d;
    u->leader = malloc((size_t)d->n * sizeof *u->leader);
    if (!u->leader)
        return h3ou__no_memory("a collective call");
    for (int p = 0; p < d->n; p++)
        u->leader[p] = d->order[is_last ? d->first[p + 1] - 1 : d->first[p]];
    if (root >= 0)
        u->leader[d->place[root]] = root;
    u->link[UNIVERSE_AMONG_LEADERS] = (universe_link){u->request.comm, u->leader};
    return H3OU__OK;
}

bool universe_collective_leads(const universe_collective *u)
{
    return u->leader[u->d->mine] == u->request.comm->rank;
}

char *universe_collective_memory(universe_collective *u, int64_t bytes)
{
    char *memory = h3ou__kept_memory_take((size_t)bytes + 1);
    if (memory)
        u->memory[u->nmemory++] = memory;
    else
        h3ou__no_memory("a collective call");
    return memory;
}

int64_t *universe_collective_array(universe_collective *u, int n)
{
    int64_t *array = calloc((size_t)n + 1, sizeof *array);
    if (array)
        u->array[u->narray++] = array;
    else
        h3ou__no_memory("a collective call");
    return array;
}

static void find_members(const universe_collective *u, int among, h3ou__call *call)
{
    const universe_comm *c = u->request.comm;
    call->size = among == UNIVERSE_AMONG_JOB ? c->nlocal : among == UNIVERSE_AMONG_LEADERS ? u->d->n : c->size;
    call->me = among == UNIVERSE_AMONG_JOB ? c->my_local : among == UNIVERSE_AMONG_LEADERS ? u->d->mine : c->rank;
}

static universe_stage *add(universe_collective *u, int among, const void *input, void *output)
{
    universe_stage *s = &u->stage[u->nstage++];
    *s = (universe_stage){.among = among,
                          .data = {.input = input, .output = output, .element = 1, .combine = universe_fold_combine, .user = &u->fold}};
    return s;
}

void universe_collective_divide(universe_collective *u, int64_t bytes, int64_t element)
{
    const double USUAL = 1 << 16;
    const int64_t SHORTEST = 1 << 18;
    int64_t segment = h3ou__cost_overlap_segment(bytes, USUAL, SHORTEST);
    if (bytes < 2 * segment || u->request.comm->size == u->d->n || segment < element)
        return;
    u->bytes = bytes;
    u->each = segment / element * element;
    u->nsegment = (bytes + u->each - 1) / u->each;
}

int64_t universe_collective_window(const universe_collective *u, int64_t bytes)
{
    return u->nsegment > UNIVERSE_SEGMENTS ? UNIVERSE_SEGMENTS * u->each : bytes;
}

int universe_collective_stage(universe_collective *u, int among, h3ou__call call, const void *input, void *output)
{
    universe_stage *s = add(u, among, input, output);
    find_members(u, among, &call);
    s->data.element = call.element;
    s->call = call;
    return u->nsegment > 1 ? H3OU__OK : h3ou__coll_build(&call, &s->schedule, NULL);
}

/* Sets *is to whether a stage inside the job goes through memory that its processes share. They pass an element as a whole. */
static int is_in_memory(universe_collective *u, const h3ou__call *call, bool *is)
{
    enum { LONGEST_ELEMENT = 1 << 16 };
    h3ou__host_block *memory = NULL;
    int err = u->is_blocking ? universe_job_memory_of(u->request.comm, &memory) : H3OU__OK;
    *is = memory && call->element <= LONGEST_ELEMENT;
    return err;
}

int universe_collective_stage_inside(universe_collective *u, enum universe_inside inside, h3ou__call call, const void *input, void *output)
{
    bool has_memory, is_packed_reduction = inside == UNIVERSE_INSIDE_REDUCE && u->fold.is_packed;
    int err = is_in_memory(u, &call, &has_memory);
    if (err)
        return err;
    if (!has_memory && (universe.is_crowded || !u->is_blocking || is_packed_reduction || call.count > INT_MAX))
        return universe_collective_stage(u, UNIVERSE_AMONG_JOB, call, input, output);
    universe_stage *s = add(u, UNIVERSE_AMONG_JOB, input, output);
    s->data.element = call.element;
    s->inside = inside;
    s->is_in_memory = has_memory;
    s->call = call;
    s->count = call.count;
    s->root = call.root;
    return H3OU__OK;
}

h3ou__schedule *universe_collective_steps(universe_collective *u, int among, const void *input, void *output)
{
    universe_stage *s = add(u, among, input, output);
    s->data.element = (int)(u->fold.element ? u->fold.element : 1);
    return &s->schedule;
}
