/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be known of a coupled run before it starts, for the command h3ou check. */
#ifndef H3OU_COUPLER_CHECK_CONFIGURATION_CHECK_H
#define H3OU_COUPLER_CHECK_CONFIGURATION_CHECK_H

#include "coupler/check/run_setup.h"
#include "coupler/config/config.h"
#include "coupler/time/rational.h"

/* A component of the run, or one that only the configuration names. */
typedef struct h3ou__checked {
    const char *name; /* borrowed */
    h3ou__rational step; /* seconds; 0: not known */
    int processes;       /* 0: not known */
    double memory;       /* bytes that one of them may use; 0: no limit */
    const char *directory; /* borrowed; from which it names files, or NULL */
    h3ou__setup setup;   /* what the last run recorded; empty: nothing */
} h3ou__checked;

/* As h3ou_check_grid. */
typedef struct h3ou__checked_grid {
    const char *component, *grid, *file; /* borrowed */
} h3ou__checked_grid;

/* What files have told: cells of a grid, or, with a stack, links of its pair's weights. */
typedef struct h3ou__counted {
    const char *component, *grid;            /* borrowed; of links NULL */
    const h3ou__config_pair *pair;
    const struct h3ou__config_stack *stack;
    int64_t count;
} h3ou__counted;

typedef struct h3ou__check {
    const char *file;
    int n;
    h3ou__checked *component; /* [n] */
    int ngrid;
    h3ou__checked_grid *grid; /* [ngrid] */
    const char *record;       /* a run's folder, or NULL */
    void (*tell)(const char *kind, const char *text); /* h3ou_finding */
    h3ou__config *config;
    int nerror;
    int ncounted;
    h3ou__counted *counted; /* [ncounted] */
} h3ou__check;

/* Tells a finding; "error" and "recorded" are counted. */
void h3ou__check_tell(h3ou__check *c, const char *kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Tells the error that was just found, if one was. */
void h3ou__check_tell_error(h3ou__check *c, const char *kind, int err);
/* Returns the component of this name, or NULL. */
h3ou__checked *h3ou__check_find(const h3ou__check *c, const char *name);

/* Adds a component, unless it is there. The name is borrowed. */
int h3ou__check_add(h3ou__check *c, const char *name, double step);
/* Keeps what a file told. No memory for it: it is not kept. */
void h3ou__check_count(h3ou__check *c, h3ou__counted counted);
/* Return the cells of a grid, by a file or the record, and the links of a pair's weights; 0: not known. */
int64_t h3ou__check_cells(const h3ou__check *c, const char *component, const char *grid);
int64_t h3ou__check_links(const h3ou__check *c, const h3ou__config_pair *p, const h3ou__config_remap *how);

/* Lets file names mean what they mean to a component. Returns a number for h3ou__check_leave. A folder that cannot be entered, which h3ou
 * run refuses, is told as an error. */
int h3ou__check_enter(h3ou__check *c, const h3ou__checked *part);
void h3ou__check_leave(h3ou__check *c, int entered);
/* As h3ou_check_configuration of h3ou_check.h; returns c->nerror. */
int h3ou__configuration_check(h3ou__check *c);
void h3ou__check_free(h3ou__check *c); /* frees what it holds */

#endif
