/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of one call of put or get as they stand in a record: [component][layer][cell], then the shares [cell]. */
#ifndef H3OU_COUPLER_RECORD_MODEL_VALUES_H
#define H3OU_COUPLER_RECORD_MODEL_VALUES_H

#include "coupler/array/model_array.h"
#include "coupler/config/config.h"
#include "coupler/grid/grid.h"

/* A field at one of its ends, as a call of put or get names it. */
typedef struct h3ou__face_field {
    const char *call;   /* for errors */
    bool puts;
    int var;            /* in the configuration */
    const char *name;
    const h3ou__config *config;
    const h3ou__grid *grid;
    int slices;         /* of the arrays (slices.h) */
} h3ou__face_field;

/* Memory for the values of calls; zero at first, freed by h3ou__model_values_free. */
typedef struct h3ou__model_values {
    double *value, *other; /* [components * layers * cells + cells] of what a call gives, and of what is compared with it */
    int64_t *all_cells;    /* [cells] 0, 1, ... */
    int64_t room, room_other, room_cells;
    int rows; /* layers of each component, those of all slices */
    int64_t n; /* values, without shares */
    h3ou__place place;
} h3ou__model_values;

/* Finds where the values stand in the arrays, and makes room for them. H3OU__ESIZE for arrays of another shape. */
int h3ou__model_values_open(h3ou__model_values *m, const h3ou__face_field *f, const h3ou__arrays *a);
/* Reads them, with the shares if there are any, into m->value. */
int h3ou__model_values_read(h3ou__model_values *m, const h3ou__face_field *f, const h3ou__arrays *a, double to[]);
/* Writes [component][layer][cell] to the arrays. */
void h3ou__model_values_write(const h3ou__model_values *m, const h3ou__face_field *f, const double from[], const h3ou__arrays *a);
void h3ou__model_values_free(h3ou__model_values *m);
/* Returns whether a value is H3OU__UNTOUCHED; sets it. */
bool h3ou__value_is_untouched(const double *value);
void h3ou__value_untouch(double *value);

#endif
