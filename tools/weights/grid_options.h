/* SPDX-License-Identifier: BSD-3-Clause */
/* The options by which users say what the mask of a grid is, of all subcommands that read grids. */
#ifndef H3OU_TOOLS_WEIGHTS_GRID_OPTIONS_H
#define H3OU_TOOLS_WEIGHTS_GRID_OPTIONS_H

#include "interp/file/gridfile.h"
#include "tools/cli/options.h"

typedef struct grid_options {
    const char *mask[3]; /* of the source, of the target, of both */
    bool no_mask;
    const char *bad; /* the file that lists bad cells, which are masked; NULL: they are errors */
} grid_options;

#define GRID_MASK "[FILE:]VAR"
#define GRID_OPTIONS(o)                                                                                                \
    {"--mask", GRID_MASK,                                                                                              \
     "a variable that is the mask of both grids, of the grid's file or of another, or none;\n"                         \
     "                                 behind it perhaps :masked=V,... (values that are masked) or :masked=missing",   \
     OPTION_TEXT, &(o)->mask[2]},                                                                                      \
        {"--source-mask", GRID_MASK, "the same, of SRC.nc only", OPTION_TEXT, &(o)->mask[0]},                          \
        {"--target-mask", GRID_MASK, "the same, of DST.nc only", OPTION_TEXT, &(o)->mask[1]},                          \
    {                                                                                                                  \
        "--no-mask", NULL, "all cells take part, whatever masks the files have", OPTION_SWITCH, &(o)->no_mask          \
    }

/* Reads the source (side 0) or the target (1), and prints on stderr what its mask is and how many bad cells were
 * masked; these are added to *bad, which may be NULL. */
int grid_read(const grid_options *o, int side, const char *file, int edges, h3ou__bad_cells *bad, h3ou__cells **out);
/* Writes the bad cells of both sides to o->bad. */
int grid_list_bad(const grid_options *o, const char *const file[2], const h3ou__bad_cells bad[2]);
/* Prints what is wrong with the options; returns 0 if nothing is. */
int grid_options_check(const command *c, const grid_options *o);

#endif
