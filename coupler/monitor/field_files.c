/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/field_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/config/leniency.h"
#include "coupler/config/monitor_keys.h"
#include "coupler/exchange/pack_message.h"
#include "coupler/monitor/append.h"
#include "coupler/monitor/file/make_fields.h"
#include "coupler/monitor/raw_file.h"
#include "coupler/time/calendar.h"

/* One side of a variable. */
typedef struct kept_field {
    int number;       /* of its record in the file, from 1; 0: not written yet */
    int64_t count;    /* of exchanges that were seen */
    double last_mark; /* of the exchange that was received last */
    double *early;    /* [nearly] what was put before the clock had a time; NULL: nothing */
} kept_field;

typedef struct field_files {
    const h3ou__config *config;
    const char *component; /* with the number of a member */
    const char *base;      /* as the configuration names it */
    const h3ou__clock *clock;
    h3ou__comm *local;
    int64_t run;
    int rank, size, nfield;
    h3ou__raw_file file;
    bool has_head;
    kept_field *field;      /* [variables of the configuration][H3OU__NSIDE] */
    int ngrid;
    const h3ou__grid **grid; /* [ngrid] those whose records are written */
    int64_t room;
    double *value; /* [room] those of one record */
    const h3ou__outgoing **out; /* [variables] of fields with early values */
    bool has_early;
} field_files;

static bool is_mine(const h3ou__config *config, const h3ou__config_var *v, const char *component, int side)
{
    const h3ou__config_pair *p = &config->pair[v->pair];
    return !strcmp(side <= H3OU__SIDE_SENT ? p->comp_put : p->comp_get, component);
}

static bool files_want(const void *self, const h3ou__config_var *var, int side)
{
    const field_files *f = self;
    return h3ou__is_watched((unsigned)var->monitor.sides, side) && is_mine(f->config, var, f->base, side);
}

bool h3ou__field_files_are_kept(const h3ou__config *config, const char *component)
{
    for (int i = 0; i < config->nvar; i++)
        for (int side = 0; side < H3OU__NSIDE; side++)
            if (h3ou__is_watched((unsigned)config->var[i].monitor.sides, side) && is_mine(config, &config->var[i], component, side))
                return true;
    return false;
}

static kept_field *field_of(const field_files *f, const h3ou__config_var *v, int side)
{
    return &f->field[(v - f->config->var) * H3OU__NSIDE + side];
}

/* Writes what a file begins with, once the clock has a time. */
static void write_head(field_files *f)
{
    const int *d = f->clock->date;
    h3ou__raw_begin(&f->file, H3OU__RAW_RUN, 0);
    h3ou__raw_text(&f->file, "component=%s\nrank=%d\nsize=%d\nrun=%" PRId64 "\ncalendar=%s\nstart=%04d-%02d-%02d %02d:%02d:%02d\n",
                   f->component, f->rank, f->size, f->run, h3ou__calendar_name(f->config->calendar), d[0], d[1], d[2], d[3], d[4], d[5]);
    h3ou__raw_end(&f->file);
    f->has_head = true;
}

static void write_grid(field_files *f, const h3ou__grid *g, int number)
{
    const h3ou__geometry *m = &g->geometry;
    int most = m->corner_lon ? m->most : 0;
    char text[512];
    int length = snprintf(text, sizeof text, "name=%s\ncells=%" PRId64 "\nlast=%" PRId64 "\nnx=%d\nny=%d\ncorners=%d\ncentres=%d\n",
                          g->name, g->n, g->last, m->nx, m->ny, most, m->lon != NULL);
    h3ou__raw_begin(&f->file, H3OU__RAW_GRID, number);
    h3ou__raw_u32(&f->file, (uint32_t)length);
    h3ou__raw_text(&f->file, "%s", text);
    h3ou__raw_integers(&f->file, g->n, g->index);
    if (m->lon) {
        h3ou__raw_reals(&f->file, g->n, m->lon, false);
        h3ou__raw_reals(&f->file, g->n, m->lat, false);
    }
    h3ou__raw_reals(&f->file, g->n * most, m->corner_lon, false);
    h3ou__raw_reals(&f->file, g->n * most, m->corner_lat, false);
    h3ou__raw_end(&f->file);
}

/* Sets *number to that of a grid, whose record is written first if it is new. */
static int find_grid(field_files *f, const h3ou__grid *g, int *number)
{
    for (*number = 0; *number < f->ngrid; ++*number)
        if (f->grid[*number] == g)
            return H3OU__OK;
    if (!h3ou__resize(&f->grid, sizeof *f->grid, f->ngrid + 1))
        return h3ou__no_memory("the fields that are monitored");
    f->grid[f->ngrid++] = g;
    write_grid(f, g, *number);
    return H3OU__OK;
}

