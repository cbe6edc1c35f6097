/* SPDX-License-Identifier: BSD-3-Clause */
/* Which back a process uses, and its table. */
#ifndef H3OU_MPI_ADAPTOR_BACK_CHOICE_H
#define H3OU_MPI_ADAPTOR_BACK_CHOICE_H

#include "hub_table.h"

/* The table of the back that H3OU_MPI_BACK, the launcher or what is installed chooses, loaded. `front` is the name of the front that asks
 * ("openmpi", "mpich", "abi"). Ends the process with a sentence when there is none, or when the program's calls would go to another MPI. Called once, before main. */
const struct hub *back_choose(const char *front);

/* The function of a back library that back_choose() finds by this name: fills the table from the real MPI, NULL and a sentence if
 * it cannot. */
#define BACK_OPEN "h3ou_mpi_back_open"
typedef const struct hub *back_open_function(char *sentence, int size);
/* What a front exports that is preloaded before the real library, instead of standing in its place: its back is that library. */
#define FRONT_BESIDE_NAME "h3ou_adaptor_beside"

/* The function of libh3ou_universe.so, which takes a back's table and returns the one that stands before it. */
typedef const struct hub *universe_open_function(const struct hub *back);

#endif
