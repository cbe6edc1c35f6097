/* SPDX-License-Identifier: BSD-3-Clause */
/* The coupler's start: each component reads the namelist once; all must have read the same one, about components that
 * run. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "base/process_memory.h"
#include "comm/collective/collective.h"
#include "coupler/config/component_names.h"
#include "coupler/config/shared_file.h"
#include "coupler/config/tuning.h"
#include "coupler/coupler.h"
#include "coupler/early_stop.h"
#include "coupler/ensemble/losses.h"
#include "coupler/plan/listed_rows.h"
#include "coupler/stop/stop_wish.h"

int h3ou__coupler_log_level(const char *file)
{
    char *text = NULL;
    int64_t size = 0;
    h3ou__config *config = NULL;
    int level = H3OU__LOG_WHISPER;
    if (!h3ou__file_read("configuration file", file, &text, &size) && !h3ou__config_parse(file, text, size, &config))
        level = config->log_level;
    free(text);
    h3ou__config_free(config);
    return level;
}

static void hash_text(crypto_generichash_state *s, const char *text)
{
    crypto_generichash_update(s, (const unsigned char *)text, strlen(text) + 1);
}

static void hash_remap(crypto_generichash_state *s, const h3ou__config_remap *r)
{
    char numbers[128];
    hash_text(s, r->method);
    hash_text(s, r->extrapolate);
    snprintf(numbers, sizeof numbers, "%d %d %d %d %a", r->norm, r->limit, r->has_missing, r->keep_missing, r->missing);
    hash_text(s, numbers);
}

static void hash_pair(crypto_generichash_state *s, const h3ou__config_pair *p)
{
    const char *const names[] = {p->comp_put, p->comp_get, p->grid_put, p->grid_get};
    char number[16];
    for (int i = 0; i < 4; i++)
        hash_text(s, names[i]);
    snprintf(number, sizeof number, "%d", p->mapping_tag);
    hash_text(s, number);
    hash_remap(s, &p->remap);
}

static void hash_variable(crypto_generichash_state *s, const h3ou__config_var *v)
{
    char numbers[320];
    hash_text(s, v->put);
    hash_text(s, v->get);
    snprintf(numbers, sizeof numbers, "%d %d %d %d %d %" PRId64 " %" PRId64 " %d %d %d %a %a %a %d %d %d %d %d", v->pair,
             v->is_vector + 2 * v->put_xyz + 4 * v->get_xyz, v->grid_intpl_tag, v->time_intpl_tag, v->intvl.months,
             v->intvl.num, v->intvl.den, v->lag, v->flag, v->layer, v->factor, v->data_min, v->data_max,
             v->range_action, v->is_ok, v->type, v->second_put, v->bundle);
    hash_text(s, numbers);
    hash_text(s, v->members.statistic);
    hash_text(s, v->members.to_members);
    hash_text(s, v->description.units);
    hash_text(s, v->description.units_put);
    hash_text(s, v->description.standard_name);
    hash_text(s, v->description.long_name);
    snprintf(numbers, sizeof numbers, "%a %d %d %d %d %d", v->members.perturb, v->members.perturb_seed, v->monitor.sides, v->monitor.every,
             v->monitor.ledger, v->monitor.conserve);
    hash_text(s, numbers);
    hash_remap(s, &v->remap);
}

static void hash_tuning(crypto_generichash_state *s, const h3ou__tuning *t)
{
    char numbers[160];
    snprintf(numbers, sizeof numbers, "%a %a %a %a %d %d", t->inside_latency, t->inside_bandwidth, t->between_latency,
             t->between_bandwidth, t->ports, t->job_route);
    hash_text(s, numbers);
}

static int64_t end_hash(crypto_generichash_state *s)
{
    unsigned char digest[crypto_generichash_BYTES_MIN];
    crypto_generichash_final(s, digest, sizeof digest);
    return (int64_t)(h3ou__get64(digest) >> 1);
}

/* Returns 63 bits of BLAKE2b over what all components have to be told alike; comments, order of keys and layout make no
 * difference. Each may have a log level, a progress, an unknown_put and a folder for weights of its own, but all or none
 * have such a folder, since both ends of a pair look for the weights. A member that a struct of config.h gets is
 * added here. */