/* What is seen: a side of a variable, on a grid, with so many layers of so many components. */
typedef struct seen {
    const h3ou__config_var *var;
    int side;
    const h3ou__grid *grid;
    int layers, components;
    bool is_silent; /* no values come to the process: it has none, or fixed ones */
} seen;

static void write_description(field_files *f, const h3ou__config_var *v, bool puts)
{
    const h3ou__config_description *d = &v->description;
    const char *units = puts && *d->units_put ? d->units_put : d->units;
    if (*units)
        h3ou__raw_text(&f->file, "units=%s\n", units);
    if (*d->standard_name)
        h3ou__raw_text(&f->file, "standard_name=%s\n", d->standard_name);
    if (*d->long_name)
        h3ou__raw_text(&f->file, "long_name=%s\n", d->long_name);
}

static int write_field(field_files *f, const seen *s)
{
    if (field_of(f, s->var, s->side)->number)
        return H3OU__OK;
    if (!f->has_head)
        write_head(f);
    const h3ou__config_pair *p = &f->config->pair[s->var->pair];
    bool puts = s->side <= H3OU__SIDE_SENT;
    int grid, err = find_grid(f, s->grid, &grid);
    if (err)
        return err;
    field_of(f, s->var, s->side)->number = ++f->nfield;
    h3ou__raw_begin(&f->file, H3OU__RAW_FIELD, f->nfield);
    h3ou__raw_text(&f->file, "grid=%d\nside=%s\nfield=%s\npartner=%s\npartner_field=%s\n", grid, h3ou__side_name(s->side),
                   puts ? s->var->put : s->var->get, puts ? p->comp_get : p->comp_put, puts ? s->var->get : s->var->put);
    h3ou__raw_text(&f->file, "layers=%d\ncomponents=%d\nsingle=%d\nsilent=%d\n", s->layers, s->components, s->var->type == H3OU__REAL4,
                   s->is_silent);
    write_description(f, s->var, puts);
    h3ou__raw_end(&f->file);
    return H3OU__OK;
}

/* Writes f->value as the field's at `time`. */
static int write_values(field_files *f, const seen *s, double time)
{
    const h3ou__config_remap *r = &s->var->remap;
    int64_t n = (int64_t)s->components * s->layers * s->grid->n;
    int err = write_field(f, s);
    for (int64_t i = 0; i < n && r->has_missing && !r->keep_missing; i++)
        if (f->value[i] == r->missing)
            f->value[i] = NAN;
    if (err)
        return err;
    h3ou__raw_begin(&f->file, H3OU__RAW_VALUES, field_of(f, s->var, s->side)->number);
    h3ou__raw_reals(&f->file, 1, &time, false);
    h3ou__raw_reals(&f->file, n, f->value, s->var->type == H3OU__REAL4);
    h3ou__raw_end(&f->file);
    return H3OU__OK;
}

/* Makes room for the values of a record. */
static int reserve(field_files *f, const seen *s)
{
    int64_t n = (int64_t)s->components * s->layers * s->grid->n;
    if (n > f->room && !h3ou__resize(&f->value, sizeof *f->value, n))
        return h3ou__no_memory("the fields that are monitored");
    f->room = n > f->room ? n : f->room;
    return H3OU__OK;
}

static seen seen_of_put(const h3ou__outgoing *o, int side)
{
    int layers = side == H3OU__SIDE_PUT ? o->layer : o->layer * o->slices;
    return (seen){o->var, side, o->grid, layers, h3ou__config_components(o->var, o->var->put_xyz), false};
}

/* Writes what was put before h3ou_init_time as of the component's start. */
static int write_early(field_files *f)
{
    int err = H3OU__OK;
    for (int v = 0; v < f->config->nvar && f->has_early && f->clock->is_set && !err; v++) {
        kept_field *k = &f->field[v * H3OU__NSIDE + H3OU__SIDE_PUT];
        if (!k->early)
            continue;
        seen s = seen_of_put(f->out[v], H3OU__SIDE_PUT);
        if ((err = reserve(f, &s)) == H3OU__OK) {
            memcpy(f->value, k->early, sizeof *k->early * (size_t)(s.components * s.layers * s.grid->n));
            err = write_values(f, &s, (double)f->clock->begin);
        }
        free(k->early);
        k->early = NULL;
    }
    f->has_early = f->has_early && !f->clock->is_set;
    return err;
}

