/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/machine_options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Latency and bandwidth between nodes by MPI: as fitted on Fugaku (Hosono et al. 2021, section 4.2). By WaitIO: half
 * round trips and bandwidths on Odyssey (Sumimoto et al. 2021, tables 7 and 8), and the largest eager message of its
 * section 7. */
const machine_words machine_defaults = {.nodes = "16",
                                        .mpi = "1.73:6340",
                                        .waitio = "37.1:350",
                                        .waitio_node = "26.8:21300",
                                        .jobs = 1,
                                        .per_node = 1,
                                        .radix = 32,
                                        .ports = 6,
                                        .eager = 128,
                                        .hop = 0.1};

#define CLASS "L:B[:G]"

void machine_options_list(machine_words *w, option options[])
{
    const option list[MACHINE_OPTIONS] = {
        {"--jobs", "N", "jobs, all alike (1)", OPTION_COUNT, &w->jobs},
        {"--nodes", "NX[xNY[xNZ]]", "nodes of a job, for a torus its extents (16)", OPTION_TEXT, &w->nodes},
        {"--per-node", "N", "processes of a node (1)", OPTION_COUNT, &w->per_node},
        {"--network", "torus|snake|tree", "torus; torus in which consecutive nodes are neighbours; fat tree (torus)",
         OPTION_CHOICE, &w->network},
        {"--radix", "N", "of the tree: nodes at a switch (32)", OPTION_COUNT, &w->radix},
        {"--uplinks", "N", "of the tree: links between a switch and the core (as --radix)", OPTION_COUNT, &w->uplinks},
        {"--ports", "N", "messages that a process sends at a time by MPI (6)", OPTION_COUNT, &w->ports},
        {"--hop", "US", "each link of a way after the first (0.1 us)", OPTION_REAL, &w->hop},
        {"--mpi", CLASS, "MPI between nodes: us, MB/s, us a port is busy at least (1.73:6340, G as L)", OPTION_TEXT,
         &w->mpi},
        {"--mpi-node", CLASS, "MPI inside a node (as --mpi)", OPTION_TEXT, &w->mpi_node},
        {"--waitio", CLASS, "WaitIO between nodes of a job (37.1:350)", OPTION_TEXT, &w->waitio},
        {"--waitio-node", CLASS, "WaitIO inside a node (26.8:21300)", OPTION_TEXT, &w->waitio_node},
        {"--between", CLASS, "WaitIO between jobs (as --waitio)", OPTION_TEXT, &w->between},
        {"--links", "N", "links between two jobs, each way (as the nodes of a job)", OPTION_COUNT, &w->links},
        {"--eager", "BYTES", "of a message that WaitIO sends without asking, at most (128)", OPTION_COUNT, &w->eager},
    };
    memcpy(options, list, sizeof list);
}

bool machine_shape_read(const char *text, int64_t most, int shape[3])
{
    int64_t product = 1;
    shape[0] = shape[1] = shape[2] = 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        long n = strtol(text, &end, 10);
        if (end == text || n < 1 || n > most || n > INT_MAX || (product *= n) > most)
            return false;
        shape[i] = (int)n;
        if (!*end)
            return true;
        if (*end != 'x')
            return false;
        text = end + 1;
    }
    return false;
}

static int read_class(const command *c, const char *name, const char *text, link_class *out)
{
    double latency, bandwidth, gap;
    char more;
    int n = sscanf(text, "%lf:%lf:%lf%c", &latency, &bandwidth, &gap, &more);
    gap = n == 2 ? latency : gap;
    if (n < 2 || n > 3 || !(latency >= 0) || !(bandwidth > 0) || !(gap >= 0 && gap <= latency) ||
        (n == 2 && strchr(strchr(text, ':') + 1, ':')))
        return options_wrong(c,
                             "%s '%s': it takes LATENCY:BANDWIDTH or LATENCY:BANDWIDTH:GAP, in microseconds, megabytes "
                             "per second and microseconds, of which GAP is at most LATENCY",
                             name, text);
    *out = (link_class){.latency = 1e-6 * latency, .bandwidth = 1e6 * bandwidth, .gap = 1e-6 * gap};
    return 0;
}

static int read_classes(const command *c, const machine_words *w, modelled_machine *out)
{
    const struct {
        const char *name, *text, *otherwise;
        link_class *to;
    } list[] = {
        {"--mpi", w->mpi, NULL, &out->class[BY_MPI][IN_JOB]},
        {"--mpi", w->mpi, NULL, &out->class[BY_MPI][BETWEEN_JOBS]},
        {"--mpi-node", w->mpi_node, w->mpi, &out->class[BY_MPI][IN_NODE]},
        {"--waitio", w->waitio, NULL, &out->class[BY_WAITIO][IN_JOB]},
        {"--waitio-node", w->waitio_node, NULL, &out->class[BY_WAITIO][IN_NODE]},
        {"--between", w->between, w->waitio, &out->class[BY_WAITIO][BETWEEN_JOBS]},
    };
    int code = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list && !code; i++)
        code = read_class(c, list[i].name, list[i].text ? list[i].text : list[i].otherwise, list[i].to);
    return code;
}

int machine_options_check(const command *c, const machine_words *w, modelled_machine *out)
{
    network *net = &out->net;
    *out = (modelled_machine){.jobs = w->jobs, .per_node = w->per_node, .hop = 1e-6 * w->hop};
    if (!machine_shape_read(w->nodes, MACHINE_PROCESSES_MOST, net->extent))
        return options_wrong(c, "--nodes '%s': it takes a number of nodes, or two or three with x between: 16x12x16",
                             w->nodes);
    *net = (network){.is_tree = w->network == 2,
                     .is_snake = w->network == 1,
                     .nodes = net->extent[0] * net->extent[1] * net->extent[2],
                     .extent = {net->extent[0], net->extent[1], net->extent[2]},
                     .radix = w->radix,
                     .uplinks = w->uplinks ? w->uplinks : w->radix};
    if ((double)net->nodes * w->jobs * w->per_node > MACHINE_PROCESSES_MOST)
        return options_wrong(c, "%d jobs of %d nodes of %d processes: at most %d processes can be simulated", w->jobs,
                             net->nodes, w->per_node, MACHINE_PROCESSES_MOST);
    if (w->ports > 64)
        return options_wrong(c, "--ports %d: at most 64", w->ports);
    if (!(w->hop >= 0))
        return options_wrong(c, "--hop %g: it takes microseconds from 0 on", w->hop);
    out->ports[BY_MPI] = w->ports;
    out->ports[BY_WAITIO] = 1;
    out->eager[BY_MPI] = INT64_MAX;
    out->eager[BY_WAITIO] = w->eager;
    out->links_between = w->links ? w->links : net->nodes;
    return read_classes(c, w, out);
}
