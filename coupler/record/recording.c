/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/record/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"

/* A file that is being read. */
typedef struct scan {
    h3ou__recording *r;
    h3ou__recorded_part *p;
    int fd;
    int64_t offset, size;
    h3ou__block_head head;
    h3ou__block_bytes bytes;
    bool has_start;
} scan;

static int fail_other(const scan *s, const char *what)
{
    return h3ou__fail(H3OU__EFILE, "%s: %s: record the run again, into an empty folder", s->p->path, what);
}

static h3ou__rational get_rational(h3ou__block_bytes *b)
{
    int64_t num = h3ou__block_get64(b), den = h3ou__block_get64(b);
    return (h3ou__rational){num, den};
}

/* Reads the components of the run, which all files have. */
static int read_components(scan *s)
{
    h3ou__recording *r = s->r;
    h3ou__known_component *known = calloc((size_t)s->p->ncomponent, sizeof *known);
    if (!known)
        return h3ou__no_memory("the components of %s", s->p->path);
    for (int i = 0; i < s->p->ncomponent; i++) {
        h3ou__block_get_bytes(&s->bytes, known[i].name, H3OU__NAME);
        h3ou__block_get_bytes(&s->bytes, known[i].base, H3OU__NAME);
        known[i].member = h3ou__block_get32(&s->bytes);
        known[i].members = h3ou__block_get32(&s->bytes);
    }
    free(r->known);
    r->known = known;
    r->ncomponent = s->p->ncomponent;
    return H3OU__OK;
}

static int read_start(scan *s)
{
    h3ou__recording *r = s->r;
    h3ou__recorded_part *p = s->p;
    h3ou__block_bytes *b = &s->bytes;
    int32_t *const numbers[] = {&p->rank, &p->size, &p->me, &p->ncomponent};
    int rank = (int)(p - r->part);
    p->run = h3ou__block_get64(b);
    for (int i = 0; i < 4; i++)
        *numbers[i] = h3ou__block_get32(b);
    if (b->has_failed || p->size < 1 || p->rank < 0 || p->ncomponent < 1 || p->me < 0 || p->me >= p->ncomponent ||
        p->ncomponent > (b->size - b->at) / (2 * H3OU__NAME))
        return fail_other(s, "does not begin as a record does");
    if (p->rank != rank)
        return fail_other(s, "was written by another process than its name says");
    if (rank > 0 && (p->run != r->part[0].run || p->size != r->part[0].size))
        return fail_other(s, "belongs to another run than the file of process 0");
    int err = read_components(s);
    h3ou__block_get_text(b, r->config_file, sizeof r->config_file);
    int64_t size = h3ou__block_get32(b);
    const unsigned char *text = h3ou__block_skip(b, size);
    if (err || b->has_failed)
        return err ? err : fail_other(s, "does not begin as a record does");
    if (strcmp(r->known[p->me].name, r->component) != 0)
        return fail_other(s, "is of another component than its name says");
    if (rank > 0)
        return H3OU__OK;
    r->me = p->me;
    r->size = size;
    r->text = malloc((size_t)size + 1);
    if (!r->text)
        return h3ou__no_memory("the configuration in %s", p->path);
    memcpy(r->text, text, (size_t)size);
    return H3OU__OK;
}

static int read_grid(scan *s)
{
    h3ou__recorded_part *p = s->p;
    if (!h3ou__resize(&p->grid, sizeof *p->grid, p->ngrid + 1))
        return h3ou__no_memory("the grids of %s", p->path);
    h3ou__recorded_grid *g = &p->grid[p->ngrid++];
    *g = (h3ou__recorded_grid){0};
    h3ou__block_get_text(&s->bytes, g->name, sizeof g->name);
    h3ou__block_get32(&s->bytes);
    int64_t n = h3ou__block_get64(&s->bytes);
    if (s->bytes.has_failed || n < 0 || n != (s->bytes.size - s->bytes.at) / 8)
        return fail_other(s, "a grid has another number of cells than it says");
    g->index = malloc(sizeof *g->index * (size_t)(n + 1));
    if (!g->index)
        return h3ou__no_memory("the grids of %s", p->path);
    for (; g->n < n; g->n++)
        g->index[g->n] = h3ou__block_get64(&s->bytes);
    return H3OU__OK;
}