static int64_t config_hash(const h3ou__config *c)
{
    crypto_generichash_state s;
    char numbers[100];
    crypto_generichash_init(&s, NULL, 0, crypto_generichash_BYTES_MIN);
    snprintf(numbers, sizeof numbers, "%d %d %d %d %d %d %d %d", c->stop_step, c->strict, c->calendar,
             *c->weights_cache != 0, c->keep_after_end, c->min_members, c->keeps_order, c->kings);
    for (int i = 0; i < 6 && c->has_start; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", c->start[i]);
        hash_text(&s, number);
    }
    hash_text(&s, numbers);
    hash_tuning(&s, &c->tuning);
    for (int i = 0; i < c->npair; i++)
        hash_pair(&s, &c->pair[i]);
    for (int i = 0; i < c->nvar; i++)
        hash_variable(&s, &c->var[i]);
    return end_hash(&s);
}

/* The same of a single pair, or, behind the pairs, variable. */
static int64_t group_hash(const h3ou__config *c, int number)
{
    crypto_generichash_state s;
    crypto_generichash_init(&s, NULL, 0, crypto_generichash_BYTES_MIN);
    if (number < c->npair)
        hash_pair(&s, &c->pair[number]);
    else
        hash_variable(&s, &c->var[number - c->npair]);
    return end_hash(&s);
}

const char *h3ou__coupler_name(const h3ou__coupler *c)
{
    return h3ou__world_component_base(c->world, h3ou__world_me(c->world));
}

bool h3ou__coupler_is_me(const h3ou__coupler *c, const char *name)
{
    return !strcmp(name, h3ou__coupler_name(c)) ||
           !strcmp(name, h3ou__world_component_name(c->world, h3ou__world_me(c->world)));
}

/* Compares the namelist with that of another component of this process. */
static int check_same_here(const h3ou__coupler *c)
{
    if (c->sibling == c || config_hash(c->config) == config_hash(c->sibling->config))
        return H3OU__OK;
    return h3ou__fail(H3OU__ECONFIG,
                      "%s: component %s read another configuration than component %s of the same process: give every component "
                      "the same file",
                      c->config->file, h3ou__coupler_name(c), h3ou__coupler_name(c->sibling));
}

/* Finds the line of the first pair or variable that the processes did not read alike; 0: there is none, or some have more
 * of them than others. Collective over all processes. */
static int find_unlike(const h3ou__coupler *c, int *line)
{
    const h3ou__config *f = c->config;
    h3ou__comm *global = h3ou__world_global(c->world);
    int64_t counts[4] = {f->npair, -f->npair, f->nvar, -f->nvar}, most[4];
    int n = f->npair + f->nvar, err = h3ou__allreduce(global, counts, most, 4, H3OU__INT64, H3OU__MAX);
    *line = 0;
    if (err || most[0] != -most[1] || most[2] != -most[3])
        return err;
    int64_t *mine = malloc(sizeof *mine * 2 * (size_t)(n + 1)), *largest = malloc(sizeof *mine * 2 * (size_t)(n + 1));
    err = mine && largest ? H3OU__OK : h3ou__no_memory("%s", f->file);
    for (int i = 0; i < n && !err; i++)
        mine[n + i] = -(mine[i] = group_hash(f, i));
    if (!err)
        err = h3ou__allreduce(global, mine, largest, 2 * n, H3OU__INT64, H3OU__MAX);
    for (int i = n - 1; i >= 0 && !err; i--)
        if (largest[i] != -largest[n + i])
            *line = i < f->npair ? f->pair[i].line : f->var[i - f->npair].line;
    free(mine);
    free(largest);
    return err;
}

/* Fails for files that differ, naming the group in which they do. */
static int fail_unlike(const h3ou__coupler *c)
{
    char place[32] = "";
    int line, err = find_unlike(c, &line);
    if (err)
        return err;
    if (line > 0)
        snprintf(place, sizeof place, ":%d", line);
    return h3ou__fail(H3OU__ECONFIG,
                      "%s%s: the components read different configurations (component %s says %d pairs and %d fields)%s: give "
                      "every component the same file",
                      c->config->file, place, h3ou__world_component_name(c->world, h3ou__world_me(c->world)), c->config->npair,
                      c->config->nvar, line > 0 ? ", which differ first in the group of this line" : "");
}

