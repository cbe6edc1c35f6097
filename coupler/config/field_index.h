/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields that my component puts, or those that it gets, by name: each name once, in the order of the namelist. */
#ifndef H3OU_COUPLER_CONFIG_FIELD_INDEX_H
#define H3OU_COUPLER_CONFIG_FIELD_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/config/config.h"
#include "coupler/config/name_index.h"

typedef struct h3ou__fields {
    h3ou__names names;
    int *var;          /* [names.n] the first variable of the configuration with this name */
    int *first, *last; /* [names.n] of the exchanges with this name; -1: none */
    int64_t *calls;    /* [names.n] puts or gets of it */
    int *next;         /* [variables of the configuration] the exchange with the same name after this one; -1: none */
} h3ou__fields;

/* Indexes the fields that `component` puts (puts true) or gets. h3ou__fields_free is allowed after H3OU__ENOMEM, too.
 */
int h3ou__fields_create(const h3ou__config *config, const char *component, bool puts, h3ou__fields *out);
void h3ou__fields_free(h3ou__fields *f);
/* Appends the number `exchange` to the exchanges of the field `name`. */
void h3ou__fields_attach(h3ou__fields *f, const char *name, int exchange);
/* Returns the first exchange of a field, or -1. The others follow by f->next. */
int h3ou__fields_first(const h3ou__fields *f, const char *name);

#endif
