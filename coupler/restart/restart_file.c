/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/restart/restart_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "interp/file/netcdf/state_file.h"

enum { PIECE = 1 << 18 }; /* numbers of an array that pass through rank 0 at a time */

static const char FORMAT[] = "h3ou_restart", TEXTS[] = "h3ou_restart_texts";

struct h3ou__restart_file {
    h3ou__comm *local;
    char file[H3OU__STATE_PATH];
    h3ou__state_file state; /* on rank 0 */
    bool is_open;
};

/* One of my cells in an array of global size. */
typedef struct cell {
    int64_t index, place; /* index from 0 */
} cell;

/* An array of global size on its way, of which each process has some cells. */
typedef struct passage {
    h3ou__comm *local;
    const h3ou__grid *grid;
    int64_t rows, length; /* length: cells of a piece */
    cell *cells;          /* [grid->n] by index */
    double *piece;        /* [rows][length] of all cells of a piece; when a file is written, on rank 0 alone */
    int64_t *counts, *first, *index, *all_index; /* for gathering: [processes]; [length] */
    double *value, *all_value;                   /* [rows * length] */
} passage;

/* Makes rank 0's result that of all processes. */
static int share_result(h3ou__comm *local, int err)
{
    char sentence[512] = "";
    int64_t code = err;
    if (err)
        snprintf(sentence, sizeof sentence, "%s", h3ou__fail_text());
    err = h3ou__bcast(local, &code, 1, H3OU__INT64, 0);
    if (err || code == H3OU__OK)
        return err;
    err = h3ou__bcast(local, sentence, sizeof sentence, H3OU__BYTE, 0);
    return err ? err : h3ou__fail((int)code, "%s", sentence);
}

/* Mixes the bits of a number (the finisher of SplitMix64) and returns 32 of them, so that sums of 2^31 such do not overflow. */
static int64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (int64_t)((z ^ (z >> 31)) >> 32);
}

/* Returns the sum over the bits of the values of my cells and where they stand. */
static int64_t sum_of(const h3ou__grid *g, int64_t rows, const double value[])
{
    int64_t sum = 0;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t i = 0; i < g->n; i++) {
            uint64_t bits;
            memcpy(&bits, &value[row * g->n + i], sizeof bits);
            sum += mixed(bits + (uint64_t)mixed((uint64_t)g->index[i] * 0x10001 + (uint64_t)row));
        }
    return sum;
}

int h3ou__restart_grid_text(h3ou__comm *local, const h3ou__grid *g, char text[H3OU__RESTART_TEXT])
{
    int64_t mine[2] = {g->n, 0}, all[2];
    for (int64_t i = 0; i < g->n; i++)
        mine[1] += mixed((uint64_t)g->index[i]);
    int err = h3ou__allreduce(local, mine, all, 2, H3OU__INT64, H3OU__SUM);
    if (!err)
        snprintf(text, H3OU__RESTART_TEXT, "%" PRId64 " cells, the last one %" PRId64 ", their indices' sum %" PRIx64, all[0], g->last,
                 (uint64_t)all[1]);
    return err;
}

