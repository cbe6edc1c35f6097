/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/weights_cache.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/common/message_tags.h"
#include "interp/file/netcdf/cachefile.h"

enum { VERSION = 3 }; /* of methods and of the file: an older one's weights are made anew */

static void put_double(crypto_generichash_state *s, double v)
{
    uint64_t bits;
    unsigned char b[8];
    memcpy(&bits, &v, sizeof bits);
    h3ou__put64(b, bits);
    crypto_generichash_update(s, b, sizeof b);
}

static void hash_cell(const h3ou__grid *g, int64_t i, uint32_t out[H3OU__DIGEST])
{
    const h3ou__geometry *m = &g->geometry;
    crypto_generichash_state s;
    unsigned char b[16];
    crypto_generichash_init(&s, NULL, 0, sizeof b);
    h3ou__put64(b, (uint64_t)g->index[i]);
    crypto_generichash_update(&s, b, 8);
    put_double(&s, m->mask && !m->mask[i] ? 0.0 : 1.0);
    if (m->lon) {
        put_double(&s, m->lon[i]);
        put_double(&s, m->lat[i]);
    }
    for (int64_t k = i * m->most; m->corner_lon && k < (i + 1) * m->most; k++) {
        put_double(&s, m->corner_lon[k]);
        put_double(&s, m->corner_lat[k]);
    }
    if (m->area)
        put_double(&s, m->area[i]);
    crypto_generichash_final(&s, b, sizeof b);
    for (int k = 0; k < H3OU__DIGEST; k++)
        out[k] = h3ou__get32(b + 4 * k);
}

/* A sum over cells does not depend on which process holds them. */
int h3ou__cache_grid(const h3ou__grid *g, h3ou__comm *local, int64_t digest[H3OU__DIGEST])
{
    const int64_t LOW = 0xFFFFFFFF;
    int64_t mine[H3OU__DIGEST] = {0};
    if (sodium_init() < 0)
        return h3ou__fail(H3OU__EFILE, "libsodium cannot be used");
    for (int64_t i = 0; i < g->n; i++) {
        uint32_t cell[H3OU__DIGEST];
        hash_cell(g, i, cell);
        for (int k = 0; k < H3OU__DIGEST; k++)
            mine[k] = (mine[k] + cell[k]) & LOW;
    }
    int err = h3ou__allreduce(local, mine, digest, H3OU__DIGEST, H3OU__INT64, H3OU__SUM);
    for (int k = 0; k < H3OU__DIGEST; k++)
        digest[k] &= LOW;
    const h3ou__geometry *m = &g->geometry;
    digest[0] ^= ((int64_t)m->nx * 2654435761 + m->ny * 40503 + 2 * m->cyclic + m->fold + 4 * g->cells->edges) & LOW;
    return err;
}

void h3ou__cache_name(const h3ou__make_online_task *task, const int64_t source[H3OU__DIGEST],
                      const int64_t target[H3OU__DIGEST], char *file, int size, char key[65])
{
    char text[sizeof task->how->stack->text + 200];
    unsigned char hash[32];
    int used = snprintf(text, sizeof text, "%d;%s;%d;", VERSION, task->how->stack->text, task->how->norm);
    for (int k = 0; k < H3OU__DIGEST; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%08" PRIx64 "%08" PRIx64, (uint64_t)source[k],
                         (uint64_t)target[k]);
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text, (unsigned long long)used, NULL, 0);
    sodium_bin2hex(key, 65, hash, sizeof hash);
    snprintf(file, (size_t)size, "%s/h3ou-%.16s.nc", task->cache, key);
}

void h3ou__cache_rows_free(h3ou__cache_rows *r)
{
    free(r->send);
    free(r->recv);
    free(r->coef);
    free(r->fixed);
    free(r->value);
    memset(r, 0, sizeof *r);
}

void h3ou__cache_rows_add_beside(h3ou__cache_rows *r, const h3ou__weights *w, int64_t i, int index)
{
    const double whole = 1.0 - 1e-10; /* sums of parts of a cell differ from the cell by rounding */
    bool is_fixed = h3ou__weights_is_fixed(w, i);
    bool is_partial = w->norm == H3OU__FRACAREA && w->served[i] >= 0 && w->frac[i] > 0.0 && w->frac[i] < whole;
    if (!is_fixed && !is_partial)
        return;
    r->fixed[r->nfixed] = is_fixed ? index : -index;
    r->value[r->nfixed++] = is_fixed ? w->fixed[i] : w->frac[i];
}

bool h3ou__cache_has(const char *file, const char *key)
{
    int found = h3ou__cachefile_check(file, key);
    if (found < 0)
        h3ou__log(H3OU__LOG_WHISPER, "cache-ignored", "file=%s why=\"%s\"", file, h3ou__fail_text());
    return found > 0;
}

