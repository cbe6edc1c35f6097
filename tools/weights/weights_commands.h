/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the subcommands of h3ou weights share. */
#ifndef H3OU_TOOLS_WEIGHTS_COMMANDS_H
#define H3OU_TOOLS_WEIGHTS_COMMANDS_H

#include <stdio.h>

#include "interp/file/formats.h"
#include "interp/file/gridfile.h"
#include "interp/file/weightfile.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/weights/grid_options.h"

extern const tool weights_make, weights_check, weights_convert, weights_apply, weights_report;

/* Prints the library's last sentence on stderr; returns 1. */
int weights_failed(const command *c);
/* Returns 1, and prints why, when out is one of the n files that are read, or not a plain file. */
int weights_cannot_write(const command *c, const char *out, const char *const files[], int n);
/* Reads the file of weights and, if given (not NULL), the grid files, which must be the weights' grids. These, with
 * their corners, replace the grids that the file of weights holds. */
int weights_open(const char *file, const char *source, const char *target, const grid_options *masks,
                 h3ou__weightfile *out);

/* Writes the name of method k of a stack "conservative,nearest(n=4)", cut to fit; returns text. */
const char *weights_method_name(const char *how, int k, char text[], size_t size);
/* Prints the number of links, of the cells that each method served and that are left over, where these are, and sums of
 * rows. */
void weights_print_facts(FILE *out, const char *file, const h3ou__weights *w, const h3ou__weights_facts *f,
                         const h3ou__cells *target);

#endif
