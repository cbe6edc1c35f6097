/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/record/replay.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/record/replay_report.h"

/* Where the cells of one file of the record stand among mine. */
typedef struct cells {
    int64_t n, *from, *to; /* [n] places in the file's grid, and in mine */
    int64_t of;            /* cells of the file's grid */
} cells;

typedef struct grid_map {
    const h3ou__grid *grid; /* borrowed */
    cells *part;            /* [parts of the record] */
} grid_map;

/* How far the calls for one field have come: the last call, and in each file the call that comes next. */
typedef struct progress {
    bool is_begun, is_early;
    h3ou__rational time;
    int order;
    int64_t *next; /* [parts of the record] */
} progress;

struct h3ou__replay {
    h3ou__recording *recording;
    int ngrid;
    grid_map *grid;
    int nprogress; /* 2 * variable + (1: gets) */
    progress *progress;
    h3ou__model_values values;
    h3ou__block_bytes bytes;
    h3ou__replay_report report;
};

/* A call of the program, which is looked for in the record. */
typedef struct wanted {
    const h3ou__face_field *field;
    const h3ou__clock *clock;
    const grid_map *map;
    progress *done;
    h3ou__rational time;
    bool is_early;
    int order;
} wanted;

bool h3ou__replay_is_asked(void)
{
    const char *folder = getenv("H3OU_REPLAY");
    return folder && *folder;
}

/* Sets out to the name of the record that the program, which says it is `name`, is to repeat: of the names in H3OU_REPLAY_COMPONENT,
 * between which commas stand, that one, or the only one, of which it may be the base. */
static void choose_record(const char *name, char out[H3OU__NAME + 1])
{
    const char *asked = getenv("H3OU_REPLAY_COMPONENT");
    size_t length = asked ? strcspn(asked, ",") : 0;
    bool is_one = asked && *asked && (!asked[length] || !strcmp(asked, name));
    snprintf(out, H3OU__NAME + 1, "%s", is_one ? asked : name);
}

/* Returns whether one of the names in H3OU_REPLAY_COMPONENT is that. */
static bool is_asked_for(const char *name)
{
    const char *at = getenv("H3OU_REPLAY_COMPONENT");
    if (!at || !*at || !strcmp(at, name))
        return true;
    for (; *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strcspn(at, ",") == strlen(name) && !strncmp(at, name, strlen(name)))
            return true;
    }
    return false;
}

/* Checks that the program is the component of the record, or the base of that member. */
static int check_name(const h3ou__recording *r, const char *name)
{
    bool is_one = !strcmp(name, r->known[r->me].name) || !strcmp(name, r->known[r->me].base);
    if (is_one && is_asked_for(r->known[r->me].name))
        return H3OU__OK;
    const char *asked = getenv("H3OU_REPLAY_COMPONENT");
    return h3ou__fail(H3OU__ENAME, "h3ou_init: this program is component '%s', but component '%s' of the record %s is to be replayed: give "
                      "h3ou replay the option --component %s%s%s, or start the other program", name, asked, r->folder,
                      h3ou__world_own() > 1 ? asked : "", h3ou__world_own() > 1 ? "," : "", name);
}

int h3ou__replay_open(const char *name, h3ou__replay **out)
{
    char record[H3OU__NAME + 1];
    *out = NULL;
    h3ou__replay *r = calloc(1, sizeof *r);
    if (!r)
        return h3ou__no_memory("the record of a run");
    choose_record(name, record);
    int err = h3ou__recording_open(getenv("H3OU_REPLAY"), record, &r->recording);
    if (!err)
        err = check_name(r->recording, name);
    if (err) {
        h3ou__replay_free(r);
        return err;
    }
    h3ou__replay_report_open(r->recording->component, &r->report);
    *out = r;
    return H3OU__OK;
}

void h3ou__replay_free(h3ou__replay *r)
{
    if (!r)
        return;
    for (int g = 0; g < r->ngrid; g++) {
        for (int p = 0; p < r->recording->n; p++) {
            free(r->grid[g].part[p].from);
            free(r->grid[g].part[p].to);
        }
        free(r->grid[g].part);
    }
    for (int i = 0; i < r->nprogress; i++)
        free(r->progress[i].next);
    free(r->grid);
    free(r->progress);
    free(r->bytes.data);
    h3ou__model_values_free(&r->values);
    h3ou__replay_report_close(&r->report);
    h3ou__recording_free(r->recording);
    free(r);
}

const h3ou__recording *h3ou__replay_recording(const h3ou__replay *r)
{
    return r->recording;
}

