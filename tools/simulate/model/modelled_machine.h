/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A modelled machine: jobs of many processes on nodes with a network, and links between the jobs. Processes have
 * numbers over all jobs, one job after the other; the processes of a node are consecutive.
 *
 * A message takes latency + bytes / bandwidth of its class. A port of the sender, and one of the receiver, are busy for
 * gap + bytes / bandwidth of that, and each link on the way for bytes / bandwidth, one message after the other in the
 * order in which they are sent; each link after the first takes `hop` more. The links inside a job have the bandwidth of
 * MPI between nodes, and a message without bytes waits for none of them. Messages between jobs take one of the links
 * between these two jobs, each node always the same one. Memory and processors of a node are not shared out: only ports
 * and links are.
 */
#ifndef H3OU_TOOL_SIMULATE_MODELLED_MACHINE_H
#define H3OU_TOOL_SIMULATE_MODELLED_MACHINE_H

#include "tools/simulate/model/network.h"

enum transport { BY_MPI, BY_WAITIO, TRANSPORTS };
enum distance { IN_NODE, IN_JOB, BETWEEN_JOBS, DISTANCES };

typedef struct link_class {
    double latency, bandwidth; /* seconds, bytes per second */
    double gap;                /* seconds */
} link_class;

typedef struct modelled_machine {
    int jobs, per_node;
    network net; /* of each job */
    double hop;  /* seconds */
    link_class class[TRANSPORTS][DISTANCES];
    int ports[TRANSPORTS];    /* of a process */
    int64_t eager[TRANSPORTS]; /* bytes of the largest message that is sent before its receive is known */
    int links_between;        /* each job and each other, in one direction */
    /* When each is free: [transport][process][sending, receiving][port]; [job][link]; [job][job][link between]. */
    double *port[TRANSPORTS], *link, *between;
} modelled_machine;

typedef struct transfer {
    double sent, arrives; /* seconds: when the sender may go on, and when the receiver has the message */
} transfer;

/* Allocates what the description asks for, or sets all ports and links free again. */
int machine_open(modelled_machine *m);
void machine_close(modelled_machine *m);
int machine_job_size(const modelled_machine *m); /* processes of a job */
int machine_size(const modelled_machine *m);     /* of all jobs */
transfer machine_send(modelled_machine *m, enum transport by, int from, int to, int64_t bytes, double now);

#endif