static bool is_same_step(const h3ou__recorded_call *a, const h3ou__recorded_call *b)
{
    return a->is_early == b->is_early && h3ou__rational_compare(a->time, b->time) == 0;
}

/* Returns the bytes of the values of a call; -1: more than a file has. */
static int64_t size_of_values(const h3ou__record_values *v)
{
    int64_t rows = (int64_t)v->rows * v->count + (v->flags & H3OU__RECORD_SHARES ? 1 : 0), size;
    return __builtin_mul_overflow(8 * rows, v->cells, &size) ? -1 : size;
}

static int add_call(scan *s, bool puts)
{
    h3ou__recorded_part *p = s->p;
    h3ou__recorded_call call = {.offset = s->offset, .head = s->head};
    if (!h3ou__record_values_read(&s->bytes, &call.values))
        return h3ou__block_fail_damaged(p->path, s->offset);
    const h3ou__record_values *v = &call.values;
    bool has_values = puts || (v->flags & H3OU__RECORD_OK);
    enum { MOST_VARIABLES = 1 << 24, MOST_ROWS = 1 << 20 };
    if (v->var < 0 || v->var >= MOST_VARIABLES || v->count < 1 || v->count > 3 || v->rows < 1 ||
        v->rows >= MOST_ROWS || v->cells < 0 || v->cells > s->size || v->den < 1 ||
        s->head.length != H3OU__RECORD_VALUES + (has_values ? size_of_values(v) : 0))
        return fail_other(s, "the values of a call have another size than they say");
    call.is_early = v->flags & H3OU__RECORD_EARLY;
    call.time = (h3ou__rational){v->num, v->den};
    int place = 2 * v->var + !puts;
    if (place >= p->ncalls) {
        if (!h3ou__resize(&p->calls, sizeof *p->calls, place + 1))
            return h3ou__no_memory("the calls in %s", p->path);
        memset(p->calls + p->ncalls, 0, sizeof *p->calls * (size_t)(place + 1 - p->ncalls));
        p->ncalls = place + 1;
    }
    h3ou__recorded_calls *calls = &p->calls[place];
    if (!h3ou__grow(&calls->call, sizeof *calls->call, &calls->room, calls->n + 1))
        return h3ou__no_memory("the calls in %s", p->path);
    if (calls->n > 0 && is_same_step(&calls->call[calls->n - 1], &call))
        call.order = calls->call[calls->n - 1].order + 1;
    calls->call[calls->n++] = call;
    return H3OU__OK;
}

static int add_beside(scan *s)
{
    h3ou__recorded_part *p = s->p;
    if (!h3ou__grow(&p->beside, sizeof *p->beside, &p->room_beside, p->nbeside + 1))
        return h3ou__no_memory("the calls in %s", p->path);
    p->beside[p->nbeside++] = (h3ou__recorded_beside){s->offset, s->head};
    return H3OU__OK;
}

static void read_restart(scan *s)
{
    h3ou__recorded_restart *k = &s->p->restart;
    for (int i = 0; i < 6; i++)
        k->date[i] = h3ou__block_get32(&s->bytes);
    k->start = h3ou__block_get64(&s->bytes);
    k->begin = h3ou__block_get64(&s->bytes);
    k->now = get_rational(&s->bytes);
    k->step = get_rational(&s->bytes);
    k->has = !s->bytes.has_failed;
}

/* Reads as much of the current block as is kept: of values, how they begin. */
static int read_block(scan *s)
{
    bool is_call = s->head.kind == H3OU__RECORD_PUT || s->head.kind == H3OU__RECORD_GET;
    if (is_call && s->head.length >= H3OU__RECORD_VALUES)
        return h3ou__block_read_begin(s->fd, s->p->path, s->offset, H3OU__RECORD_VALUES, &s->bytes);
    return s->head.kind == H3OU__RECORD_BESIDE ? H3OU__OK : h3ou__block_read(s->fd, s->p->path, s->offset, &s->head, &s->bytes);
}

