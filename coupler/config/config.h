/* SPDX-License-Identifier: BSD-3-Clause */
/* What the namelist says: pairs of grids and the variables exchanged on each. Filled by src/fortran/namelist.f90. */
#ifndef H3OU_COUPLER_CONFIG_CONFIG_H
#define H3OU_COUPLER_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "comm/collective/collective.h"
#include "coupler/config/name_index.h"
#include "interp/methods/method_stack.h"

enum { H3OU__CONFIG_NAME = 64, H3OU__CONFIG_METHOD = 255 };

/* A variable whose grid_intpl_tag is above this is a vector: the first half of its layers holds one component, the
 * second half the other. They are turned by coef_cos and coef_sin of the table, which include the coefficients. */
enum { H3OU__VECTOR_TAG = 10000 };

/* The methods of the keys `method` and `extrapolate` one after the other: parsed, and as the file has them, for messages,
 * the log and the name of the cache's file. */
typedef struct h3ou__config_stack {
    h3ou__stack methods;
    char text[2 * H3OU__CONFIG_METHOD + 2];
} h3ou__config_stack;

/* How weights are made: the keys of a variable's group, or, where these are not given, those of its pair's group. */
typedef struct h3ou__config_remap {
    char method[H3OU__CONFIG_METHOD + 1];      /* a stack (method_stack.h); empty: a table is given by the models */
    char extrapolate[H3OU__CONFIG_METHOD + 1]; /* more methods at its end; empty: none */
    int norm;                                  /* enum h3ou__norm; -1: not said */
    int limit;                                 /* 1, 0; -1: not said */
    int has_missing;                           /* 1, 0 */
    int keep_missing; /* 1: target cells without a source keep the model's values; `missing` is NaN then */
    double missing;   /* the value of target cells without a source, and of source cells to be left out */
    const h3ou__config_stack *stack; /* borrowed from the config, the same one for the same text; NULL: no method */
} h3ou__config_remap;

/* Two components of which one sends to the other. */
typedef struct h3ou__config_couple {
    int pairs;    /* of their grids */
    int line_lag; /* of the first variable with a lag above 0; 0: none */
} h3ou__config_couple;

/* What goes between a component and the members of another one. */
typedef struct h3ou__config_members {
    char statistic[H3OU__CONFIG_NAME + 1]; /* that the members send, as the file has it; empty: the mean */
    int send, number; /* enum h3ou__members_send, and its argument: set by h3ou__ensemble_keys_parse */
    double level;     /* argument of H3OU__SEND_QUANTILE, 0 to 1 */
    char to_members[H3OU__CONFIG_NAME + 1]; /* what the members get, as the file has it; empty: all the same */
    int is_own;       /* 1: the sender puts (cell, layer, member), and each member gets its slice; set as send is */
    int perturb_seed;
    double perturb;   /* standard deviation of what is added to the values that a member gets; 0: nothing */
} h3ou__config_members;

/* What is kept of a field's values, and whether its integral is conserved (monitor_keys.h). */
typedef struct h3ou__config_monitor {
    char sides_text[H3OU__CONFIG_NAME + 1], conserve_text[H3OU__CONFIG_NAME + 1]; /* as the file has them; empty: not given */
    int sides;    /* bits of enum h3ou__side, set by h3ou__monitor_keys_parse; -1 while the file is read: as the group h3ou_coupling says */
    int every;    /* so many exchanges; 0 while the file is read: the same */
    int ledger;   /* 1, 0; -1 while the file is read: the same */
    int conserve; /* enum h3ou__conserve, set by h3ou__monitor_keys_parse */
} h3ou__config_monitor;

enum { H3OU__CONFIG_DESCRIPTION = 128 }; /* characters of a text that describes a field */

/* What the files of a field's values say about them (monitor_keys.h); empty: not given. */
typedef struct h3ou__config_description {
    char units[H3OU__CONFIG_DESCRIPTION + 1], units_put[H3OU__CONFIG_DESCRIPTION + 1];
    char standard_name[H3OU__CONFIG_DESCRIPTION + 1], long_name[H3OU__CONFIG_DESCRIPTION + 1];
} h3ou__config_description;

