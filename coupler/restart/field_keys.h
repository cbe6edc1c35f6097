/* SPDX-License-Identifier: BSD-3-Clause */
/* By what a field is found in a restart file: its names, its grid and the keys that must be the same in both runs; and when its
 * exchanges are due. All calls but the texts of schedules are collective over the component. */
#ifndef H3OU_COUPLER_RESTART_FIELD_KEYS_H
#define H3OU_COUPLER_RESTART_FIELD_KEYS_H

#include "coupler/clock/exchange_times.h"
#include "coupler/restart/restart_file.h"

enum { H3OU__SCHEDULE_TEXT = 200 };

typedef struct h3ou__field_keys {
    const char *kind; /* "put" or "get" */
    const h3ou__config *config;
    const h3ou__config_var *var;
    const h3ou__grid *grid; /* my component's */
    h3ou__comm *local;
} h3ou__field_keys;

/* Writes "put_3", and with `part` "put_3_part". Returns name. */
char *h3ou__field_label(const char *kind, int number, const char *part, char name[H3OU__RESTART_NAME]);
int h3ou__field_keys_list(const h3ou__field_keys *f, int number, h3ou__restart_list *list);
/* Sets *number to that of the field in the file. H3OU__EFILE when it has no such field, or one with other keys. */
int h3ou__field_keys_find(const h3ou__field_keys *f, h3ou__restart_file *r, int *number);

/* Writes the starts of both components. Returns text. */
char *h3ou__schedule_text(const h3ou__schedule *s, char text[H3OU__SCHEDULE_TEXT]);
/* The reverse; date: the run's start. Returns the rest of the text, or NULL when it is no such text. */
const char *h3ou__schedule_read(const char *text, const int date[6], h3ou__schedule *s);

#endif
