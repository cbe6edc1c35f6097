/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators on which collective cases run: the ranks of a job follow one another in the first two, and in the third they do not. */
#ifndef H3OU_TEST_UNIVERSE_COMMUNICATORS_H
#define H3OU_TEST_UNIVERSE_COMMUNICATORS_H
#include "universe_case.h"

typedef struct {
    MPI_Comm comm;
    int rank, size;
} members;

/* Runs a check on MPI_COMM_WORLD, on the same processes in reverse order, and with odd ranks first. */
void on_communicators(void (*check)(const members *m));

#endif
