/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/select.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "coll/algorithm_table.h"
#include "coll/bcast/bcast.h"
#include "coll/reduce/reduce.h"

static h3ou__machine tuned; /* ports 0: none was set */

void h3ou__coll_set_machine(const h3ou__machine *machine)
{
    tuned = *machine;
}

/* NULL: no call of the library has the operation yet. */
static const char *const variable[H3OU__COLL_OPERATIONS] = {
    [H3OU__COLL_BCAST] = "H3OU_COLL_BCAST",         [H3OU__COLL_REDUCE] = "H3OU_COLL_REDUCE",
    [H3OU__COLL_ALLREDUCE] = "H3OU_COLL_ALLREDUCE", [H3OU__COLL_GATHER] = "H3OU_COLL_GATHER",
    [H3OU__COLL_SCATTER] = "H3OU_COLL_SCATTER",     [H3OU__COLL_ALLGATHER] = "H3OU_COLL_ALLGATHER",
    [H3OU__COLL_BARRIER] = "H3OU_COLL_BARRIER",     [H3OU__COLL_SCAN] = "H3OU_COLL_SCAN",
    [H3OU__COLL_ALLTOALL] = "H3OU_COLL_ALLTOALL",
};

static int fail_unknown(int operation, const char *value)
{
    char names[512] = "";
    for (int i = 0; h3ou__algorithm_table[i]; i++)
        if (h3ou__algorithm_table[i]->operation == operation) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", h3ou__algorithm_table[i]->name);
        }
    return h3ou__fail(H3OU__EENV, "%s is \"%s\": it must be one of %s, with :BYTES of a segment or without",
                      variable[operation], value, names);
}

/* Finds the algorithm that the environment names; *out is NULL if it names none. */
static int find_chosen(int operation, const h3ou__algorithm **out, int64_t *segment)
{
    const char *value = variable[operation] ? getenv(variable[operation]) : NULL,
               *colon = value ? strchr(value, ':') : NULL;
    size_t length = colon ? (size_t)(colon - value) : value ? strlen(value) : 0;
    char *end = NULL;
    *out = NULL;
    *segment = colon ? strtoll(colon + 1, &end, 10) : 0;
    if (!length && !colon)
        return H3OU__OK;
    for (int i = 0; h3ou__algorithm_table[i]; i++) {
        const h3ou__algorithm *a = h3ou__algorithm_table[i];
        if (a->operation == operation && strlen(a->name) == length && strncmp(a->name, value, length) == 0)
            *out = a;
    }
    if (!*out || (colon && (end == colon + 1 || *end || *segment < 0)))
        return fail_unknown(operation, value);
    return H3OU__OK;
}

static bool can_do(const h3ou__algorithm *a, const h3ou__call *call)
{
    return a->operation == call->operation && !(call->is_vector && a->are_parts_equal) &&
           !(call->must_keep && a->order < call->order);
}

/* Logs the first choice of a class. */
static void log_choice(const h3ou__algorithm *a, const h3ou__call *call)
{
    static atomic_uint logged[H3OU__COLL_OPERATIONS];
    unsigned class = 0;
    for (int64_t bytes = h3ou__call_bytes(call); bytes > 1; bytes /= 4)
        class ++;
    unsigned bit = 1u << (class < 31 ? class : 31);
    if (h3ou__log_level() >= H3OU__LOG_LOUD && !(atomic_fetch_or(&logged[call->operation], bit) & bit))
        h3ou__log(H3OU__LOG_LOUD, "algorithm", "call=%s algorithm=%s members=%d bytes=%lld segment=%lld",
                  h3ou__operation_name[call->operation], a->name, call->size, (long long)h3ou__call_bytes(call),
                  (long long)call->segment);
}

/* Reads the machine of predictions; *is_given is false if there is none. */
static int read_machine(h3ou__machine *m, bool *is_given)
{
    const char *value = getenv("H3OU_COLL_MODEL");
    double microseconds, megabytes;
    char more;
    *is_given = value && *value;
    *m = (h3ou__machine){.ports = 1};
    if (!*is_given && tuned.ports) {
        *is_given = true;
        *m = tuned;
        return H3OU__OK;
    }
    if (!*is_given)
        return H3OU__OK;
    int n = sscanf(value, "%lf:%lf:%d%c", &microseconds, &megabytes, &m->ports, &more);
    if ((n == 2 && strchr(strchr(value, ':') + 1, ':')) || n < 2 || n > 3 || !(microseconds >= 0) || !(megabytes > 0) ||
        m->ports < 1)
        return h3ou__fail(
            H3OU__EENV,
            "H3OU_COLL_MODEL is \"%s\": it must be LATENCY:BANDWIDTH or LATENCY:BANDWIDTH:PORTS, in microseconds and "
            "megabytes per second",
            value);
    m->latency = 1e-6 * microseconds;
    m->bandwidth = 1e6 * megabytes;
    return H3OU__OK;
}