/* Compares the namelist with those of all other processes, once in each process, when it has opened its last component: before
 * that others may wait for it to read the file of that component. */
static int check_same_everywhere(h3ou__coupler *c)
{
    bool can_ask = false;
    int err = check_same_here(c);
    if (!err)
        err = h3ou__stop_wish_begin(&can_ask);
    if (err || h3ou__world_unopened())
        return err;
    h3ou__comm *global = h3ou__world_global(c->world);
    int64_t mine[3] = {config_hash(c->config), -config_hash(c->config), can_ask && !c->replay}, largest[3];
    err = h3ou__allreduce(global, mine, largest, 3, H3OU__INT64, H3OU__MAX);
    if (err)
        return err;
    if (largest[0] != -largest[1])
        return fail_unlike(c);
    if (c->config->tuning.ports)
        h3ou__collectives_tune(&c->config->tuning);
    h3ou__collectives_keep_order(c->config->keeps_order);
    h3ou__collectives_set_kings(c->config->kings);
    err = h3ou__job_route_choose(c->world, c->config->tuning.job_route);
    return err ? err : h3ou__early_stop_begin(c, largest[2] > 0 && !c->replay);
}

static int check_components(const h3ou__coupler *c)
{
    enum { MOST = 256 };
    const char *names[MOST];
    int members[MOST], n = 0;
    for (int i = 0; i < h3ou__world_components(c->world) && n < MOST; i++)
        if (h3ou__world_component_member(c->world, i) == 0) {
            members[n] = h3ou__world_component_members(c->world, i);
            names[n++] = h3ou__world_component_base(c->world, i);
        }
    const char *hint = h3ou__world_jobs(c->world) > 1
                           ? ""
                           : "; if it runs in a job of its own, this job lacks WAITIO_MASTER_HOST, WAITIO_MASTER_PORT, "
                             "WAITIO_PBID and WAITIO_NPB in its environment; if a process opens it after another one, it is to be "
                             "named to h3ou_announce before";
    return h3ou__component_names_check(c->config, &(h3ou__started){n, names, members, hint});
}

static int log_ignored_keys(const h3ou__config *config)
{
    for (int i = 0; i < config->nvar; i++) {
        const h3ou__config_var *v = &config->var[i];
        if (v->time_intpl_tag != 0 || v->is_ok != 1)
            h3ou__log(H3OU__LOG_WHISPER, "ignored", "file=%s line=%d keys=time_intpl_tag,is_ok", config->file, v->line);
    }
    return H3OU__OK;
}

/* Puts c into the ring of the components of this process. */
static void join_ring(h3ou__coupler *c, h3ou__coupler *sibling)
{
    c->sibling = sibling ? sibling->sibling : c;
    c->own_number = sibling ? sibling->own_number + 1 : 1;
    if (sibling)
        sibling->sibling = c;
}

/* Makes what finds a field by its name and by its variable. */
static int index_fields(h3ou__coupler *c)
{
    size_t nvar = (size_t)c->config->nvar;
    const char *me = h3ou__coupler_name(c);
    int err = h3ou__fields_create(c->config, me, true, &c->puts);
    if (err || (err = h3ou__fields_create(c->config, me, false, &c->gets)) != H3OU__OK)
        return err;
    c->out_of = calloc(nvar + 1, sizeof *c->out_of);
    c->in_of = calloc(nvar + 1, sizeof *c->in_of);
    c->got_as = malloc(sizeof *c->got_as * (nvar + 1));
    if (!c->out_of || !c->in_of || !c->got_as)
        return h3ou__no_memory("the fields of the configuration");
    for (int i = 0; i < c->puts.names.n; i++)
        c->got_as[i] = h3ou__names_find(&c->gets.names, c->puts.names.name[i]);
    return H3OU__OK;
}

static int begin_progress(const h3ou__coupler *c)
{
    char where[sizeof c->config->file + 2];
    snprintf(where, sizeof where, "%s: ", c->config->file);
    return h3ou__world_progress(c->world, c->config->by_thread, where);
}