static int take_block(scan *s)
{
    int err = read_block(s);
    if (err)
        return err;
    if (!s->has_start && s->head.kind != H3OU__RECORD_START)
        return fail_other(s, "does not begin as a record does");
    s->has_start = true;
    switch (s->head.kind) {
    case H3OU__RECORD_START:
        return read_start(s);
    case H3OU__RECORD_GRID:
        return read_grid(s);
    case H3OU__RECORD_PUT:
    case H3OU__RECORD_GET:
        return add_call(s, s->head.kind == H3OU__RECORD_PUT);
    case H3OU__RECORD_STEP:
        s->p->last = get_rational(&s->bytes);
        return H3OU__OK;
    case H3OU__RECORD_RESTART:
        read_restart(s);
        return H3OU__OK;
    case H3OU__RECORD_BESIDE:
        return add_beside(s);
    }
    s->p->has_end = true;
    return H3OU__OK;
}

/* Reads the file of one process up to its end, or to the block within which it ends. */
static int read_part(h3ou__recording *r, h3ou__recorded_part *p)
{
    struct stat stat;
    scan s = {.r = r, .p = p};
    p->last = H3OU__NEVER;
    int err = h3ou__record_path(r->folder, r->component, (int)(p - r->part), p->path);
    if (err)
        return err;
    s.fd = open(p->path, O_RDONLY | O_CLOEXEC);
    if (s.fd < 0 || fstat(s.fd, &stat) != 0) {
        err = h3ou__fail(H3OU__EFILE, "%s: %s: the record of component %s needs the files of all of its processes in one folder", p->path,
                         strerror(errno), r->component);
        if (s.fd >= 0)
            close(s.fd);
        return err;
    }
    s.size = stat.st_size;
    for (bool is_cut = false; !err && !is_cut && s.offset < s.size; s.offset += H3OU__RECORD_HEAD + s.head.length)
        if ((err = h3ou__block_head_read(s.fd, p->path, s.offset, s.size, &s.head, &is_cut)) == H3OU__OK && !is_cut)
            err = take_block(&s);
    if (!err && !s.has_start)
        err = fail_other(&s, "ends before anything is recorded");
    free(s.bytes.data);
    close(s.fd);
    return err;
}

int h3ou__recording_open(const char *folder, const char *component, h3ou__recording **out)
{
    *out = NULL;
    h3ou__recording *r = calloc(1, sizeof *r);
    if (!r || !(r->part = calloc(1, sizeof *r->part))) {
        free(r);
        return h3ou__no_memory("the record %s", folder);
    }
    snprintf(r->folder, sizeof r->folder, "%s", folder);
    snprintf(r->component, sizeof r->component, "%s", component);
    r->n = 1;
    int err = read_part(r, r->part), n = r->part[0].size;
    if (!err && !h3ou__resize(&r->part, sizeof *r->part, n))
        err = h3ou__no_memory("the record %s", folder);
    if (!err)
        memset(r->part + 1, 0, sizeof *r->part * (size_t)(n - 1));
    for (; r->n < n && !err; r->n++)
        err = read_part(r, &r->part[r->n]);
    if (err) {
        h3ou__recording_free(r);
        return err;
    }
    *out = r;
    return H3OU__OK;
}

void h3ou__recording_free(h3ou__recording *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->n; i++) {
        h3ou__recorded_part *p = &r->part[i];
        for (int k = 0; k < p->ngrid; k++)
            free(p->grid[k].index);
        for (int k = 0; k < p->ncalls; k++)
            free(p->calls[k].call);
        free(p->grid);
        free(p->calls);
        free(p->beside);
    }
    free(r->part);
    free(r->known);
    free(r->text);
    free(r);
}

const h3ou__recorded_calls *h3ou__recorded_calls_of(const h3ou__recorded_part *p, int var, bool puts)
{
    int place = 2 * var + !puts;
    return place < p->ncalls && p->calls[place].n > 0 ? &p->calls[place] : NULL;
}

int h3ou__recorded_read(const h3ou__recorded_part *p, int64_t offset, const h3ou__block_head *head, h3ou__block_bytes *b)
{
    int fd = open(p->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return h3ou__fail(H3OU__EFILE, "%s: %s", p->path, strerror(errno));
    int err = h3ou__block_read(fd, p->path, offset, head, b);
    close(fd);
    return err;
}
