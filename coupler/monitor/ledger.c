/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/ledger.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "coupler/config/leniency.h"
#include "coupler/exchange/budget.h"
#include "coupler/monitor/append.h"

/* Numbers of a row that are reduced by maximum, and exact sums, over all layers. */
enum { TIME, MINUS_SOURCE_LEAST, SOURCE_MOST, MINUS_TARGET_LEAST, TARGET_MOST, CORRECTED, LARGEST };
enum { SUMS = H3OU__SUM_SIZE };

typedef struct row {
    double mark, largest[LARGEST];
    h3ou__exact_sum sum[SUMS];
} row;

/* A field that my component gets. */
typedef struct account {
    const h3ou__config_var *var; /* NULL: it has no ledger */
    bool has_cells;              /* this process gets some of its values */
    int64_t n, room;             /* rows that are not written yet */
    row *rows;
    int fd;
    int64_t length; /* of the file */
    char path[4096];
} account;

typedef struct ledger {
    const h3ou__config *config;
    h3ou__comm *local;
    account *of; /* [variables of the configuration] */
} ledger;

static bool ledger_wants(const void *self, const h3ou__config_var *var, int side)
{
    const ledger *l = self;
    return side == H3OU__SIDE_RECEIVED && l->of[var - l->config->var].var;
}

static void fill_row(const h3ou__incoming *in, double time, double mark, row *r)
{
    const h3ou__budget *b = in->budget;
    const double corrected = in->var->monitor.conserve ? b->corrected : 0.0;
    const double largest[LARGEST] = {time, -b->source_least, b->source_most, -b->target_least, b->target_most, corrected};
    memset(r, 0, sizeof *r);
    r->mark = mark;
    memcpy(r->largest, largest, sizeof largest);
    for (int layer = 0; layer < in->layer; layer++)
        for (int k = 0; k < SUMS; k++)
            for (int i = 0; i < H3OU__EXACT_LIMBS; i++)
                r->sum[k].limb[i] += b->sum[layer * H3OU__BUDGET_SUMS + k].limb[i];
    for (int k = 0; k < SUMS; k++)
        h3ou__exact_sum_carry(&r->sum[k]);
}

static int see_received(void *self, const h3ou__incoming *in, const h3ou__clock *clock, double mark, const double *const value[])
{
    ledger *l = self;
    account *a = &l->of[in->var - l->config->var];
    bool is_timed = in->var->lag != 0 && mark >= 0.0;
    if (in->plan->npartner == 0)
        return H3OU__OK;
    a->has_cells = true;
    bool is_again = is_timed && a->n > 0 && a->rows[a->n - 1].mark == mark; /* a second get in one step */
    if (!h3ou__grow(&a->rows, sizeof *a->rows, &a->room, a->n + 1))
        return h3ou__no_memory("the ledger");
    h3ou__budget_measure(in, value[0]);
    a->n -= is_again;
    fill_row(in, is_timed ? mark : h3ou__rational_real(clock->now), mark, &a->rows[a->n++]);
    return H3OU__OK;
}

/* Writes a row's numbers, and begins the file before the first one. */
static void write_row(account *a, const double largest[LARGEST], const h3ou__exact_sum sum[SUMS])
{
    static const char head[] = "model_time_s\tsource_integral\ttarget_integral\tdifference\trelative\tcorrection\tsource_min\tsource_mean\t"
                               "source_max\ttarget_min\ttarget_mean\ttarget_max\n";
    double value[SUMS];
    char text[512];
    h3ou__exact_sum rest = sum[H3OU__SUM_TARGET];
    for (int i = 0; i < H3OU__EXACT_LIMBS; i++)
        rest.limb[i] -= sum[H3OU__SUM_SOURCE].limb[i];
    for (int k = 0; k < SUMS; k++)
        value[k] = h3ou__budget_value(&sum[k]);
    double difference = h3ou__budget_value(&rest), source = value[H3OU__SUM_SOURCE], source_area = value[H3OU__SUM_SOURCE_AREA];
    double target = value[H3OU__SUM_TARGET], target_area = value[H3OU__SUM_TARGET_AREA];
    int n = snprintf(text, sizeof text, "%s%.17g\t%.17g\t%.17g\t%.17g\t%.9g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\n",
                     a->length == 0 ? head : "", largest[TIME], source, target, difference,
                     source != 0.0 ? difference / fabs(source) : difference != 0.0 ? NAN : 0.0, largest[CORRECTED],
                     source_area > 0.0 ? -largest[MINUS_SOURCE_LEAST] : NAN, source_area > 0.0 ? source / source_area : NAN,
                     source_area > 0.0 ? largest[SOURCE_MOST] : NAN, target_area > 0.0 ? -largest[MINUS_TARGET_LEAST] : NAN,
                     target_area > 0.0 ? target / target_area : NAN, target_area > 0.0 ? largest[TARGET_MOST] : NAN);
    int code = a->fd < 0 ? 0 : h3ou__append(a->fd, text, (size_t)n, &a->length);
    if (!code)
        return;
    h3ou__warn(NULL, "%s: can't be written: %s; the ledger of field %s ends here, and the run goes on", a->path, strerror(code), a->var->get);
    close(a->fd);
    a->fd = -1;
}

