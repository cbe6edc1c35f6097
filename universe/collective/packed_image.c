/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/collective/packed_image.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/kept_memory.h"
#include "universe/packing/packing.h"

static int fail(int code)
{
    return h3ou__fail(H3OU__EMPI, "values of a collective call cannot be packed (error %d of MPI)", code);
}

/* What is known while pieces are placed one after the other. */
typedef struct placing {
    abi_Datatype type; /* of the piece before, and its extent */
    abi_Aint extent;
    int64_t before; /* elements of the pieces before */
} placing;

static int place_piece(const universe_side *side, int i, placing *known, universe_piece *out)
{
    out->type = side->types ? side->types[i] : side->type;
    out->count = side->counts.at ? universe_number(&side->counts, i) : side->count;
    if (out->type != known->type) {
        int code = universe_type_extent(out->type, &known->extent);
        if (code)
            return fail(code);
        known->type = out->type;
    }
    int64_t at = side->places.at ? universe_number(&side->places, i) : known->before;
    out->values = (char *)side->buf + at * (side->types ? 1 : known->extent);
    known->before += out->count;
    return H3OU__OK;
}

static int measure(universe_image *m, bool *are_bytes)
{
    for (int i = 0; i < m->n; i++) {
        const universe_piece *p = &m->piece[i];
        abi_Count size = 0;
        if (universe_type_is_bytes(p->type, &size) && !m->is_external) {
            m->length[i] = size * p->count;
            continue;
        }
        int code = universe_packed_size(p->count, p->type, m->is_external, &m->length[i]);
        if (code)
            return fail(code);
        *are_bytes = *are_bytes && p->count == 0;
    }
    return H3OU__OK;
}

static int allocate(int n, bool is_external, universe_image *out)
{
    *out = (universe_image){.n = n, .is_external = is_external};
    out->piece = malloc((size_t)n * (sizeof *out->piece + 2 * sizeof *out->at) + 1);
    if (!out->piece)
        return h3ou__no_memory("a collective call");
    out->length = (int64_t *)(out->piece + n);
    out->at = out->length + n;
    return H3OU__OK;
}

/* Sets where the pieces are: in the program's memory if they may be. */
static int find_bytes(universe_image *m, const int order[], bool are_bytes, enum universe_image_manner manner)
{
    char *base = m->n ? m->piece[order ? order[0] : 0].values : NULL;
    bool are_together = true;
    m->total = 0;
    for (int k = 0; k < m->n; k++) {
        int i = order ? order[k] : k;
        are_together = are_together && (m->length[i] == 0 || m->piece[i].values == base + m->total);
        m->at[i] = m->total;
        m->total += m->length[i];
    }
    m->is_copy = !are_bytes || manner == UNIVERSE_IMAGE_COPIED || (manner == UNIVERSE_IMAGE_TOGETHER && !are_together);
    if (m->is_copy) {
        m->bytes = h3ou__kept_memory_take((size_t)m->total + 1);
        return m->bytes ? H3OU__OK : h3ou__no_memory("a collective call");
    }
    m->bytes = base;
    for (int i = 0; i < m->n && !are_together; i++)
        m->at[i] = m->length[i] ? m->piece[i].values - base : 0;
    return H3OU__OK;
}

int universe_image_open(const universe_side *side, int n, const int order[], bool is_external, enum universe_image_manner manner, universe_image *out)
{
    placing known = {.type = (abi_Datatype)ABI_DATATYPE_NULL};
    bool are_bytes = true;
    int err = allocate(n, is_external, out);
    for (int i = 0; i < n && !err; i++)
        err = place_piece(side, i, &known, &out->piece[i]);
    if (!err)
        err = measure(out, &are_bytes);
    return err ? err : find_bytes(out, order, are_bytes, manner);
}

int universe_image_pack(universe_image *m, int i)
{
    const universe_piece *p = &m->piece[i];
    if (!m->is_copy || p->count == 0)
        return H3OU__OK;
    int code = universe_pack(p->values, p->count, p->type, m->is_external, m->bytes + m->at[i], m->length[i]);
    return code ? fail(code) : H3OU__OK;
}

int universe_image_pack_all(universe_image *m)
{
    int err = H3OU__OK;
    for (int i = 0; i < m->n && !err; i++)
        err = universe_image_pack(m, i);
    return err;
}

int universe_image_unpack_all(universe_image *m)
{
    int code = 0;
    for (int i = 0; i < m->n && m->is_copy && !code; i++)
        if (m->piece[i].count)
            code = universe_unpack(m->bytes + m->at[i], m->length[i], m->piece[i].values, m->piece[i].count, m->piece[i].type, m->is_external);
    return code ? fail(code) : H3OU__OK;
}

void universe_image_close(universe_image *m)
{
    if (m->is_copy)
        h3ou__kept_memory_give(m->bytes);
    free(m->piece);
    *m = (universe_image){0};
}