static const h3ou__recorded_grid *find_grid(const h3ou__recorded_part *p, const char *name)
{
    for (int i = 0; i < p->ngrid; i++)
        if (!strcmp(p->grid[i].name, name))
            return &p->grid[i];
    return NULL;
}

/* A cell of mine. */
typedef struct place {
    int64_t index, at;
} place;

static int by_index(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* Finds my cells among those of one file. */
static int map_part(cells *c, const h3ou__recorded_grid *g, const place mine[], int64_t n)
{
    int64_t most = g->n < n ? g->n : n;
    c->of = g->n;
    c->from = malloc(sizeof *c->from * (size_t)(most + 1));
    c->to = malloc(sizeof *c->to * (size_t)(most + 1));
    if (!c->from || !c->to)
        return h3ou__no_memory("the cells of grid %s", g->name);
    for (int64_t i = 0; i < g->n && c->n < most; i++) {
        const place key = {g->index[i], 0}, *found = bsearch(&key, mine, (size_t)n, sizeof *mine, by_index);
        if (!found)
            continue;
        c->from[c->n] = i;
        c->to[c->n++] = found->at;
    }
    return H3OU__OK;
}

/* Sets counts to my cells, those of them that the record has, and all that it has; and *lacking to a cell of mine that it lacks. */
static int map_grid(h3ou__replay *r, grid_map *map, int64_t counts[3], int64_t *lacking)
{
    const h3ou__grid *grid = map->grid;
    int err = H3OU__OK, n = r->recording->n;
    place *mine = malloc(sizeof *mine * (size_t)(grid->n + 1));
    char *is_known = calloc((size_t)grid->n + 1, 1);
    counts[0] = grid->n;
    if (!mine || !is_known)
        err = h3ou__no_memory("the cells of grid %s", grid->name);
    for (int64_t i = 0; i < grid->n && !err; i++)
        mine[i] = (place){grid->index[i], i};
    if (!err)
        qsort(mine, (size_t)grid->n, sizeof *mine, by_index);
    for (int p = 0; p < n && !err; p++) {
        const h3ou__recorded_grid *g = find_grid(&r->recording->part[p], grid->name);
        if (!g) {
            err = h3ou__fail(H3OU__ENAME, "h3ou_end_grid_def: grid %s: the recorded run had no such grid (%s)", grid->name,
                             r->recording->part[p].path);
            break;
        }
        err = map_part(&map->part[p], g, mine, grid->n);
        counts[1] += map->part[p].n;
        counts[2] += g->n;
        for (int64_t i = 0; i < map->part[p].n && !err; i++)
            is_known[map->part[p].to[i]] = 1;
    }
    for (int64_t i = 0; i < grid->n && !err; i++)
        if (!is_known[i])
            *lacking = grid->index[i];
    free(mine);
    free(is_known);
    return err;
}

int h3ou__replay_grid(h3ou__replay *r, h3ou__comm *local, const h3ou__grid *grid)
{
    int64_t mine[3] = {0}, all[3], lacking = 0;
    if (!h3ou__resize(&r->grid, sizeof *r->grid, r->ngrid + 1))
        return h3ou__no_memory("the cells of grid %s", grid->name);
    grid_map *map = &r->grid[r->ngrid];
    *map = (grid_map){grid, calloc((size_t)r->recording->n, sizeof *map->part)};
    if (!map->part)
        return h3ou__no_memory("the cells of grid %s", grid->name);
    r->ngrid++;
    int err = map_grid(r, map, mine, &lacking);
    if (err)
        return err;
    if (lacking)
        return h3ou__fail(H3OU__EINDEX, "h3ou_end_grid_def: grid %s: cell %" PRId64 " was not in it in the recorded run", grid->name, lacking);
    if ((err = h3ou__allreduce(local, mine, all, 2, H3OU__INT64, H3OU__SUM)) == H3OU__OK && all[0] != mine[2])
        err = h3ou__fail(H3OU__EINDEX, "h3ou_end_grid_def: grid %s has %" PRId64 " cells, in the recorded run it had %" PRId64, grid->name,
                         all[0], mine[2]);
    return err;
}

void h3ou__replay_log(const h3ou__replay *r, h3ou__comm *local)
{
    const h3ou__recording *k = r->recording;
    if (h3ou__comm_rank(local) == 0)
        h3ou__log(H3OU__LOG_WHISPER, "replay", "component=%s folder=%s processes=%d recorded-processes=%d", k->component, k->folder,
                  h3ou__comm_size(local), k->n);
}

/* Notes a call of the program. */
static int begin_call(h3ou__replay *r, const h3ou__face_field *f, const h3ou__clock *clock, wanted *w)
{
    int at = 2 * f->var + !f->puts;
    if (at >= r->nprogress) {
        if (!h3ou__resize(&r->progress, sizeof *r->progress, at + 1))
            return h3ou__no_memory("the calls for field %s", f->name);
        memset(r->progress + r->nprogress, 0, sizeof *r->progress * (size_t)(at + 1 - r->nprogress));
        r->nprogress = at + 1;
    }
    progress *done = &r->progress[at];
    if (!done->next && !(done->next = calloc((size_t)r->recording->n, sizeof *done->next)))
        return h3ou__no_memory("the calls for field %s", f->name);
    h3ou__rational time = clock->is_running ? clock->now : h3ou__whole(0);
    bool is_early = !clock->is_running,
         is_same = done->is_begun && done->is_early == is_early && h3ou__rational_compare(done->time, time) == 0;
    done->order = is_same ? done->order + 1 : 0;
    done->is_begun = true;
    done->is_early = is_early;
    done->time = time;
    *w = (wanted){f, clock, NULL, done, time, is_early, done->order};
    for (int g = 0; g < r->ngrid; g++)
        if (r->grid[g].grid == f->grid)
            w->map = &r->grid[g];
    return w->map ? H3OU__OK : h3ou__fail(H3OU__ESTATE, "%s: field %s comes before h3ou_end_grid_def", f->call, f->name);
}

/* Returns a number below, equal to or above 0 for a recorded call before the wanted one, the same, or after it. */
static int compare_call(const h3ou__recorded_call *c, const wanted *w)
{
    if (c->is_early != w->is_early)
        return c->is_early ? -1 : 1;
    int order = h3ou__rational_compare(c->time, w->time);
    return order ? order : c->order - w->order;
}

/* Finds the call in the file of one process, or NULL; *passed: a call that the program did not make stands before it, or NULL. */
static const h3ou__recorded_call *find_call(const h3ou__replay *r, int p, const wanted *w, const h3ou__recorded_call **passed)
{
    const h3ou__recorded_calls *all = h3ou__recorded_calls_of(&r->recording->part[p], w->field->var, w->field->puts);
    int64_t *next = &w->done->next[p];
    while (all && *next < all->n) {
        const h3ou__recorded_call *c = &all->call[*next];
        int order = compare_call(c, w);
        if (order > 0)
            return NULL;
        ++*next;
        if (order == 0)
            return c;
        if (!*passed)
            *passed = c;
    }
    return NULL;
}

/* Returns whether values of that file are needed; of a process without cells the first file says what happened. */
static bool is_needed(const wanted *w, int p)
{
    return w->map->part[p].n > 0 || (p == 0 && w->field->grid->n == 0);
}

enum { WHEN_TEXT = H3OU__DATE_TEXT + 16 };

static const char *when(const wanted *w, char text[WHEN_TEXT])
{
    char date[H3OU__DATE_TEXT];
    if (w->is_early)
        return "before the first step";
    snprintf(text, WHEN_TEXT, "at %s", h3ou__clock_text(w->clock, w->field->config, w->time, date));
    return text;
}

/* Returns whether the file of a process that was ended says nothing about the time of a call. */
static bool is_after_end(const h3ou__recorded_part *p, const wanted *w)
{
    bool has_steps = h3ou__rational_is_finite(p->last);
    return !p->has_end && (!has_steps || (!w->is_early && h3ou__rational_compare(w->time, p->last) >= 0));
}

/* Fails for a get that the record lacks. */
static int fail_lacking(const h3ou__recorded_part *p, const wanted *w)
{
    char at[WHEN_TEXT], end[H3OU__DATE_TEXT];
    const h3ou__face_field *f = w->field;
    bool has_steps = h3ou__rational_is_finite(p->last), is_late = has_steps && h3ou__rational_compare(w->time, p->last) > 0;
    const char *time = when(w, at);
    if (!has_steps)
        return h3ou__fail(H3OU__ETIME, "%s: field %s %s: the recorded run ended before its first step (%s)", f->call, f->name, time, p->path);
    h3ou__clock_text(w->clock, f->config, p->last, end);
    if (is_late || is_after_end(p, w))
        return h3ou__fail(H3OU__ETIME, "%s: field %s %s: the record ends with the step that began at %s%s (%s)", f->call, f->name, time,
                          end, p->has_end ? "" : ", in which the run was ended", p->path);
    return h3ou__fail(H3OU__ETIME, "%s: field %s %s: the component did not get it at this time in the recorded run: let the steps, and the "
                      "gets in them, be as they were then", f->call, f->name, time);
}

/* Reads the values of a recorded call to the cells of mine that its process had. */
static int take_values(h3ou__replay *r, int p, const wanted *w, const h3ou__recorded_call *c, int count, bool has_share, double to[])
{
    const cells *map = &w->map->part[p];
    const h3ou__record_values *v = &c->values;
    int64_t n = w->field->grid->n, rows = (int64_t)r->values.rows * count + has_share;
    if (v->count != count || v->rows != r->values.rows || v->cells != map->of || !(v->flags & H3OU__RECORD_SHARES) == has_share)
        return h3ou__fail(H3OU__ESIZE, "%s: field %s has %d components of %d layers%s, in the recorded run it had %d of %d%s", w->field->call,
                          w->field->name, count, r->values.rows, has_share ? " and shares" : "", v->count, v->rows,
                          v->flags & H3OU__RECORD_SHARES ? " and shares" : "");
    int err = h3ou__recorded_read(&r->recording->part[p], c->offset, &c->head, &r->bytes);
    if (err)
        return err;
    h3ou__record_values skipped;
    h3ou__record_values_read(&r->bytes, &skipped);
    for (int64_t row = 0; row < rows; row++) {
        const unsigned char *from = h3ou__block_skip(&r->bytes, 8 * map->of);
        for (int64_t i = 0; i < map->n && from; i++)
            to[row * n + map->to[i]] = h3ou__block_real(from + 8 * map->from[i]);
    }
    return H3OU__OK;
}

int h3ou__replay_get(h3ou__replay *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *to, bool *ok)
{
    wanted w;
    h3ou__model_values *m = &r->values;
    *ok = false;
    int err = h3ou__model_values_open(m, f, to);
    if (!err)
        err = begin_call(r, f, clock, &w);
    for (int p = 0; p < r->recording->n && !err; p++) {
        const h3ou__recorded_call *passed = NULL;
        if (!is_needed(&w, p))
            continue;
        const h3ou__recorded_call *c = find_call(r, p, &w, &passed);
        if (!c)
            return fail_lacking(&r->recording->part[p], &w);
        *ok = c->values.flags & H3OU__RECORD_OK;
        if (*ok)
            err = take_values(r, p, &w, c, to->count, false, m->value);
    }
    if (err || !*ok)
        return err;
    h3ou__model_values_read(m, f, to, m->other);
    for (int64_t i = 0; i < m->n; i++)
        if (!h3ou__value_is_untouched(&m->value[i]))
            m->other[i] = m->value[i];
    h3ou__model_values_write(m, f, m->other, to);
    r->report.ngets++;
    return H3OU__OK;
}

static bool is_same_value(double a, double b)
{
    return !memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b));
}