int h3ou__cache_read(const char *file, int rank, int size, h3ou__cache_rows *out)
{
    memset(out, 0, sizeof *out);
    int err = h3ou__cachefile_read(file, rank, size, &out->n, &out->send, &out->recv, &out->coef, &out->nfixed,
                                   &out->fixed, &out->value);
    if (err)
        h3ou__cache_rows_free(out);
    return err;
}

/* Sends one process's rows to rank 0. */
static int pass_rows(h3ou__world *world, h3ou__comm *local, const h3ou__cache_rows *r)
{
    static const char what[] = "weights for the cache";
    int64_t n[2] = {r->n, r->nfixed};
    h3ou__req req[6];
    int err, k = 0;
    if ((err = h3ou__isend(local, 0, H3OU__TAG_ENTRIES, n, 2, H3OU__INT64, what, &req[k++])) ||
        (err = h3ou__isend(local, 0, H3OU__TAG_ENTRIES, r->send, n[0], H3OU__INT32, what, &req[k++])) ||
        (err = h3ou__isend(local, 0, H3OU__TAG_ENTRIES, r->recv, n[0], H3OU__INT32, what, &req[k++])) ||
        (err = h3ou__isend(local, 0, H3OU__TAG_ENTRIES, r->coef, n[0], H3OU__DOUBLE, what, &req[k++])) ||
        (err = h3ou__isend(local, 0, H3OU__TAG_ENTRIES, r->fixed, n[1], H3OU__INT32, what, &req[k++])) ||
        (err = h3ou__isend(local, 0, H3OU__TAG_ENTRIES, r->value, n[1], H3OU__DOUBLE, what, &req[k++])))
        return err;
    return h3ou__waitall(world, k, req);
}

static int take_rows(h3ou__world *world, h3ou__comm *local, int rank, h3ou__cache_rows *r)
{
    static const char what[] = "weights for the cache";
    int64_t n[2] = {0, 0};
    h3ou__req req[5];
    int k = 0, err = h3ou__irecv(local, rank, H3OU__TAG_ENTRIES, n, 2, H3OU__INT64, what, &req[0]);
    if (err || (err = h3ou__waitall(world, 1, req)) != H3OU__OK)
        return err;
    r->n = n[0];
    r->nfixed = n[1];
    r->send = malloc(sizeof *r->send * (size_t)(n[0] + 1));
    r->recv = malloc(sizeof *r->recv * (size_t)(n[0] + 1));
    r->coef = malloc(sizeof *r->coef * (size_t)(n[0] + 1));
    r->fixed = malloc(sizeof *r->fixed * (size_t)(n[1] + 1));
    r->value = malloc(sizeof *r->value * (size_t)(n[1] + 1));
    if (!r->send || !r->recv || !r->coef || !r->fixed || !r->value)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the cache of weights");
    if ((err = h3ou__irecv(local, rank, H3OU__TAG_ENTRIES, r->send, n[0], H3OU__INT32, what, &req[k++])) ||
        (err = h3ou__irecv(local, rank, H3OU__TAG_ENTRIES, r->recv, n[0], H3OU__INT32, what, &req[k++])) ||
        (err = h3ou__irecv(local, rank, H3OU__TAG_ENTRIES, r->coef, n[0], H3OU__DOUBLE, what, &req[k++])) ||
        (err = h3ou__irecv(local, rank, H3OU__TAG_ENTRIES, r->fixed, n[1], H3OU__INT32, what, &req[k++])) ||
        (err = h3ou__irecv(local, rank, H3OU__TAG_ENTRIES, r->value, n[1], H3OU__DOUBLE, what, &req[k++])))
        return err;
    return h3ou__waitall(world, k, req);
}

int h3ou__cache_write(const char *file, const char *key, h3ou__world *world, h3ou__comm *local,
                      const h3ou__cache_rows *mine, const char *how)
{
    int64_t count[2] = {mine->n, mine->nfixed}, all[2];
    h3ou__cachefile *out = NULL;
    int err = h3ou__allreduce(local, count, all, 2, H3OU__INT64, H3OU__SUM);
    if (err || h3ou__comm_rank(local) != 0)
        return err ? err : pass_rows(world, local, mine);
    bool works = h3ou__cachefile_create(file, key, how, all[0], all[1], &out) == H3OU__OK;
    for (int r = 0; r < h3ou__comm_size(local) && !err; r++) {
        h3ou__cache_rows rows = {0};
        const h3ou__cache_rows *from = r ? &rows : mine;
        err = r ? take_rows(world, local, r, &rows) : H3OU__OK;
        if (!err && works)
            works = h3ou__cachefile_append(out, from->n, from->send, from->recv, from->coef, from->nfixed, from->fixed,
                                           from->value) == H3OU__OK;
        h3ou__cache_rows_free(&rows);
    }
    if (out)
        works = h3ou__cachefile_close(out, works && !err) == H3OU__OK && works;
    h3ou__log(H3OU__LOG_WHISPER, works ? "cache-written" : "cache-not-written", "file=%s%s%s", file,
              works ? "" : " why=", works ? "" : h3ou__fail_text());
    return err;
}
