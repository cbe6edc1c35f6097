/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/model/exchange_pattern.h"

#include "base/error.h"

int exchange_pattern_divide(exchange_pattern *p)
{
    int side = 1;
    for (int d = 2; (int64_t)d * d <= p->processes; d++)
        side = p->processes % d ? side : d;
    for (int i = 0; i < 2; i++) {
        block_grid *g = &p->grid[i];
        bool is_wide = g->cells[0] >= g->cells[1];
        g->blocks[!is_wide] = p->processes / side;
        g->blocks[is_wide] = side;
        for (int axis = 0; axis < 2; axis++)
            if (g->blocks[axis] > g->cells[axis])
                return h3ou__fail(H3OU__EARG, "a grid of %dx%d cells cannot be divided into %dx%d blocks", g->cells[0],
                                  g->cells[1], g->blocks[0], g->blocks[1]);
    }
    return H3OU__OK;
}

static int64_t block_begin(const block_grid *g, int axis, int block)
{
    return (int64_t)block * g->cells[axis] / g->blocks[axis];
}

/* Returns the block that has a cell. */
static int block_of(const block_grid *g, int axis, int64_t cell)
{
    return (int)(((cell + 1) * g->blocks[axis] - 1) / g->cells[axis]);
}

/* Sets the cells of grid a, along an axis, that the cells begin to end-1 of grid b overlap. */
static void overlap(const block_grid *a, const block_grid *b, int axis, int64_t begin, int64_t end, int64_t cell[2])
{
    cell[0] = begin * a->cells[axis] / b->cells[axis];
    cell[1] = (end * a->cells[axis] + b->cells[axis] - 1) / b->cells[axis];
}

/* Returns the number of cells along an axis that block `from` of the source has for block `to` of the target. */
static int64_t count_cells(const block_grid *source, const block_grid *target, int axis, int from, int to)
{
    int64_t need[2], begin = block_begin(source, axis, from), end = block_begin(source, axis, from + 1);
    overlap(source, target, axis, block_begin(target, axis, to), block_begin(target, axis, to + 1), need);
    begin = need[0] > begin ? need[0] : begin;
    end = need[1] < end ? need[1] : end;
    return end > begin ? end - begin : 0;
}

/* Sets the first and the last block of the other grid along an axis that block `mine` may have cells for or need cells
 * of. */
static void find_others(const block_grid *own, const block_grid *other, int axis, int mine, int range[2])
{
    int64_t cell[2];
    overlap(other, own, axis, block_begin(own, axis, mine), block_begin(own, axis, mine + 1), cell);
    int64_t first = cell[0] > 0 ? cell[0] - 1 : 0, last = cell[1] < other->cells[axis] ? cell[1] : other->cells[axis] - 1;
    range[0] = block_of(other, axis, first);
    range[1] = block_of(other, axis, last);
}

/* Adds the messages of one direction. */
static void add_messages(const exchange_pattern *p, int job, int process, bool is_send, h3ou__schedule *out)
{
    const block_grid *own = &p->grid[job], *other = &p->grid[!job];
    int mine[2] = {process % own->blocks[0], process / own->blocks[0]}, range[2][2];
    for (int axis = 0; axis < 2; axis++)
        find_others(own, other, axis, mine[axis], range[axis]);
    for (int y = range[1][0]; y <= range[1][1]; y++)
        for (int x = range[0][0]; x <= range[0][1]; x++) {
            int theirs[2] = {x, y};
            int64_t cells = 1;
            for (int axis = 0; axis < 2; axis++)
                cells *= is_send ? count_cells(own, other, axis, mine[axis], theirs[axis])
                                 : count_cells(other, own, axis, theirs[axis], mine[axis]);
            int peer = (!job) * p->processes + y * other->blocks[0] + x;
            if (cells && is_send)
                h3ou__schedule_send(out, peer, h3ou__input(0), cells * p->cell_bytes);
            else if (cells)
                h3ou__schedule_recv(out, peer, h3ou__output(0), cells * p->cell_bytes);
        }
}

int exchange_pattern_build(const void *user, int member, h3ou__schedule *out)
{
    const exchange_pattern *p = user;
    int job = member / p->processes, process = member % p->processes;
    if (job == 0 || p->is_two_way)
        add_messages(p, job, process, true, out);
    if (job == 1 || p->is_two_way)
        add_messages(p, job, process, false, out);
    h3ou__schedule_end_round(out);
    return out->error;
}
