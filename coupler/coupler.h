/* SPDX-License-Identifier: BSD-3-Clause */
/* My component in the coupled run: its configuration, grids, tables, clock and the fields it puts and gets. */
#ifndef H3OU_COUPLER_COUPLER_H
#define H3OU_COUPLER_COUPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "coupler/check/run_setup.h"
#include "coupler/clock/model_clock.h"
#include "coupler/clock/stop_leads.h"
#include "coupler/config/config.h"
#include "coupler/config/field_index.h"
#include "coupler/ensemble/family.h"
#include "coupler/exchange/incoming.h"
#include "coupler/exchange/observer.h"
#include "coupler/exchange/outgoing.h"
#include "coupler/grid/grid.h"
#include "coupler/message/bundles.h"
#include "coupler/plan/plan.h"
#include "coupler/record/recorder.h"
#include "coupler/record/replay.h"
#include "coupler/stop/stop_agreement.h"
#include "coupler/weights/weight_table.h"

/* The plan of one pair of grids and one way to make its weights. */
typedef struct h3ou__planned {
    int pair;                      /* its number in the configuration */
    const h3ou__config_remap *how; /* borrowed */
    h3ou__plan *plan;
    int next; /* the next one of the same pair, or -1 */
} h3ou__planned;

typedef struct h3ou__coupler {
    h3ou__world *world; /* borrowed */
    struct h3ou__coupler *sibling; /* the next component that this process opened, in a ring; itself when it is the only one */
    int own_number;                /* its number among the components of this process, from 1 */
    bool is_begun;                 /* h3ou__coupler_time_init was called */
    bool has_left;                 /* h3ou__coupler_leave was called */
    h3ou__config *config;
    bool grids_ended;
    bool waits;      /* some pair of grids has no table yet; the model may give it until the first step */
    bool is_planned; /* all exchanges are planned */
    h3ou__clock clock;
    bool is_quiet;   /* no step before quiet_until has anything to exchange */
    h3ou__rational quiet_until;
    bool step_is_quiet; /* the current step is such a one */
    int ngrid, ntable, nout, nin, nfamily;
    h3ou__grid **grid;
    h3ou__names grids; /* [ngrid] their names */
    h3ou__table **table;
    int nplan;
    int *first_plan; /* [pairs of the configuration] in plan, or -1 */
    int *table_of;   /* [pairs of the configuration] in table, set while plans are made; or -1 */
    /* [pairs of the configuration] rows of the tables that my component gave; freed when their pair is planned */
    struct h3ou__listed_rows *listed;
    h3ou__family **family; /* one for each grid of mine and number of members of the components it is exchanged with */
    h3ou__planned *plan; /* one for each pair of grids and way to make its weights; of a pair inside my component two */
    h3ou__outgoing **out;
    h3ou__incoming **in;
    h3ou__outgoing **out_of; /* [variables of the configuration] that of c->out for a variable, or NULL */
    h3ou__incoming **in_of;  /* the same of c->in */
    h3ou__bundles bundles;   /* of messages to and from other processes */
    h3ou__fields puts, gets; /* by name: c->out, c->in */
    int *got_as;             /* [puts.names.n] number of the same name in gets, or -1 */
    struct {
        bool no_coef, late_table, early_put, tags, third, longer, other_name;
    } warned;   /* cases of leniency that were logged (leniency.h) */
    int restarts, restarts_told; /* how many it began to write; for how many it has sent what belongs to them */
    h3ou__stop *stop;          /* NULL: nothing can ask this run for an early stop */
    h3ou__stop_leads stop_leads; /* of all components */
    bool stop_asks, stop_told; /* the model asks for it; the decision was told */
    h3ou__recorder *recorder; /* NULL: nothing is recorded */
    h3ou__replay *replay;     /* NULL: the run is not one of a record */
    h3ou__observers observers;
    struct {
        bool is_kept;         /* there is a folder for them */
        h3ou__setup setup;    /* on rank 0 */
        int64_t nstep;
        h3ou__rational least_step, most_step;
        double memory_before, memory_planned; /* bytes */
    } facts;    /* setup_facts.h */
} h3ou__coupler;

/* Reads the namelist (rank 0 of the component reads the file) and checks it against the components that run. Collective
 * over all processes, for each of them when it opens its last component. sibling: one that this process has opened before, or
 * NULL. replay: NULL, or the record in place of the file, taken also on error. *out is set on error too when the configuration was
 * read; free it with h3ou__coupler_free. */
int h3ou__coupler_open(h3ou__world *world, const char *file, h3ou__coupler *sibling, h3ou__replay *replay, h3ou__coupler **out);
/* The log level that a namelist's file says, read by this process alone; H3OU__LOG_WHISPER when it cannot be read. */
int h3ou__coupler_log_level(const char *file);
void h3ou__coupler_free(h3ou__coupler *c);
/* The name of my component as the namelist has it: without the number of a member. */
const char *h3ou__coupler_name(const h3ou__coupler *c);
/* Returns whether that is a name of mine: the namelist's, or that of my member. */
bool h3ou__coupler_is_me(const h3ou__coupler *c, const char *name);

