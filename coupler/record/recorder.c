/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/config/leniency.h"
#include "coupler/record/record_block.h"

struct h3ou__recorder {
    int fd; /* -1: nothing is recorded any more */
    char path[H3OU__RECORD_PATH];
    h3ou__block_bytes block;   /* that is being made */
    h3ou__block_bytes waiting; /* small ones that are not written yet */
    h3ou__model_values values;
};

enum { MOST_WAITING = 1 << 16 };

static void stop(h3ou__recorder *r, const char *why)
{
    h3ou__warn(NULL, "%s: %s: nothing more is recorded by this process; what is recorded so far can be replayed", r->path, why);
    close(r->fd);
    r->fd = -1;
}

/* Writes a part of the file; what is written of a block that does not fit on the disk is cut off again. */
static void write_all(h3ou__recorder *r, const h3ou__block_bytes *b)
{
    off_t begin = r->fd < 0 ? 0 : lseek(r->fd, 0, SEEK_CUR);
    for (int64_t done = 0; done < b->size && r->fd >= 0;) {
        ssize_t n = write(r->fd, b->data + done, (size_t)(b->size - done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n > 0) {
            done += n;
            continue;
        }
        int problem = n < 0 ? errno : ENOSPC;
        const char *why = ftruncate(r->fd, begin) ? "a part of a block remains" : strerror(problem);
        stop(r, why);
    }
}

static void flush(h3ou__recorder *r)
{
    write_all(r, &r->waiting);
    r->waiting.size = 0;
}

/* Ends the block that is being made. is_late: it may wait until the next one is written. */
static void finish(h3ou__recorder *r, int kind, bool is_late)
{
    h3ou__block_bytes *b = &r->block;
    h3ou__block_seal(b, kind);
    if (is_late && !b->has_failed && r->waiting.size + b->size <= MOST_WAITING)
        h3ou__block_put_bytes(&r->waiting, b->data, b->size);
    else if (!b->has_failed) {
        flush(r);
        write_all(r, b);
    }
    if (r->fd >= 0 && (b->has_failed || r->waiting.has_failed))
        stop(r, "out of memory");
}

/* Begins a block if there is a recorder, and it has a file. */
static h3ou__block_bytes *begin(h3ou__recorder *r)
{
    if (!r || r->fd < 0)
        return NULL;
    h3ou__block_begin(&r->block);
    return &r->block;
}

static void put_name(h3ou__block_bytes *b, const char *name)
{
    char bytes[H3OU__NAME] = "";
    memcpy(bytes, name, strnlen(name, sizeof bytes));
    h3ou__block_put_bytes(b, bytes, sizeof bytes);
}

static void write_start(h3ou__recorder *r, h3ou__world *world, const h3ou__config *config, const char *text, int64_t size, uint64_t run)
{
    h3ou__comm *local = h3ou__world_local(world);
    int rank = h3ou__comm_rank(local), n = h3ou__world_components(world);
    h3ou__block_bytes *b = begin(r);
    h3ou__block_put64(b, (int64_t)run);
    const int numbers[] = {rank, h3ou__comm_size(local), h3ou__world_me(world), n};
    for (int i = 0; i < 4; i++)
        h3ou__block_put32(b, numbers[i]);
    for (int i = 0; i < n; i++) {
        put_name(b, h3ou__world_component_name(world, i));
        put_name(b, h3ou__world_component_base(world, i));
        h3ou__block_put32(b, h3ou__world_component_member(world, i));
        h3ou__block_put32(b, h3ou__world_component_members(world, i));
    }
    h3ou__block_put_text(b, config->file);
    h3ou__block_put32(b, rank == 0 ? size : 0);
    h3ou__block_put_bytes(b, text, rank == 0 ? size : 0);
    finish(r, H3OU__RECORD_START, false);
}

/* Makes the folder, and in it the file of this process. */
static int make_file(h3ou__recorder *r, const char *folder, const char *component, int rank)
{
    int err = h3ou__record_path(folder, component, rank, r->path);
    if (err)
        return err;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return h3ou__fail(H3OU__EFILE, "record='%s': the folder cannot be made: %s", folder, strerror(errno));
    r->fd = open(r->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return r->fd >= 0 ? H3OU__OK : h3ou__fail(H3OU__EFILE, "record='%s': %s: %s", folder, r->path, strerror(errno));
}

int h3ou__recorder_open(h3ou__world *world, const h3ou__config *config, const char *text, int64_t size, h3ou__recorder **out)
{
    const char *folder = getenv("H3OU_RECORD"), *me = h3ou__world_component_name(world, h3ou__world_me(world));
    h3ou__comm *local = h3ou__world_local(world);
    int64_t run = 0;
    *out = NULL;
    folder = folder && *folder ? folder : config->record;
    if (!*folder)
        return H3OU__OK;
    h3ou__recorder *r = calloc(1, sizeof *r);
    if (!r)
        return h3ou__no_memory("the record of a run");
    r->fd = -1;
    int failed = make_file(r, folder, me, h3ou__comm_rank(local)), err = H3OU__OK;
    int64_t mine = failed != H3OU__OK, any = 0;
    randombytes_buf(&run, sizeof run);
    if ((err = h3ou__allreduce(local, &mine, &any, 1, H3OU__INT64, H3OU__MAX)) == H3OU__OK && !any)
        err = h3ou__bcast(local, &run, 1, H3OU__INT64, 0);
    if (failed)
        err = h3ou__fail_in(failed, "%s", me);
    else if (!err && any)
        err = h3ou__fail(H3OU__EFILE, "record='%s': another process of component %s could not make its file", folder, me);
    if (err) {
        h3ou__recorder_free(r);
        return err;
    }
    write_start(r, world, config, text, size, (uint64_t)run);
    if (h3ou__comm_rank(local) == 0)
        h3ou__log(H3OU__LOG_WHISPER, "recording", "component=%s folder=%s", me, folder);
    *out = r;
    return H3OU__OK;
}

void h3ou__recorder_free(h3ou__recorder *r)
{
    if (!r)
        return;
    if (r->fd >= 0) {
        flush(r);
        if (r->fd >= 0)
            close(r->fd);
    }
    free(r->block.data);
    free(r->waiting.data);
    h3ou__model_values_free(&r->values);
    free(r);
}

void h3ou__recorder_grid(h3ou__recorder *r, const h3ou__grid *grid)
{
    h3ou__block_bytes *b = begin(r);
    if (!b)
        return;
    h3ou__block_put_text(b, grid->name);
    h3ou__block_put32(b, grid->nz);
    h3ou__block_put64(b, grid->n);
    for (int64_t i = 0; i < grid->n; i++)
        h3ou__block_put64(b, grid->index[i]);
    finish(r, H3OU__RECORD_GRID, false);
}

static void put_rational(h3ou__block_bytes *b, h3ou__rational a)
{
    h3ou__block_put64(b, a.num);
    h3ou__block_put64(b, a.den);
}

void h3ou__recorder_step(h3ou__recorder *r, const h3ou__clock *clock)
{
    h3ou__block_bytes *b = begin(r);
    if (!b)
        return;
    put_rational(b, clock->now);
    put_rational(b, clock->step);
    finish(r, H3OU__RECORD_STEP, true);
    flush(r);
}

void h3ou__recorder_restart(h3ou__recorder *r, const h3ou__clock *clock)
{
    h3ou__block_bytes *b = begin(r);
    if (!b)
        return;
    for (int i = 0; i < 6; i++)
        h3ou__block_put32(b, clock->date[i]);
    h3ou__block_put64(b, clock->start);
    h3ou__block_put64(b, clock->begin);
    put_rational(b, clock->now);
    put_rational(b, clock->step);
    finish(r, H3OU__RECORD_RESTART, false);
}

void h3ou__recorder_beside(h3ou__recorder *r, const char *call, int parts, int64_t count, const void *const part[],
                           const int64_t bytes[])
{
    h3ou__block_bytes *b = begin(r);
    if (!b)
        return;
    h3ou__block_put_text(b, call);
    h3ou__block_put32(b, parts);
    for (int64_t i = 0; i < count; i++)
        h3ou__block_put_bytes(b, part[i], bytes[i]);
    finish(r, H3OU__RECORD_BESIDE, false);
}

void h3ou__recorder_end(h3ou__recorder *r)
{
    if (begin(r))
        finish(r, H3OU__RECORD_END, false);
}

/* Writes the values of a call that has `rows` layers. */
static void write_values(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__clock *clock, int flags, int count,
                         const double value[])
{
    const h3ou__model_values *m = &r->values;
    bool is_early = !clock->is_running;
    h3ou__record_values head = {.var = f->var,
                                .flags = flags | (is_early ? H3OU__RECORD_EARLY : 0),
                                .count = count,
                                .rows = m->rows,
                                .num = is_early ? 0 : clock->now.num,
                                .den = is_early ? 1 : clock->now.den,
                                .cells = f->grid->n};
    h3ou__block_bytes *b = begin(r);
    if (!b)
        return;
    bool has_values = f->puts || (flags & H3OU__RECORD_OK);
    h3ou__record_values_write(b, &head);
    h3ou__block_put_reals(b, value, has_values ? m->n + (flags & H3OU__RECORD_SHARES ? f->grid->n : 0) : 0);
    finish(r, f->puts ? H3OU__RECORD_PUT : H3OU__RECORD_GET, !has_values);
}

void h3ou__recorder_put(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *given)
{
    if (!r || r->fd < 0 || h3ou__model_values_open(&r->values, f, given) ||
        h3ou__model_values_read(&r->values, f, given, r->values.value))
        return; /* what is wrong with the arrays, put has said */
    write_values(r, f, clock, given->share ? H3OU__RECORD_SHARES : 0, given->count, r->values.value);
}

int h3ou__recorder_expect(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__arrays *to)
{
    h3ou__model_values *m = &r->values;
    int err = r->fd < 0 ? H3OU__ESTATE : h3ou__model_values_open(m, f, to);
    if (err)
        return err;
    h3ou__model_values_read(m, f, to, m->other);
    for (int64_t i = 0; i < m->n; i++)
        h3ou__value_untouch(&m->value[i]);
    h3ou__model_values_write(m, f, m->value, to);
    return H3OU__OK;
}

void h3ou__recorder_got(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *to, int err,
                        bool ok)
{
    h3ou__model_values *m = &r->values;
    if (ok)
        h3ou__model_values_read(m, f, to, m->value);
    if (!err)
        write_values(r, f, clock, ok ? H3OU__RECORD_OK : 0, to->count, m->value);
    for (int64_t i = 0; i < m->n && ok; i++)
        if (!h3ou__value_is_untouched(&m->value[i]))
            m->other[i] = m->value[i];
    h3ou__model_values_write(m, f, m->other, to);
}

void h3ou__recorder_got_nothing(h3ou__recorder *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *to)
{
    if (r->fd >= 0 && !h3ou__model_values_open(&r->values, f, to))
        write_values(r, f, clock, 0, to->count, r->values.value);
}
