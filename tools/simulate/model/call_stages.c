/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/model/call_stages.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "coll/algorithm_table.h"

const h3ou__algorithm *call_algorithm(int operation, const char *way)
{
    for (int i = 0; h3ou__algorithm_table[i]; i++)
        if (h3ou__algorithm_table[i]->operation == operation &&
            (!way || !strcmp(h3ou__algorithm_table[i]->name, way)))
            return h3ou__algorithm_table[i];
    return NULL;
}

static void add_stage(const call_way *how, const char *algorithm, int operation, enum transport by,
                      enum stage_members members, int block, stage stages[], int *n)
{
    h3ou__call call = how->call;
    if (members != ALL_MEMBERS) /* the mesh is that of all members */
        memset(call.shape, 0, sizeof call.shape);
    stages[(*n)++] = (stage){
        .algorithm = call_algorithm(operation, algorithm), .by = by, .members = members, .block = block, .call = call};
}

static void add_hybrid_bcast(const call_way *how, stage stages[], int *n)
{
    add_stage(how, "binomial", H3OU__COLL_BCAST, BY_MPI, FIRST_BLOCK, how->job, stages, n);
    add_stage(how, "binomial", H3OU__COLL_BCAST, BY_WAITIO, KINGS, how->job, stages, n);
    add_stage(how, "binomial", H3OU__COLL_BCAST, BY_MPI, OTHER_BLOCKS, how->job, stages, n);
}

static void add_hybrid_reduce(const call_way *how, stage stages[], int *n)
{
    add_stage(how, "binomial", H3OU__COLL_REDUCE, BY_MPI, EACH_BLOCK, how->job, stages, n);
    add_stage(how, "linear", H3OU__COLL_REDUCE, BY_WAITIO, KINGS, how->job, stages, n);
}

static void add_layers(const call_way *how, int operation, stage stages[], int *n)
{
    bool is_bcast = operation == H3OU__COLL_BCAST;
    for (int i = 0; i < 2; i++)
        add_stage(how, "linear", operation, BY_WAITIO, (i == 0) == is_bcast ? KINGS : EACH_BLOCK, how->group, stages, n);
}

static int fail_unknown(int operation, const char *way)
{
    char names[512] = "";
    bool has_ways =
        operation == H3OU__COLL_BCAST || operation == H3OU__COLL_REDUCE || operation == H3OU__COLL_ALLREDUCE;
    for (int i = 0; h3ou__algorithm_table[i]; i++)
        if (h3ou__algorithm_table[i]->operation == operation) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", h3ou__algorithm_table[i]->name);
        }
    return h3ou__fail(H3OU__EARG, "there is no way '%s' for %s: there are %s%s", way, h3ou__operation_name[operation],
                      names, has_ways ? ", hybrid, 2l" : "");
}

int call_stages(const call_way *how, const char *way, stage stages[CALL_STAGES], int *n)
{
    int operation = how->call.operation;
    bool is_bcast = operation == H3OU__COLL_BCAST, is_reduce = operation == H3OU__COLL_REDUCE,
         is_both = operation == H3OU__COLL_ALLREDUCE, is_hybrid = !strcmp(way, "hybrid");
    *n = 0;
    if (call_algorithm(operation, way)) {
        add_stage(how, way, operation, how->by, ALL_MEMBERS, how->job, stages, n);
        return H3OU__OK;
    }
    if ((!is_hybrid && strcmp(way, "2l") != 0) || (!is_bcast && !is_reduce && !is_both))
        return fail_unknown(operation, way);
    if (is_reduce || is_both)
        is_hybrid ? add_hybrid_reduce(how, stages, n) : add_layers(how, H3OU__COLL_REDUCE, stages, n);
    if (is_bcast || is_both)
        is_hybrid ? add_hybrid_bcast(how, stages, n) : add_layers(how, H3OU__COLL_BCAST, stages, n);
    return H3OU__OK;
}