/* Keeps f->value until the clock has a time. */
static int keep_early(field_files *f, const h3ou__outgoing *o, const seen *s)
{
    kept_field *k = field_of(f, s->var, H3OU__SIDE_PUT);
    size_t size = sizeof *k->early * (size_t)(s->components * s->layers * s->grid->n);
    if (!k->early && !(k->early = malloc(size + 1)))
        return h3ou__no_memory("the fields that are monitored");
    memcpy(k->early, f->value, size);
    f->out[s->var - f->config->var] = o;
    f->has_early = true;
    return H3OU__OK;
}

/* Counts an exchange; returns whether it is one of those that are kept. */
static bool is_kept(const field_files *f, const h3ou__config_var *v, int side)
{
    return field_of(f, v, side)->count++ % v->monitor.every == 0;
}

/* Reads the model's arrays. */
static int read_arrays(field_files *f, const seen *s, const h3ou__arrays *a, int layer, int slices)
{
    h3ou__place place;
    int err = reserve(f, s);
    if (err)
        return err;
    if (!h3ou__place_find_slices(s->grid, a, layer, slices, &place))
        return h3ou__arrays_misfit(a, f->config, s->var, s->var->put, s->grid, slices);
    for (int k = 0; k < s->components; k++)
        h3ou__place_read(&place, s->grid->n, s->layers, a->component[k], f->value + k * s->layers * s->grid->n);
    return H3OU__OK;
}

static int see_put(void *self, const h3ou__outgoing *o, const h3ou__clock *clock, const h3ou__arrays *given)
{
    field_files *f = self;
    seen s = seen_of_put(o, H3OU__SIDE_PUT);
    bool is_early = !clock->is_set;
    if (!is_kept(f, o->var, H3OU__SIDE_PUT) && !is_early)
        return H3OU__OK;
    int err = write_early(f);
    if (!err)
        err = read_arrays(f, &s, given, o->var->layer, o->slices_put);
    if (err)
        return err;
    return is_early ? keep_early(f, o, &s) : write_values(f, &s, h3ou__rational_real(clock->now));
}

/* Returns the time of an exchange: where it has one its own, else that at which it is seen. */
static double time_of(const h3ou__config_var *v, const h3ou__clock *clock, double mark)
{
    return v->lag != 0 && mark >= 0.0 ? mark : clock->is_set ? h3ou__rational_real(clock->now) : 0.0;
}

static int see_sent(void *self, const h3ou__outgoing *o, const h3ou__clock *clock, double mark, int state, const h3ou__sample *sample)
{
    field_files *f = self;
    seen s = seen_of_put(o, H3OU__SIDE_SENT);
    (void)state;
    if (!sample || !is_kept(f, o->var, H3OU__SIDE_SENT))
        return H3OU__OK;
    int err = write_early(f);
    if (!err)
        err = reserve(f, &s);
    if (err)
        return err;
    double *to = f->value;
    for (int k = 0; k < s.components; k++)
        for (int row = 0; row < s.layers; row++, to += o->n) {
            int64_t start = h3ou__sample_row(o, k, row);
            for (int64_t i = 0; i < o->n; i++)
                to[i] = NAN;
            for (int64_t i = 0; i < o->nneeded; i++)
                if (!sample->share || sample->share[o->needed[i]] > 0.0)
                    to[o->needed[i]] = h3ou__sample_value(sample, start, o->needed[i]);
        }
    return write_values(f, &s, time_of(o->var, clock, mark));
}

/* Copies the cells that were set; the others are missing. */
static void copy_set(const h3ou__incoming *in, const double from[], double to[])
{
    const h3ou__sparse *rows = &in->plan->rows;
    const h3ou__remainder *left = &in->plan->left;
    for (int64_t i = 0; i < in->layer * in->n; i++)
        to[i] = NAN;
    for (int layer = 0; layer < in->layer; layer++, from += in->n, to += in->n) {
        for (int64_t r = 0; r < rows->nrow; r++)
            to[rows->row[r]] = from[rows->row[r]];
        for (int64_t i = 0; i < left->nfixed; i++)
            to[left->fixed[i]] = from[left->fixed[i]];
    }
}