/* See h3ou.h for what each does: the C face adds nothing but its argument checks. */
int h3ou__coupler_grid_define(h3ou__coupler *c, const char *component, const char *name, const int index[], int64_t n,
                              int nz);
/* Finds a grid of this name, to which geometry may still be added: H3OU__ESTATE after h3ou__coupler_grid_end. */
int h3ou__coupler_grid_open(const h3ou__coupler *c, const char *call, const char *name, h3ou__grid **out);
int h3ou__coupler_grid_end(h3ou__coupler *c);
int h3ou__coupler_table_set(h3ou__coupler *c, const h3ou__pair_name *name, const int send[], const int recv[],
                            const double coef[], const double coef_cos[], const double coef_sin[], int64_t n,
                            bool spread); /* coef_cos and coef_sin: NULL, or the table's rotation */
/* Sets the start of my component's clock. */
int h3ou__coupler_time_init(h3ou__coupler *c, const int date[6]);
/* Plans the exchanges. A process that opened several components calls it for all of them at the same time, in turns
 * (os/turns.h), after h3ou__coupler_time_init of the last one. Collective over the components of each pair of grids. */
int h3ou__coupler_plan(h3ou__coupler *c);
/* Plans what h3ou__coupler_time_init left for lack of a table. Collective over the components of these pairs. */
int h3ou__coupler_plan_rest(h3ou__coupler *c);
int h3ou__coupler_time_now(const h3ou__coupler *c, int date[6]);
/* exchanges: false: the exchanges that are due do not take place. */
/* call, here and below: the function of h3ou.h that the program called, for errors. */
int h3ou__coupler_time_set(h3ou__coupler *c, const char *call, const char *component, const int date[6], int step,
                           bool exchanges);
int h3ou__coupler_time_set_seconds(h3ou__coupler *c, const char *call, const char *component, double seconds,
                                   double step);
int h3ou__coupler_time_set_months(h3ou__coupler *c, const char *call, const char *component, const int date[6],
                                  int months);
/* Exchange every field from one component to the other now; one of them is mine (immediate.c). */
int h3ou__coupler_send_now(h3ou__coupler *c, const char *send, const char *recv);
int h3ou__coupler_recv_now(h3ou__coupler *c, const char *send, const char *recv);
/* Adds seconds to a date of the model. */
int h3ou__coupler_time_add(h3ou__coupler *c, int date[6], int seconds);
/* Returns whether the namelist says that my component puts the field. */
bool h3ou__coupler_is_wanted(const h3ou__coupler *c, const char *field);
int h3ou__coupler_put(h3ou__coupler *c, const char *call, const char *field, const h3ou__arrays *given);
int h3ou__coupler_get(h3ou__coupler *c, const char *call, const char *field, const h3ou__arrays *to, bool *ok);
/* Sets *handle to that of a field, by which it is put and got without its name; 0: a field that the namelist does not name, where it
 * says that a put of such a field does nothing. */
int h3ou__coupler_field(h3ou__coupler *c, const char *field, int *handle);
int h3ou__coupler_field_name(const h3ou__coupler *c, int handle, const char **name);
int h3ou__coupler_field_put(h3ou__coupler *c, const char *call, int handle, const h3ou__arrays *given);
int h3ou__coupler_field_get(h3ou__coupler *c, const char *call, int handle, const h3ou__arrays *to, bool *ok);
/* Write what my component needs to go on at the end of its step, and read it before its first one. Collective over the component.
 * The write also waits for senders of fields whose exchanges are on their way at that time (restart.c). */
int h3ou__coupler_write_restart(h3ou__coupler *c, const char *file);
int h3ou__coupler_read_restart(h3ou__coupler *c, const char *file);
/* Sets *stop to whether the model is to stop now, at the end of its step: in all components at the same model time. */
int h3ou__coupler_should_stop(h3ou__coupler *c, bool *stop);
/* Sends what waits to be bundled with other fields. Called before a call of my program waits for anybody. */
int h3ou__coupler_send_bundles(h3ou__coupler *c);
/* Sends the exchanges that are due up to the end of the last step, and tells the receivers that nothing follows. Waits for
 * nobody: of several components of a process each leaves, then each ends. */
int h3ou__coupler_leave(h3ou__coupler *c);
/* Leaves unless that was done, then receives and drops what others still send. */
int h3ou__coupler_end(h3ou__coupler *c);

/* Sets *nlayer to the layers of a field that my component puts or gets; H3OU__ENAME when it does neither. */
int h3ou__coupler_layers(const h3ou__coupler *c, const char *field, int *nlayer);
/* Returns how many cells of mine a field has, 0 for one that my component does not put, or get; sets *nlayer, if it is 0, to its
 * layers. */
int64_t h3ou__coupler_cells(const h3ou__coupler *c, const char *field, bool put, int *nlayer);
/* Sets *members to how many members took part in the exchange of a field that was received last; H3OU__ENAME when my component
 * gets no such field. */
int h3ou__coupler_members(const h3ou__coupler *c, const char *field, int *members);

#endif