enum h3ou__second_put { /* what a put does after another one of the same step */
    H3OU__SECOND_REPLACES,
    H3OU__SECOND_IS_ERROR /* so that the value that is put leaves in put */
};

enum h3ou__bundle { /* whether a field travels with others (bundle_plan.h) */
    H3OU__BUNDLE_AUTO,  /* where this is quicker */
    H3OU__BUNDLE_ALWAYS,
    H3OU__BUNDLE_NEVER
};

enum h3ou__range_action { H3OU__RANGE_WARNING, H3OU__RANGE_ERROR }; /* for a value outside data_range */

/* The key `intvl` (interval.h): months, or num / den seconds; all but den are 0 when it was not given. */
typedef struct h3ou__interval {
    int months;
    int64_t num, den;
} h3ou__interval;

enum h3ou__value_type { H3OU__REAL8, H3OU__REAL4 }; /* of the values in the messages of an exchange */

typedef struct h3ou__config_var {
    int line; /* of the file, where the group begins */
    int pair; /* index in config->pair */
    char put[H3OU__CONFIG_NAME + 1];
    char get[H3OU__CONFIG_NAME + 1];
    bool is_vector;
    bool put_xyz, get_xyz; /* of a vector: as three Cartesian components, else as two along the grid's directions */
    int grid_intpl_tag;
    int time_intpl_tag;
    h3ou__interval intvl;
    int lag;   /* -n or n intervals (exchange_times.h); 0: get takes the oldest put that was not taken */
    int flag;  /* enum h3ou__flag of interval_flag.h */
    int layer; /* >= 1 */
    int type;  /* enum h3ou__value_type */
    double factor;
    double data_min, data_max; /* data_range */
    bool has_range;            /* data_range was given */
    int range_action;          /* enum h3ou__range_action */
    int is_ok;
    int second_put; /* enum h3ou__second_put; -1 while the file is read: as the group h3ou_coupling says */
    int bundle;     /* enum h3ou__bundle; -1 while the file is read: as the group h3ou_coupling says */
    h3ou__config_monitor monitor;
    h3ou__config_description description;
    h3ou__config_members members;
    h3ou__config_remap remap;
} h3ou__config_var;

/* Arrays that the model passes at that side. */
static inline int h3ou__config_components(const h3ou__config_var *v, bool xyz)
{
    return !v->is_vector ? 1 : xyz ? 3 : 2;
}

typedef struct h3ou__config_pair {
    int line;
    char comp_put[H3OU__CONFIG_NAME + 1], comp_get[H3OU__CONFIG_NAME + 1];
    char grid_put[H3OU__CONFIG_NAME + 1], grid_get[H3OU__CONFIG_NAME + 1];
    int mapping_tag;
    int counted; /* its number among the pairs from comp_put to comp_get, from 1 */
    h3ou__config_remap remap;
} h3ou__config_pair;

/* Returns whether a component exchanges with itself on this pair of grids. */
static inline bool h3ou__config_is_own(const h3ou__config_pair *p)
{
    return !strcmp(p->comp_put, p->comp_get);
}

/* A line of the file that needs leniency (coupler/config/leniency.h), and the sentence that says why. */
typedef struct h3ou__config_leniency {
    int line;
    char text[400];
} h3ou__config_leniency;

