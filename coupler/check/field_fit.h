/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields that a component puts and gets, and those that the configuration names: the sentences of a run and of h3ou
 * check. */
#ifndef H3OU_COUPLER_CHECK_FIELD_FIT_H
#define H3OU_COUPLER_CHECK_FIELD_FIT_H

#include "coupler/config/config.h"

/* Fails with H3OU__ENAME for a field that the configuration does not give the component to put, or to get; names: those
 * that it does. call: that of the program, or NULL. */
int h3ou__field_fail_unknown(const h3ou__config *config, const char *call, const char *component, const char *field, bool put,
                             const h3ou__names *names);
/* The same for a field that it is given neither to put nor to get, and of which it asks for a handle. */
int h3ou__field_fail_no_handle(const h3ou__config *config, const char *component, const char *field, const h3ou__names *puts,
                               const h3ou__names *gets);
/* Writes the warning for a field that the component never put, or got. Returns text. */
char *h3ou__field_unused_text(const h3ou__config *config, const h3ou__config_var *v, bool put, char *text, size_t size);

#endif
