/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that describe a modelled machine. */
#ifndef H3OU_TOOL_SIMULATE_MACHINE_OPTIONS_H
#define H3OU_TOOL_SIMULATE_MACHINE_OPTIONS_H

#include "tools/cli/options.h"
#include "tools/simulate/model/modelled_machine.h"

/* What the options say, before it is checked. */
typedef struct machine_words {
    const char *nodes, *mpi, *mpi_node, *waitio, *waitio_node, *between;
    int jobs, per_node, network, radix, uplinks, ports, eager, links;
    double hop;
} machine_words;

enum { MACHINE_OPTIONS = 15, MACHINE_PROCESSES_MOST = 1 << 23 };

extern const machine_words machine_defaults;

/* Fills the first MACHINE_OPTIONS of option[]. */
void machine_options_list(machine_words *w, option option[]);
/* Describes the machine, which the caller opens. Prints what is wrong and returns OPTIONS_WRONG, or 0. */
int machine_options_check(const command *c, const machine_words *w, modelled_machine *out);
/* Reads "16x12x16", "48x64" or "3072", whose product is at most `most`; false: it is none. */
bool machine_shape_read(const char *text, int64_t most, int shape[3]);

#endif
