/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/record/beside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Returns where part i begins, and sets its bytes. at: elements of the parts before it. */
static char *part_of(const h3ou__brought *b, int i, int64_t at, int64_t *bytes)
{
    int64_t begin = b->counts && b->displs ? b->displs[i] : at;
    *bytes = (b->counts ? b->counts[i] : b->n) * b->width;
    return (char *)b->to + begin * b->width;
}

void h3ou__beside_keep(h3ou__recorder *r, const char *call, const h3ou__brought *b)
{
    int parts = b->counts ? b->parts : 1;
    const void **part = malloc(sizeof *part * (size_t)(parts + 1));
    int64_t *bytes = malloc(sizeof *bytes * (size_t)(parts + 1)), at = 0;
    for (int i = 0; i < parts && part && bytes; i++) {
        part[i] = part_of(b, i, at, &bytes[i]);
        at += b->counts ? b->counts[i] : 0;
    }
    if (part && bytes)
        h3ou__recorder_beside(r, call, b->counts ? parts : 0, parts, part, bytes);
    free(part);
    free(bytes);
}

/* Returns whether call number k, which all processes made, brought the same to all. */
static bool is_common(const h3ou__recording *r, int64_t k)
{
    const h3ou__block_head *first = &r->part[0].beside[k].head;
    for (int p = 1; p < r->n; p++) {
        const h3ou__block_head *other = &r->part[p].beside[k].head;
        if (other->hash != first->hash || other->length != first->length)
            return false;
    }
    return true;
}

/* Finds the process of the recorded run whose calls this one repeats: with another number of processes that of rank 0 for all. */
static int find_part(const h3ou__recording *r, h3ou__comm *local, int64_t k, const char *call, const h3ou__recorded_part **out)
{
    bool is_same = h3ou__comm_size(local) == r->n;
    int first = is_same ? h3ou__comm_rank(local) : 0, last = is_same ? first : r->n - 1;
    *out = &r->part[first];
    for (int p = first; p <= last; p++)
        if (r->part[p].nbeside <= k)
            return h3ou__fail(H3OU__ESTATE, "%s: the recorded run made fewer calls beside the exchange, or was ended before this one (%s)",
                              call, r->part[p].path);
    if (is_same || is_common(r, k))
        return H3OU__OK;
    return h3ou__fail(H3OU__EUNSUPPORTED, "%s: in the recorded run this call did not bring the same to all processes of component %s: replay it "
                      "with %d processes, as it was recorded", call, r->component, r->n);
}

/* Copies what the record has to where the call wants it. */
static int copy_out(const char *call, h3ou__block_bytes *bytes, int parts, int64_t most, const h3ou__brought *b)
{
    int64_t left = bytes->size - bytes->at, at = 0;
    if (!b->counts || parts == 0) {
        if ((b->counts && left > 0) || left % b->width || (most >= 0 && left / b->width > most))
            return h3ou__fail(H3OU__ESIZE, "%s: brought another number of elements in the recorded run", call);
        h3ou__block_get_bytes(bytes, b->to, left);
        return H3OU__OK;
    }
    for (int i = 0; i < parts; i++) {
        int64_t size;
        char *to = part_of(b, i, at, &size);
        at += b->counts[i];
        if (size > bytes->size - bytes->at)
            return h3ou__fail(H3OU__ESIZE, "%s: brought another number of elements in the recorded run", call);
        h3ou__block_get_bytes(bytes, to, size);
    }
    return H3OU__OK;
}

int h3ou__beside_take(const h3ou__recording *r, h3ou__comm *local, int64_t *next, const char *call, int64_t most, const h3ou__brought *b)
{
    const h3ou__recorded_part *p;
    h3ou__block_bytes bytes = {0};
    char recorded[H3OU__NAME + 1];
    int err = find_part(r, local, *next, call, &p);
    if (err)
        return err;
    const h3ou__recorded_beside *k = &p->beside[(*next)++];
    if ((err = h3ou__recorded_read(p, k->offset, &k->head, &bytes)) == H3OU__OK) {
        h3ou__block_get_text(&bytes, recorded, sizeof recorded);
        int parts = h3ou__block_get32(&bytes);
        if (strcmp(recorded, call) != 0)
            err = h3ou__fail(H3OU__ESTATE, "%s: the recorded run called %s here: let the program make the calls that it made then", call,
                             recorded);
        else
            err = copy_out(call, &bytes, parts, most, b);
    }
    free(bytes.data);
    return err;
}