static int by_index(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static void passage_end(passage *p)
{
    void *const all[] = {p->cells, p->piece, p->counts, p->first, p->index, p->all_index, p->value, p->all_value};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static int passage_begin(passage *p)
{
    int size = h3ou__comm_size(p->local);
    p->length = PIECE / p->rows > 0 ? PIECE / p->rows : 1;
    if (p->length > p->grid->last)
        p->length = p->grid->last;
    size_t cells = (size_t)p->length, values = cells * (size_t)p->rows;
    p->cells = malloc(sizeof *p->cells * (size_t)(p->grid->n + 1));
    p->piece = malloc(sizeof *p->piece * values);
    p->counts = calloc((size_t)size, sizeof *p->counts);
    p->first = calloc((size_t)size + 1, sizeof *p->first);
    p->index = malloc(sizeof *p->index * cells);
    p->all_index = malloc(sizeof *p->all_index * cells);
    p->value = malloc(sizeof *p->value * values);
    p->all_value = malloc(sizeof *p->all_value * values);
    if (!p->cells || !p->piece || !p->counts || !p->first || !p->index || !p->all_index || !p->value || !p->all_value)
        return h3ou__no_memory("a restart");
    for (int64_t i = 0; i < p->grid->n; i++)
        p->cells[i] = (cell){p->grid->index[i] - 1, i};
    qsort(p->cells, (size_t)p->grid->n, sizeof *p->cells, by_index);
    return H3OU__OK;
}

/* Turns counts of cells into counts of values and where those of each process begin. */
static void place_counts(passage *p, int64_t rows)
{
    p->first[0] = 0;
    for (int k = 0; k < h3ou__comm_size(p->local); k++) {
        p->counts[k] *= rows;
        p->first[k + 1] = p->first[k] + p->counts[k];
    }
}

/* Gathers the piece of `count` cells from cell `begin` of all processes at rank 0. mine, n: those of p->cells that it has. */
static int gather_piece(passage *p, const cell mine[], int64_t n, int64_t begin, int64_t count, const double value[])
{
    bool is_root = h3ou__comm_rank(p->local) == 0;
    for (int64_t i = 0; i < n; i++) {
        p->index[i] = mine[i].index - begin;
        for (int64_t row = 0; row < p->rows; row++)
            p->value[i * p->rows + row] = value[row * p->grid->n + mine[i].place];
    }
    int err = h3ou__gather(p->local, &n, 1, p->counts, H3OU__INT64, 0);
    if (err)
        return err;
    place_counts(p, 1);
    int64_t total = p->first[h3ou__comm_size(p->local)];
    err = h3ou__gatherv(p->local, p->index, n, p->all_index, p->counts, p->first, H3OU__INT64, 0);
    place_counts(p, p->rows);
    if (!err)
        err = h3ou__gatherv(p->local, p->value, n * p->rows, p->all_value, p->counts, p->first, H3OU__DOUBLE, 0);
    if (err || !is_root)
        return err;
    memset(p->piece, 0, sizeof *p->piece * (size_t)(p->rows * count)); /* of cells that no process has */
    for (int64_t i = 0; i < total; i++)
        for (int64_t row = 0; row < p->rows; row++)
            p->piece[row * count + p->all_index[i]] = p->all_value[i * p->rows + row];
    return H3OU__OK;
}

/* Writes one array. s: on rank 0, else NULL. */
static int write_array(h3ou__comm *local, h3ou__state_file *s, const h3ou__restart_array *a)
{
    passage p = {.local = local, .grid = a->grid, .rows = a->rows};
    int err = passage_begin(&p);
    int64_t from = 0;
    for (int64_t begin = 0; begin < a->grid->last && !err; begin += p.length) {
        int64_t count = begin + p.length < a->grid->last ? p.length : a->grid->last - begin, end = from;
        while (end < a->grid->n && p.cells[end].index < begin + count)
            end++;
        err = gather_piece(&p, p.cells + from, end - from, begin, count, a->value);
        if (!err && s)
            h3ou__state_file_put(s, a->var, a->rows, begin, count, p.piece);
        from = end;
    }
    passage_end(&p);
    return err;
}

/* Returns a number that differs where some text differs. */
static void sum_texts(const h3ou__restart_list *l, char text[32])
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (int i = 0; i < l->ntext; i++)
        for (const char *c = l->text[i].text; *c; c++)
            sum = (sum ^ (unsigned char)*c) * UINT64_C(1099511628211);
    snprintf(text, 32, "%d %016" PRIx64, l->ntext, sum);
}

static void name_parts(h3ou__state_file *s, h3ou__restart_list *l)
{
    char number[32], sum[32], name[16];
    snprintf(number, sizeof number, "%d", H3OU__RESTART_FORMAT);
    sum_texts(l, sum);
    h3ou__state_file_text(s, FORMAT, number);
    h3ou__state_file_text(s, TEXTS, sum);
    for (int i = 0; i < l->ntext; i++) {
        snprintf(name, sizeof name, "name_%d", i);
        h3ou__state_file_text(s, name, l->text[i].name);
        h3ou__state_file_text(s, l->text[i].name, l->text[i].text);
    }
    for (int i = 0; i < l->narray; i++)
        l->array[i].var = h3ou__state_file_array(s, l->array[i].name, l->array[i].rows, l->array[i].grid->last, l->array[i].check);
    h3ou__state_file_begin(s);
}

int h3ou__restart_file_write(h3ou__comm *local, const char *file, h3ou__restart_list *l)
{
    bool is_root = h3ou__comm_rank(local) == 0;
    h3ou__state_file s = {.id = -1};
    int err = H3OU__OK;
    for (int i = 0; i < l->narray && !err; i++) {
        int64_t mine = sum_of(l->array[i].grid, l->array[i].rows, l->array[i].value);
        err = h3ou__allreduce(local, &mine, &l->array[i].check, 1, H3OU__INT64, H3OU__SUM);
    }
    if (err || (err = share_result(local, is_root ? h3ou__state_file_create(file, &s) : H3OU__OK)) != H3OU__OK)
        return err;
    if (is_root)
        name_parts(&s, l);
    for (int i = 0; i < l->narray && !err; i++)
        err = write_array(local, is_root ? &s : NULL, &l->array[i]);
    if (err)
        s.code = s.code ? s.code : EIO;
    int finished = is_root ? h3ou__state_file_finish(&s) : H3OU__OK;
    return err ? err : share_result(local, finished);
}

const char *h3ou__restart_file_name(const h3ou__restart_file *r)
{
    return r->file;
}

/* Reads a text of the open file. */
static int read_text(const h3ou__restart_file *r, const char *name, char text[H3OU__RESTART_TEXT], bool *has)
{
    char *found;
    int err = h3ou__state_file_find_text(&r->state, name, &found);
    *has = !err && found;
    snprintf(text, H3OU__RESTART_TEXT, "%s", *has ? found : "");
    if (!err)
        free(found);
    return err;
}

/* Checks on rank 0 that the file is one of this format, and that its texts are those that were written. */
static int check_format(const h3ou__restart_file *r)
{
    h3ou__restart_list l = {0};
    char text[H3OU__RESTART_TEXT], sums[H3OU__RESTART_TEXT], name[H3OU__RESTART_TEXT], sum[32];
    bool has, has_sums;
    int err = read_text(r, FORMAT, text, &has);
    if (!err && !has)
        return h3ou__fail(H3OU__EFILE, "%s: is no restart file of h3ou: it has no attribute %s", r->file, FORMAT);
    if (!err && (atoi(text) < H3OU__RESTART_OLDEST || atoi(text) > H3OU__RESTART_FORMAT))
        return h3ou__fail(
            H3OU__EFILE,
            "%s: is a restart file of format %s, this version of h3ou reads formats %d to %d: go on from it with the "
            "version that wrote it",
            r->file, text, H3OU__RESTART_OLDEST, H3OU__RESTART_FORMAT);
    if (!err)
        err = read_text(r, TEXTS, sums, &has_sums);
    for (int i = 0; i < atoi(sums) && !err; i++) {
        char label[16];
        snprintf(label, sizeof label, "name_%d", i);
        err = read_text(r, label, name, &has);
        if (!err)
            err = read_text(r, name, text, &has);
        if (!err)
            err = h3ou__restart_list_text(&l, "", "%s", text);
    }
    sum_texts(&l, sum);
    h3ou__restart_list_free(&l);
    return err || !strcmp(sum, sums) ? err : h3ou__fail(H3OU__EFILE, "%s: is damaged: its texts differ from those that were written", r->file);
}

int h3ou__restart_file_open(h3ou__comm *local, const char *file, h3ou__restart_file **out)
{
    h3ou__restart_file *r = calloc(1, sizeof *r);
    if (!r)
        return h3ou__no_memory("a restart");
    r->local = local;
    snprintf(r->file, sizeof r->file, "%s", file);
    int err = H3OU__OK;
    if (h3ou__comm_rank(local) == 0 && (err = h3ou__state_file_open(file, &r->state)) == H3OU__OK) {
        r->is_open = true;
        err = check_format(r);
    }
    err = share_result(local, err);
    if (err) {
        h3ou__restart_file_close(r);
        return err;
    }
    *out = r;
    return H3OU__OK;
}

void h3ou__restart_file_close(h3ou__restart_file *r)
{
    if (r && r->is_open)
        h3ou__state_file_close(&r->state);
    free(r);
}

int h3ou__restart_file_text(h3ou__restart_file *r, const char *name, char text[H3OU__RESTART_TEXT], bool *has)
{
    int64_t found = 0;
    int err = H3OU__OK;
    if (r->is_open) {
        err = read_text(r, name, text, has);
        found = *has;
    }
    if ((err = share_result(r->local, err)) == H3OU__OK)
        err = h3ou__bcast(r->local, &found, 1, H3OU__INT64, 0);
    *has = !err && found;
    return err || !*has ? err : h3ou__bcast(r->local, text, H3OU__RESTART_TEXT, H3OU__BYTE, 0);
}

/* Passes the array from rank 0, whose variable is var, to all. */
static int read_pieces(h3ou__restart_file *r, passage *p, int var, double value[])
{
    int64_t last = p->grid->last, from = 0;
    int err = H3OU__OK;
    for (int64_t begin = 0; begin < last && !err; begin += p->length) {
        int64_t count = begin + p->length < last ? p->length : last - begin;
        err = share_result(p->local, r->is_open ? h3ou__state_file_get(&r->state, var, p->rows, begin, count, p->piece) : H3OU__OK);
        if (!err)
            err = h3ou__bcast(p->local, p->piece, p->rows * count, H3OU__DOUBLE, 0);
        for (; from < p->grid->n && p->cells[from].index < begin + count && !err; from++)
            for (int64_t row = 0; row < p->rows; row++)
                value[row * p->grid->n + p->cells[from].place] = p->piece[row * count + p->cells[from].index - begin];
    }
    return err;
}

int h3ou__restart_file_array(h3ou__restart_file *r, const char *name, const h3ou__grid *grid, int64_t rows, double value[])
{
    passage p = {.local = r->local, .grid = grid, .rows = rows};
    int64_t check = 0, mine, all;
    int var = -1, err = H3OU__OK;
    if (grid->last == 0 || rows == 0)
        return H3OU__OK;
    if (r->is_open)
        err = h3ou__state_file_find_array(&r->state, name, rows, grid->last, &var, &check);
    if ((err = share_result(r->local, err)) == H3OU__OK && (err = passage_begin(&p)) == H3OU__OK)
        err = read_pieces(r, &p, var, value);
    passage_end(&p);
    mine = err ? 0 : sum_of(grid, rows, value);
    if (!err)
        err = h3ou__allreduce(r->local, &mine, &all, 1, H3OU__INT64, H3OU__SUM);
    if (!err)
        err = h3ou__bcast(r->local, &check, 1, H3OU__INT64, 0);
    return err || all == check ? err : h3ou__fail(H3OU__EFILE, "%s: is damaged: %s differs from what was written", r->file, name);
}