typedef struct h3ou__config {
    char file[512];
    int log_level; /* enum h3ou__log_level */
    int stop_step;
    bool grid_checker;
    bool strict;    /* what leniency.h warns of is an error */
    bool is_leader; /* this process is rank 0 of its component: it logs what all of its processes find */
    int calendar;   /* enum h3ou__calendar */
    bool has_start; /* the run starts at this date, and components may start later */
    int start[6];
    bool keep_after_end; /* a get after the end of the sender returns no values, instead of an error */
    int nleniency;
    h3ou__config_leniency *leniency;
    int min_members; /* a group that loses members goes on with so many; 0: the end of a member ends the run */
    bool ignore_unknown_put; /* a put of a field that the namelist does not name does nothing */
    char weights_cache[512]; /* folder; empty: none */
    char record[512];        /* folder of the record of the run; empty: none */
    char tuning_file[512];   /* with a group h3ou_tuning; empty: none */
    int tuning_line;         /* where the file is named */
    bool by_thread;          /* a thread moves messages between jobs while the model computes */
    int second_put;          /* enum h3ou__second_put, of variables that do not say it */
    int bundle;              /* enum h3ou__bundle, the same */
    bool keeps_order;        /* sums between jobs are added in the order of their ranks */
    int kings;               /* processes of each job that pass on long collective messages */
    h3ou__config_monitor monitor; /* of variables that do not say it */
    h3ou__tuning tuning;     /* of the group h3ou_tuning in this file, or in the other one (coupler/config/tuning.c) */
    int npair, nvar;
    h3ou__config_pair *pair;
    h3ou__names keys;  /* of pairs, by components, grids and tag; and of couples: owned */
    int *first;        /* [keys.n] the first pair, or the couple, with this key */
    int ncouple;
    h3ou__config_couple *couple; /* [ncouple] */
    h3ou__config_var *var;
    int nstack;
    h3ou__config_stack **stack; /* [nstack] those of pairs and variables */
    h3ou__names stacks;         /* [nstack] by their texts */
    double longest_lag; /* s, the longest time that a variable with lag above 0 is ahead; 0: none is */
} h3ou__config;

/* Parses the text of a namelist file (name: for messages only) with Fortran's own reader. Every error is H3OU__ECONFIG
 * with "FILE:LINE: ..." naming group, key and, for a misspelt key, the nearest known one. *out is freed by
 * h3ou__config_free. */
int h3ou__config_parse(const char *name, const char *text, int64_t length, h3ou__config **out);
void h3ou__config_free(h3ou__config *c); /* NULL allowed */
/* Logs the warnings about the file, once its log level is set. */
void h3ou__config_log(const h3ou__config *c);

/* The calls from here on are made by the Fortran reader (bind(C)). Strings are NUL-terminated. */
int h3ou__config_set_tuning_file(h3ou__config *c, int line, const char *file);
/* us and MB/s: latency and bandwidth inside a job, then between jobs. */
int h3ou__config_set_tuning(h3ou__config *c, int line, const double value[4], int ports, int job_route);
int h3ou__config_set(h3ou__config *c, int log_level, int stop_step, int grid_checker);
int h3ou__config_set_time(h3ou__config *c, int strict, int calendar);
/* start: "2000-01-31" or "2000-01-31 12:00:00"; "": none. */
int h3ou__config_set_start(h3ou__config *c, int line, const char *start, int keep_after_end);
/* Notes a line that needs leniency, which is an error of h3ou__config_parse when the file says strict=.true., else a
 * warning of h3ou__config_log, which begins with "FILE:LINE: ". */
int h3ou__config_lenient(h3ou__config *c, int line, const char *text);
int h3ou__config_set_cache(h3ou__config *c, const char *folder);
int h3ou__config_set_record(h3ou__config *c, const char *folder);
int h3ou__config_set_min_members(h3ou__config *c, int min_members);
int h3ou__config_set_unknown_put(h3ou__config *c, int ignore);
int h3ou__config_set_progress(h3ou__config *c, int by_thread, int second_put, int bundle);
int h3ou__config_set_collectives(h3ou__config *c, int keeps_order, int line, int kings);
int h3ou__config_set_monitor(h3ou__config *c, int line, const h3ou__config_monitor *monitor);
int h3ou__config_add_pair(h3ou__config *c, const h3ou__config_pair *pair);
/* var->pair is set here: the last pair; and remap.stack of both, by their texts. */
int h3ou__config_add_var(h3ou__config *c, const h3ou__config_var *var);
/* h3ou__config_error fails with H3OU__ECONFIG and "FILE:LINE: text"; h3ou__config_unknown does so for a name that is
 * none of `known` (words with blanks between), and names the nearest of these. */
int h3ou__config_error(h3ou__config *c, int line, const char *text);
int h3ou__config_unknown(h3ou__config *c, int line, const char *what, const char *name, const char *known);
/* Logs that a group or key has no effect. */
void h3ou__config_ignored(const h3ou__config *c, int line, const char *what, const char *name);

#endif
