/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases for an MPI library as a program sees it: mpi_cases runs them on PROCESSES processes, and every process checks what it got. A
 * failed check is recorded and printed with the call, and the case goes on, because the other processes wait for its messages. */
#ifndef H3OU_TEST_MPI_CASE_H
#define H3OU_TEST_MPI_CASE_H
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "large_count.h"
#include "tests/lib/case_check.h"

enum { PROCESSES = 4 };

typedef struct {
    const char *name;
    void (*run)(void);
} mpi_case;

/* Each ends with a case without a name. */
extern const mpi_case message_cases[], request_cases[], collective_cases[], started_collective_cases[], neighbour_cases[], type_cases[],
    pack_cases[], communicator_cases[], topology_cases[], attribute_cases[], info_cases[], error_cases[], op_cases[], window_cases[],
    file_cases[], spawn_cases[], tool_cases[], environment_cases[], thread_cases[], persistent_cases[], removed_cases[], partitioned_cases[],
    session_cases[], large_cases[];

extern int my_rank, left, right; /* in MPI_COMM_WORLD; the neighbours on a ring */

/* What a started child does in place of all cases (spawn_case.c), and how often the program's own MPI_Barrier ran. `number` is the expected one of
 * the child's program among those started, or NULL if the child got no words. */
void spawn_child(const char *number);
extern int barriers_counted;

/* Begins and ends the program in the way that is named (ending_case.c); returns the exit code. */
int ending_run(const char *how);

#endif
