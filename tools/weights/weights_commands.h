/* SPDX-License-Identifier: BSD-3-Clause */
/* What the subcommands of h3ou weights share. */
#ifndef H3OU_TOOL_WEIGHTS_TOOL_H
#define H3OU_TOOL_WEIGHTS_TOOL_H

#include <stdio.h>

#include "interp/file/gridfile.h"
#include "interp/file/weightfile.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"

extern const tool weights_make, weights_check, weights_convert, weights_apply, weights_report;

/* Says the library's last sentence on stderr; answers 1. */
int weights_failed(const command *c);
/* Answers 1 and says so when out is one of the n files that are read, or no plain file. */
int weights_cannot_write(const command *c, const char *out, const char *const files[], int n);
/* Reads the file of weights and, where grids are given (NULL: not), these, which must be those of the file. The
 * grids are put in the file's place: with their corners. */
int weights_open(const char *file, const char *source, const char *target, h3ou__weightfile *out);

/* The name of method k of a stack "conservative,nearest(n=4)", cut to fit; answers text. */
const char *weights_method_name(const char *how, int k, char text[], size_t size);
/* Links, how many cells each method served, what is left over and where, rows. */
void weights_print_facts(FILE *out, const char *file, const h3ou__weights *w, const h3ou__weights_facts *f,
                         const h3ou__cells *target);

#endif