/* Makes the file of an account, on the process that writes it. */
static void open_account(const h3ou__config *config, const char *me, account *a)
{
    char name[5 * H3OU__CONFIG_NAME];
    snprintf(name, sizeof name, "%s.%s.%s.%s.tsv", config->pair[a->var->pair].comp_put, a->var->put, me, a->var->get);
    a->fd = h3ou__append_open(h3ou__run_folder(NULL), "ledger", name, a->path);
    if (a->fd < 0)
        h3ou__warn(NULL, "%s: can't be written: %s; field %s has no ledger", a->path, strerror(errno), a->var->get);
}

/* Adds the first `rows` rows of an account up over all processes, and lets the first process write them. */
static int write_rows(ledger *l, account *a, int64_t rows)
{
    enum { LIMBS = SUMS * H3OU__EXACT_LIMBS };
    int64_t *limb = calloc((size_t)(2 * rows * LIMBS) + 1, sizeof *limb), *all_limbs = limb + rows * LIMBS;
    double *largest = malloc(sizeof *largest * (size_t)(2 * rows * LARGEST + 1)), *all = largest + rows * LARGEST;
    int err = limb && largest ? H3OU__OK : h3ou__no_memory("the ledger");
    for (int64_t i = 0; i < rows * LARGEST && !err; i++)
        largest[i] = -INFINITY;
    for (int64_t i = 0; i < rows && i < a->n && !err; i++) {
        memcpy(limb + i * LIMBS, a->rows[i].sum, sizeof a->rows[i].sum);
        memcpy(largest + i * LARGEST, a->rows[i].largest, sizeof a->rows[i].largest);
    }
    if (!err)
        err = h3ou__reduce(l->local, limb, all_limbs, rows * LIMBS, H3OU__INT64, H3OU__SUM, 0);
    if (!err)
        err = h3ou__reduce(l->local, largest, all, rows * LARGEST, H3OU__DOUBLE, H3OU__MAX, 0);
    for (int64_t i = 0; i < rows && !err && h3ou__comm_rank(l->local) == 0; i++) {
        h3ou__exact_sum sum[SUMS];
        memcpy(sum, all_limbs + i * LIMBS, sizeof sum);
        write_row(a, all + i * LARGEST, sum);
    }
    free(limb);
    free(largest);
    int64_t left = a->n > rows ? a->n - rows : 0;
    if (left > 0)
        memmove(a->rows, a->rows + rows, sizeof *a->rows * (size_t)left);
    a->n = left;
    return err;
}

/* Learns how many rows of each account all processes have that get its values. */
static int count_rows(const ledger *l, int64_t *least)
{
    int64_t *mine = malloc(sizeof *mine * (size_t)(2 * l->config->nvar + 1)), *most = mine + l->config->nvar;
    int err = mine ? H3OU__OK : h3ou__no_memory("the ledger");
    for (int v = 0; v < l->config->nvar && !err; v++)
        mine[v] = l->of[v].has_cells ? -l->of[v].n : INT64_MIN;
    if (!err)
        err = h3ou__allreduce(l->local, mine, most, l->config->nvar, H3OU__INT64, H3OU__MAX);
    for (int v = 0; v < l->config->nvar && !err; v++)
        least[v] = most[v] == INT64_MIN ? 0 : -most[v];
    free(mine);
    return err;
}

static int step_ledger(void *self, const h3ou__clock *clock)
{
    ledger *l = self;
    int64_t *rows = malloc(sizeof *rows * (size_t)(l->config->nvar + 1));
    int err = rows ? count_rows(l, rows) : h3ou__no_memory("the ledger");
    (void)clock;
    for (int v = 0; v < l->config->nvar && !err; v++)
        if (l->of[v].var && rows[v] > 0)
            err = write_rows(l, &l->of[v], rows[v]);
    free(rows);
    return err;
}

static void ledger_free(void *self)
{
    ledger *l = self;
    for (int v = 0; v < l->config->nvar && l->of; v++) {
        free(l->of[v].rows);
        if (l->of[v].fd >= 0)
            close(l->of[v].fd);
    }
    free(l->of);
    free(l);
}

static const h3ou__observer_ops OPS = {ledger_wants, NULL, NULL, see_received, NULL, step_ledger, ledger_free, NULL};

int h3ou__ledger_observe(h3ou__observers *to, const h3ou__config *config, h3ou__world *world)
{
    int me = h3ou__world_me(world), n = 0;
    ledger *l = calloc(1, sizeof *l);
    if (!l || !(l->of = calloc((size_t)config->nvar + 1, sizeof *l->of))) {
        free(l);
        return h3ou__no_memory("the ledger");
    }
    l->config = config;
    l->local = h3ou__world_local(world);
    for (int v = 0; v < config->nvar; v++) {
        account *a = &l->of[v];
        bool is_mine = !strcmp(config->pair[config->var[v].pair].comp_get, h3ou__world_component_base(world, me));
        a->fd = -1;
        if (config->var[v].monitor.ledger <= 0 || !is_mine)
            continue;
        a->var = &config->var[v];
        n++;
        if (h3ou__comm_rank(l->local) == 0)
            open_account(config, h3ou__world_component_name(world, me), a);
    }
    if (n == 0) {
        ledger_free(l);
        return H3OU__OK;
    }
    return h3ou__observers_add(to, &OPS, l);
}