/* Reads the configuration, and opens what is to be recorded of the run. */
static int read_configuration(h3ou__coupler *c, const char *file)
{
    char *text = NULL;
    int64_t size = 0;
    if (c->replay) {
        const h3ou__recording *r = h3ou__replay_recording(c->replay);
        return h3ou__config_parse(r->config_file, r->text, r->size, &c->config);
    }
    int err = h3ou__shared_file_read(c->world, "configuration file", file, &text, &size);
    if (!err)
        err = h3ou__config_parse(file, text, size, &c->config);
    if (!err)
        err = h3ou__recorder_open(c->world, c->config, text, size, &c->recorder);
    free(text);
    return err ? err : h3ou__tuning_read(c->world, c->config);
}

int h3ou__coupler_open(h3ou__world *world, const char *file, h3ou__coupler *sibling, h3ou__replay *replay, h3ou__coupler **out)
{
    *out = NULL;
    h3ou__coupler *c = calloc(1, sizeof *c);
    if (!c) {
        h3ou__replay_free(replay);
        return h3ou__no_memory("the coupler");
    }
    c->world = world;
    c->replay = replay;
    int err = read_configuration(c, file);
    if (!err)
        err = begin_progress(c);
    if (err) {
        h3ou__coupler_free(c);
        return err;
    }
    *out = c;
    c->facts.memory_before = getenv("H3OU_RUN_DIRECTORY") ? h3ou__process_memory() : 0.0;
    join_ring(c, sibling);
    c->config->is_leader = h3ou__comm_rank(h3ou__world_local(world)) == 0;
    c->plan = calloc(2 * (size_t)(c->config->npair + c->config->nvar) + 1, sizeof *c->plan);
    c->out = calloc((size_t)c->config->nvar + 1, sizeof *c->out);
    c->in = calloc((size_t)c->config->nvar + 1, sizeof *c->in);
    c->first_plan = malloc(sizeof *c->first_plan * ((size_t)c->config->npair + 1));
    c->table_of = malloc(sizeof *c->table_of * ((size_t)c->config->npair + 1));
    c->listed = calloc((size_t)c->config->npair + 1, sizeof *c->listed);
    if (!c->plan || !c->out || !c->in || !c->first_plan || !c->table_of || !c->listed)
        return h3ou__no_memory("the fields of the configuration");
    for (int i = 0; i < c->config->npair; i++)
        c->first_plan[i] = -1;
    if ((err = index_fields(c)) != H3OU__OK)
        return err;
    if ((err = check_same_everywhere(c)) == H3OU__OK && (err = check_components(c)) == H3OU__OK)
        err = log_ignored_keys(c->config);
    return err ? err : h3ou__losses_allow(c->config, world);
}

void h3ou__coupler_free(h3ou__coupler *c)
{
    if (!c)
        return;
    h3ou__setup_free(&c->facts.setup);
    for (int i = 0; i < c->nout; i++)
        h3ou__outgoing_free(c->out[i]);
    for (int i = 0; i < c->nin; i++)
        h3ou__incoming_free(c->in[i]);
    h3ou__bundles_free(&c->bundles);
    h3ou__observers_free(&c->observers);
    for (int i = 0; i < c->nfamily; i++)
        h3ou__family_free(c->family[i]);
    for (int i = 0; c->plan && i < c->nplan; i++)
        h3ou__plan_free(c->plan[i].plan);
    for (int i = 0; c->listed && i < c->config->npair; i++)
        h3ou__listed_rows_free(&c->listed[i]);
    for (int i = 0; i < c->ntable; i++)
        h3ou__table_free(c->table[i]);
    for (int i = 0; i < c->ngrid; i++)
        h3ou__grid_free(c->grid[i]);
    h3ou__stop_free(c->stop);
    h3ou__stop_leads_free(&c->stop_leads);
    h3ou__fields_free(&c->puts);
    h3ou__fields_free(&c->gets);
    free(c->family);
    free(c->plan);
    free(c->first_plan);
    free(c->table_of);
    free(c->listed);
    free(c->out);
    free(c->in);
    free(c->out_of);
    free(c->in_of);
    free(c->got_as);
    free(c->table);
    free(c->grid);
    h3ou__names_free(&c->grids);
    h3ou__recorder_free(c->recorder);
    h3ou__replay_free(c->replay);
    h3ou__config_free(c->config);
    free(c);
}
