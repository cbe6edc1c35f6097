/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/model/modelled_machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

int machine_job_size(const modelled_machine *m)
{
    return m->net.nodes * m->per_node;
}

int machine_size(const modelled_machine *m)
{
    return m->jobs * machine_job_size(m);
}

/* Makes an array of zeros, which is there or not. */
static bool clear_array(double **array, int64_t n)
{
    if (!*array)
        return (*array = calloc((size_t)n, sizeof **array)) != NULL;
    memset(*array, 0, sizeof **array * (size_t)n);
    return true;
}

int machine_open(modelled_machine *m)
{
    bool is_there = true;
    for (int by = 0; by < TRANSPORTS; by++)
        is_there = is_there && clear_array(&m->port[by], 2 * (int64_t)machine_size(m) * m->ports[by]);
    is_there = is_there && clear_array(&m->link, m->jobs * network_links(&m->net)) &&
               clear_array(&m->between, (int64_t)m->jobs * m->jobs * m->links_between);
    if (is_there)
        return H3OU__OK;
    machine_close(m);
    return h3ou__no_memory("the modelled machine of %d processes", machine_size(m));
}

void machine_close(modelled_machine *m)
{
    for (int by = 0; by < TRANSPORTS; by++) {
        free(m->port[by]);
        m->port[by] = NULL;
    }
    free(m->link);
    free(m->between);
    m->link = m->between = NULL;
}

/* Returns the one of n that is free first. */
static double *find_first(double *when, int n)
{
    double *best = when;
    for (int i = 1; i < n; i++)
        if (when[i] < *best)
            best = &when[i];
    return best;
}

/* Takes a link at `head` at the earliest; returns when the message begins to pass it. One without bytes, as a question or
 * its answer, passes between the parts of others. */
static double take_link(double *link, double head, double busy)
{
    if (busy <= 0)
        return head;
    double begin = *link > head ? *link : head;
    *link = begin + busy;
    return begin;
}

/* Follows the links inside a job. Returns when the message's head has passed them; *first is when it begins. */
static double pass_network(modelled_machine *m, int job, int from, int to, double head, double busy, double *first)
{
    path way;
    int n = 0;
    double *link = m->link + job * network_links(&m->net);
    path_begin(&way, &m->net, from, to);
    for (int64_t next; (next = path_next(&way)) >= 0; n++) {
        head = take_link(&link[next], n ? head + m->hop : head, busy);
        *first = n ? *first : head;
    }
    return head;
}

transfer machine_send(modelled_machine *m, enum transport by, int from, int to, int64_t bytes, double now)
{
    int size = machine_job_size(m), job = from / size, other = to / size, node = from % size / m->per_node,
        to_node = to % size / m->per_node, ports = m->ports[by];
    enum distance far = job != other ? BETWEEN_JOBS : node != to_node ? IN_JOB : IN_NODE;
    const link_class *class = &m->class[by][far];
    double busy = (double)bytes / class->bandwidth;
    double *out = find_first(m->port[by] + 2 * (int64_t)from * ports, ports),
           *in = find_first(m->port[by] + (2 * (int64_t)to + 1) * ports, ports);
    double first = *out > now ? *out : now, head = first;
    if (far == IN_JOB)
        head = pass_network(m, job, node, to_node, head, (double)bytes / m->class[BY_MPI][IN_JOB].bandwidth, &first);
    if (far == BETWEEN_JOBS) {
        int64_t pair = (int64_t)job * m->jobs + other, way = pair * m->links_between + node % m->links_between;
        first = head = take_link(&m->between[way], head, busy);
    }
    transfer t = {.sent = first + class->gap + busy};
    *out = t.sent;
    double taken = head + class->latency - class->gap;
    t.arrives = (taken > *in ? taken : *in) + class->gap + busy;
    *in = t.arrives;
    return t;
}