static int see_received(void *self, const h3ou__incoming *in, const h3ou__clock *clock, double mark, const double *const value[])
{
    field_files *f = self;
    seen s = {in->var, H3OU__SIDE_RECEIVED, in->grid, in->layer, h3ou__config_components(in->var, in->var->get_xyz),
              in->plan->npartner == 0};
    kept_field *k = field_of(f, in->var, H3OU__SIDE_RECEIVED);
    if (s.is_silent && in->plan->left.nfixed == 0)
        return write_field(f, &s);
    if (s.is_silent) /* without partners the process learns nothing of the exchange, and has the same values each time */
        mark = clock->is_set ? h3ou__rational_real(clock->now) : 0.0;
    bool is_again = k->count > 0 && k->last_mark == mark && in->var->lag != 0; /* a second get in one step */
    if (is_again)
        return H3OU__OK;
    k->last_mark = mark;
    if (!is_kept(f, in->var, H3OU__SIDE_RECEIVED))
        return H3OU__OK;
    int err = write_early(f);
    if (!err)
        err = reserve(f, &s);
    for (int c = 0; c < s.components && !err; c++)
        copy_set(in, value[c], f->value + c * s.layers * in->n);
    return err ? err : write_values(f, &s, time_of(in->var, clock, mark));
}

static int see_got(void *self, const h3ou__incoming *in, const h3ou__clock *clock, const h3ou__arrays *to, bool ok)
{
    field_files *f = self;
    seen s = {in->var, H3OU__SIDE_GOT, in->grid, in->model_layer, h3ou__config_components(in->var, in->var->get_xyz), false};
    if (!ok || !is_kept(f, in->var, H3OU__SIDE_GOT))
        return H3OU__OK;
    int err = write_early(f);
    if (!err)
        err = read_arrays(f, &s, to, in->var->layer, in->slices);
    return err ? err : write_values(f, &s, h3ou__rational_real(clock->now));
}

static void files_free(void *self)
{
    field_files *f = self;
    h3ou__raw_close(&f->file);
    for (int i = 0; f->field && i < f->config->nvar * H3OU__NSIDE; i++)
        free(f->field[i].early);
    free(f->field);
    free(f->out);
    free(f->grid);
    free(f->value);
    free(f);
}

static void tell_made(void *user, bool is_problem, const char *sentence)
{
    int *files = user;
    if (is_problem)
        h3ou__warn(NULL, "%s", sentence);
    else
        ++*files;
}

/* Ends the file. Where no h3ou run does so, the first process makes NetCDF files when all processes have ended theirs; what cannot be
 * made is told, and does not fail the run. */
static int end_files(void *self, const h3ou__clock *clock)
{
    field_files *f = self;
    bool is_run;
    const char *folder = h3ou__run_folder(&is_run);
    int err = write_early(f);
    (void)clock;
    if (f->has_head) {
        h3ou__raw_begin(&f->file, H3OU__RAW_END, 0);
        h3ou__raw_end(&f->file);
    }
    h3ou__raw_close(&f->file);
    if (err || is_run)
        return err;
    err = h3ou__barrier(f->local);
    if (err || f->rank != 0)
        return err;
    sigset_t before;
    int files = 0;
    h3ou__size_signal_block(&before);
    h3ou__fields_make(folder, f->component, false, tell_made, &files);
    h3ou__size_signal_restore(&before);
    h3ou__log(H3OU__LOG_WHISPER, "monitored", "component=%s files=%d folder=%s/monitor", f->component, files, folder);
    return H3OU__OK;
}

static const h3ou__observer_ops OPS = {files_want, see_put, see_sent, see_received, see_got, NULL, files_free, end_files};

/* Agrees on a number that no other run has. */
static int number_run(h3ou__comm *local, int64_t *run)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *run = ((int64_t)now.tv_sec << 20) + ((int64_t)now.tv_nsec >> 10) + ((int64_t)getpid() << 42 & INT64_MAX >> 1);
    return h3ou__bcast(local, run, 1, H3OU__INT64, 0);
}

int h3ou__field_files_observe(h3ou__observers *to, const h3ou__config *config, h3ou__world *world)
{
    h3ou__comm *local = h3ou__world_local(world);
    int me = h3ou__world_me(world);
    if (!h3ou__field_files_are_kept(config, h3ou__world_component_base(world, me)))
        return H3OU__OK;
    field_files *f = calloc(1, sizeof *f);
    if (!f)
        return h3ou__no_memory("the fields that are monitored");
    *f = (field_files){.config = config, .clock = to->clock, .component = h3ou__world_component_name(world, me)};
    f->base = h3ou__world_component_base(world, me);
    f->local = local;
    f->rank = h3ou__comm_rank(local);
    f->size = h3ou__comm_size(local);
    f->field = calloc((size_t)config->nvar * H3OU__NSIDE + 1, sizeof *f->field);
    f->out = calloc((size_t)config->nvar + 1, sizeof *f->out);
    h3ou__raw_open(&f->file, h3ou__run_folder(NULL), f->component, f->rank);
    int err = f->field && f->out ? number_run(local, &f->run) : h3ou__no_memory("the fields that are monitored");
    if (err) {
        files_free(f);
        return err;
    }
    return h3ou__observers_add(to, &OPS, f);
}
