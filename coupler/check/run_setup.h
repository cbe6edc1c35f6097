/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a run was set up with: the file setup/COMPONENT of a run's folder, which h3ou check compares with a configuration
 * before the next run. Lines of a kind and key=value, with tabs between them:
 *
 *   h3ou-setup  version=1
 *   grid        name=ocean_g  layers=1 ...
 *   end
 *
 * Readers leave out kinds and keys that they do not know.
 */
#ifndef H3OU_COUPLER_CHECK_RUN_SETUP_H
#define H3OU_COUPLER_CHECK_RUN_SETUP_H

#include <stdbool.h>
#include <stddef.h>

enum { H3OU__SETUP_VERSION = 1 };

typedef struct h3ou__setup {
    int n;
    char **line; /* [n] without the first and the last one; owned */
} h3ou__setup;

/* Adds a line, without its end. A text given to it has no tab. */
int h3ou__setup_add(h3ou__setup *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void h3ou__setup_free(h3ou__setup *s);

/* Replaces the file of a component in folder/setup, which must exist, as a whole. */
int h3ou__setup_write(const h3ou__setup *s, const char *folder, const char *component);
/* Reads it; *out is empty when there is no such file. H3OU__EFILE: it is cut off, or nothing of this kind. */
int h3ou__setup_read(const char *folder, const char *component, h3ou__setup *out);

/* Returns the first line of a kind whose keys a and b have the values x and y (NULL: any), or
 * NULL. */
const char *h3ou__setup_find(const h3ou__setup *s, const char *kind, const char *a, const char *x, const char *b,
                             const char *y);
bool h3ou__setup_is(const char *line, const char *kind);
/* Copies the value of a key; false, and text is empty: the line has no such key. */
bool h3ou__setup_text(const char *line, const char *key, char *text, size_t size);
/* Returns a value that is a number; `otherwise` when it is none, the line has no such key, or is NULL. */
double h3ou__setup_number(const char *line, const char *key, double otherwise);

#endif