/* Compares what was put (m->value) with the record (m->other). Sets *first to the place of the first value that differs, that of the
 * lowest cell; returns how many differ. */
static int64_t count_differences(const h3ou__model_values *m, const h3ou__grid *g, int64_t values, int64_t *first)
{
    int64_t n = 0;
    for (int64_t i = 0; i < values; i++) {
        if (is_same_value(m->value[i], m->other[i]))
            continue;
        if (n++ == 0 || g->index[i % g->n] < g->index[*first % g->n])
            *first = i;
    }
    return n;
}

static h3ou__difference difference_of(const wanted *w)
{
    return (h3ou__difference){.var = w->field->var, .field = w->field->name, .is_early = w->is_early, .time = w->time};
}

/* Tells of values that differ. */
static int tell_values(h3ou__replay *r, const wanted *w, const h3ou__arrays *given, int64_t ndifferent, int64_t at)
{
    const h3ou__model_values *m = &r->values;
    const h3ou__grid *g = w->field->grid;
    char text[WHEN_TEXT], layer[64] = "";
    h3ou__difference d = difference_of(w);
    int64_t row = at / g->n;
    d.cell = g->index[at % g->n];
    d.nvalues = ndifferent;
    if (at >= m->n)
        snprintf(layer, sizeof layer, ", share");
    else if (given->count > 1)
        snprintf(layer, sizeof layer, ", layer %d, component %d", (int)(row % m->rows) + 1, (int)(row / m->rows) + 1);
    else if (m->rows > 1)
        snprintf(layer, sizeof layer, ", layer %d", (int)row + 1);
    return h3ou__replay_tell(&r->report, &d, "field %s put %s%s: grid %s, cell %" PRId64 "%s: %.17g, in the recorded run %.17g", w->field->name,
                             when(w, text), w->order ? " (not the first put of this step)" : "", g->name, d.cell, layer, m->value[at],
                             m->other[at]);
}