/* The algorithms for few members where another one than the first in the table is faster
 * (docs/measured/collectives.md), each for up to `members` members and messages of up to `bytes` bytes. The first line
 * that fits holds. */
static const struct {
    int operation, least_members, members;
    int64_t bytes;
    const h3ou__algorithm *algorithm;
} for_few[] = {
    {H3OU__COLL_BCAST, 3, 4, INT64_MAX, &h3ou__bcast_binary},
    {H3OU__COLL_BCAST, 5, 8, 1 << 16, &h3ou__bcast_linear},
    {H3OU__COLL_REDUCE, 3, 4, 1 << 14, &h3ou__reduce_linear},
    {H3OU__COLL_REDUCE, 5, 8, 1 << 16, &h3ou__reduce_linear},
    {H3OU__COLL_REDUCE, 3, 4, 1 << 22, &h3ou__reduce_binary},
    {H3OU__COLL_ALLREDUCE, 2, 2, 1 << 16, &h3ou__allreduce_doubling},
    {H3OU__COLL_ALLREDUCE, 3, 4, 1 << 18, &h3ou__allreduce_doubling},
    {H3OU__COLL_ALLREDUCE, 5, 8, 1 << 16, &h3ou__allreduce_linear},
    {H3OU__COLL_ALLREDUCE, 3, 8, 1 << 23, &h3ou__allreduce_rabenseifner},
    {H3OU__COLL_ALLREDUCE, 3, 8, INT64_MAX, &h3ou__allreduce_ring},
};

/* Returns the algorithm for few members where it is not the first in the table, or NULL. */
static const h3ou__algorithm *find_for_few(const h3ou__call *call)
{
    for (size_t i = 0; call->order != H3OU__ORDER_SERIAL && i < sizeof for_few / sizeof *for_few; i++)
        if (for_few[i].operation == call->operation && call->size >= for_few[i].least_members &&
            call->size <= for_few[i].members && h3ou__call_bytes(call) <= for_few[i].bytes &&
            for_few[i].algorithm->order >= call->order)
            return for_few[i].algorithm;
    return NULL;
}

/* Finds the usual algorithm that does, or, with a machine, the one of the least predicted time, and sets its segment.
 */
static const h3ou__algorithm *find_default(h3ou__call *call, const h3ou__machine *m)
{
    const h3ou__algorithm *best = NULL;
    double least = 0;
    int64_t segment = 0;
    const h3ou__algorithm *usual = m ? NULL : find_for_few(call);
    for (int i = 0; h3ou__algorithm_table[i] && (m || !best); i++) {
        const h3ou__algorithm *a = h3ou__algorithm_table[i];
        if (!can_do(a, call) || a->order < call->order || (usual && a != usual))
            continue;
        call->segment = m ? h3ou__cost_best_segment(a, call, m) : 0;
        double seconds = m ? h3ou__cost_predict(a, call, m) : 0;
        if (!best || seconds < least) {
            best = a;
            least = seconds;
            segment = call->segment;
        }
    }
    call->segment = segment;
    return best;
}

int h3ou__coll_select(h3ou__call *call, const h3ou__algorithm **out)
{
    int64_t segment;
    bool is_modelled = false;
    h3ou__machine machine;
    int err = find_chosen(call->operation, out, &segment);
    if (!err)
        err = read_machine(&machine, &is_modelled);
    if (!err && *out && can_do(*out, call)) {
        call->segment = segment;
    } else if (!err) {
        /* The members of a gather or scatter with different parts do not know each other's, so they predict nothing. */
        *out = find_default(call, is_modelled && !call->is_vector ? &machine : NULL);
        if (!*out)
            return h3ou__fail(H3OU__EARG, "%s: no algorithm keeps the order that is asked for",
                              h3ou__operation_name[call->operation]);
    }
    if (!err)
        log_choice(*out, call);
    return err;
}

int h3ou__coll_build(h3ou__call *call, h3ou__schedule *out, const char **name)
{
    const h3ou__algorithm *a;
    *out = (h3ou__schedule){0};
    int err = h3ou__coll_select(call, &a);
    if (!err && name)
        *name = a->name;
    if (!err && (err = a->build(call, out)) != H3OU__OK)
        h3ou__schedule_free(out);
    return err;
}
