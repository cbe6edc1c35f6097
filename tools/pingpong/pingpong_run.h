/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of h3ou bench pingpong: its options and its results. */
#ifndef H3OU_TOOL_PINGPONG_RUN_H
#define H3OU_TOOL_PINGPONG_RUN_H

#include "tools/cli/options.h"
#include "tools/pingpong/pingpong_crew.h"
#include "tools/pingpong/pingpong_table.h"

enum { PINGPONG_ROUTES = 4, PINGPONG_MPIS = 4 };

typedef struct pingpong_mpi {
    char name[32], title[32], mpirun[1024], helper[4200];
} pingpong_mpi;

typedef struct pingpong_run {
    pingpong_plan plan;
    double patience;                    /* seconds that a round may last */
    int pbs;                            /* 0: one and two, 1, 2 */
    const char *route[PINGPONG_ROUTES]; /* WAITIO_COMM_TYPE; "" as the library chooses */
    int nroute, nmpi;
    pingpong_mpi mpi[PINGPONG_MPIS];
    cpu_set_t allowed;
    pingpong_table table;
    /* Progress: rounds that are done, and all. */
    int64_t done, all;
    double said;                       /* time of the last line of progress, seconds */
    pingpong_way link[PINGPONG_LINKS]; /* what is measured now */
} pingpong_run;

/* Measures on this host, by processes that this one starts. Returns 0 or a negative code with h3ou__fail_text(). */
int pingpong_run_alone(pingpong_run *r);
/* Measures as a process of the instance that the environment names; *is_writer: this process has the table. */
int pingpong_run_join(pingpong_run *r, bool is_far, bool *is_writer);
/* Finds the MPIs of this machine: those in `names` ("mpich,openmpi"; NULL: all that are found), or the one of an
 * mpirun. */
int pingpong_find_mpis(pingpong_run *r, const char *names, const char *mpirun);
/* Measures by the MPIs. One that cannot be measured becomes a note of the table. */
int pingpong_run_mpis(pingpong_run *r);

/* Return the names of the ways to send messages. */
pingpong_way pingpong_raw_way(void);
pingpong_way pingpong_waitio_way(int pbs, const char *route);
/* Adds a round of the link that is measured now. */
int pingpong_add_round(void *run, const round_result *round);
/* Does so by the line that a process wrote; returns whether it is one. */
bool pingpong_take_line(void *run, const char *line);

#endif