/* Tells that the program makes a put that the recorded run did not make, or does not make one that it did (passed). */
static int tell_other_calls(h3ou__replay *r, const wanted *w, const h3ou__recorded_call *passed)
{
    char text[WHEN_TEXT];
    h3ou__difference d = difference_of(w);
    if (!passed)
        return h3ou__replay_tell(&r->report, &d, "field %s is put %s, which it was not in the recorded run", w->field->name, when(w, text));
    wanted then = *w;
    then.time = d.time = passed->time;
    then.is_early = d.is_early = passed->is_early;
    return h3ou__replay_tell(&r->report, &d, "field %s is not put %s, which it was in the recorded run", w->field->name, when(&then, text));
}

/* Finds the recorded values of a put, in m->other. *is_unknown: the record does not say what was put. */
static int find_put(h3ou__replay *r, const wanted *w, const h3ou__arrays *given, bool *is_unknown)
{
    int err = H3OU__OK;
    *is_unknown = false;
    for (int p = 0; p < r->recording->n && !err && !*is_unknown; p++) {
        const h3ou__recorded_call *passed = NULL, *c;
        if (!is_needed(w, p))
            continue;
        c = find_call(r, p, w, &passed);
        if (passed)
            err = tell_other_calls(r, w, passed);
        *is_unknown = !c;
        if (!err && !c && !is_after_end(&r->recording->part[p], w))
            err = tell_other_calls(r, w, NULL);
        if (!err && c)
            err = take_values(r, p, w, c, given->count, given->share != NULL, r->values.other);
    }
    return err;
}

