/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans of the collective calls: each opens the images of a call, and adds its stages. They return an error of h3ou. */
#ifndef H3OU_UNIVERSE_COLLECTIVE_PLANS_H
#define H3OU_UNIVERSE_COLLECTIVE_PLANS_H

#include "universe/collective/spanning_collective.h"

#pragma GCC visibility push(hidden)
int universe_plan_barrier(universe_collective *u);
int universe_plan_bcast(universe_collective *u);
int universe_plan_reduce(universe_collective *u);
int universe_plan_allreduce(universe_collective *u);
int universe_plan_reduce_scatter(universe_collective *u);
int universe_plan_scan(universe_collective *u);
int universe_plan_exscan(universe_collective *u);
int universe_plan_gather(universe_collective *u);
int universe_plan_gatherv(universe_collective *u);
int universe_plan_scatter(universe_collective *u);
int universe_plan_scatterv(universe_collective *u);
int universe_plan_allgather(universe_collective *u);
int universe_plan_alltoall(universe_collective *u);
int universe_plan_neighbor_allgather(universe_collective *u);
int universe_plan_neighbor_alltoall(universe_collective *u);
/* Numbers of neighbours, for universe_arguments. */
int universe_neighbors_in(const universe_comm *c);
int universe_neighbors_out(const universe_comm *c);
#pragma GCC visibility pop

#endif
