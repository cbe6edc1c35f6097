/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What can be known of a coupled run before it starts. A part of h3ou.h, which includes it.
 */
#ifndef H3OU_CHECK_H
#define H3OU_CHECK_H

#include "h3ou.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gets one finding of h3ou_check_configuration. kind is "error"; "recorded", an error if the models are those of the record; "warning"
 * (an error in a run with strict=.true.); "note", what was not checked and why; "pair", "field", "memory" or "parts". text is a sentence, or, of the last
 * four, words with tabs between them. Pair: its number, comp_put, grid_put, comp_get, grid_get, the methods or "table".
 * Field: the number of its pair, line of the file, var_put, var_get, interval in seconds, "N months" or "once", flag, lag, layers. Memory:
 * component, its processes, the least and the most bytes that one will need, and, of the run that is recorded, processes and bytes. Parts:
 * component, its processes, and the bytes that h3ou takes in one of them for fields, plan, weights, rings and transport (docs/memory.md). */
typedef void h3ou_finding(const char *kind, const char *text);

/* A component that will be started. */
typedef struct h3ou_check_component {
    const char *name;
    double step;   /* its time step in seconds; 0: not known */
    int processes; /* 0: not known */
    double memory; /* bytes that a process may use; 0: no limit */
    const char *directory; /* from which its processes name files; NULL: the caller's */
} h3ou_check_component;

/* The file of a grid (SCRIP, CF, UGRID, ESMF, OASIS) of a component. */
typedef struct h3ou_check_grid {
    const char *component, *grid, *file;
} h3ou_check_grid;

/* What is to be checked; all zeros but `file`: the configuration alone. */
typedef struct h3ou_check {
    const char *file;                      /* the namelist */
    int ncomponent;                        /* 0: it is not known which will be started */
    const h3ou_check_component *component; /* [ncomponent] */
    int ngrid;
    const h3ou_check_grid *grid; /* [ngrid] */
    const char *record;          /* folder of a run that has ended (H3OU_RUN_DIRECTORY), whose record is compared; NULL: none */
} h3ou_check;

/* Reads a configuration as a run does, without one, and tells all that can be known before, errors in the sentences of the run.
 *   check: what is to be checked
 *   tell: called for each finding
 * Returns the number of errors that were told, "recorded" ones among them.
 * Collective: no; needs no context, changes the level of the log to silent, and the working directory while it reads a component's files.
 * Errors: H3OU_EARG: an argument is NULL.
 */
H3OU_API int h3ou_check_configuration(const h3ou_check *check, h3ou_finding *tell);

#ifdef __cplusplus
}
#endif
#endif