int h3ou__replay_put(h3ou__replay *r, const h3ou__face_field *f, const h3ou__clock *clock, const h3ou__arrays *given)
{
    wanted w;
    bool is_unknown = false;
    int64_t first = 0;
    h3ou__model_values *m = &r->values;
    int err = h3ou__model_values_open(m, f, given);
    if (!err)
        err = h3ou__model_values_read(m, f, given, m->value);
    if (!err)
        err = begin_call(r, f, clock, &w);
    r->report.nputs++;
    if (!err)
        err = find_put(r, &w, given, &is_unknown);
    if (err || is_unknown)
        return err;
    int64_t ndifferent = count_differences(m, f->grid, m->n + (given->share ? f->grid->n : 0), &first);
    return ndifferent ? tell_values(r, &w, given, ndifferent, first) : H3OU__OK;
}

int h3ou__replay_restart(const h3ou__replay *r, h3ou__clock *clock)
{
    const h3ou__recorded_restart *k = &r->recording->part[0].restart;
    if (!k->has)
        return h3ou__fail(H3OU__ESTATE, "h3ou_read_restart: the recorded run read no restart: let the program begin as it did then");
    memcpy(clock->date, k->date, sizeof clock->date);
    clock->start = k->start;
    clock->begin = k->begin;
    clock->now = k->now;
    clock->step = k->step;
    memset(clock->day, 0, sizeof clock->day);
    clock->is_running = clock->is_cut = clock->is_restored = true;
    return H3OU__OK;
}

/* Tells of the first put of a field that the program left out at its end. */
static int tell_left_out(h3ou__replay *r, const h3ou__face_field *f, const h3ou__clock *clock)
{
    wanted w;
    const h3ou__recorded_call *passed = NULL;
    int err = begin_call(r, f, clock, &w);
    w.time = h3ou__clock_next(clock);
    w.is_early = false;
    w.order = 0;
    for (int p = 0; p < r->recording->n && !err && !passed; p++)
        if (w.map->part[p].n > 0)
            find_call(r, p, &w, &passed);
    return err || !passed ? err : tell_other_calls(r, &w, passed);
}

int h3ou__replay_end(h3ou__replay *r, const h3ou__config *config, const h3ou__clock *clock)
{
    int err = H3OU__OK;
    for (int i = 0; i < config->nvar && !err && clock->is_running; i++)
        for (int g = 0; g < r->ngrid && !err; g++) {
            const h3ou__config_pair *pair = &config->pair[config->var[i].pair];
            const h3ou__face_field f = {"h3ou_coupling_end", true, i, config->var[i].put, config, r->grid[g].grid, 1};
            if (!strcmp(pair->grid_put, f.grid->name) && !strcmp(pair->comp_put, r->recording->known[r->recording->me].base))
                err = tell_left_out(r, &f, clock);
        }
    h3ou__replay_report_end(&r->report);
    return err;
}
