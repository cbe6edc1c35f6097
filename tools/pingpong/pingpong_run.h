/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of h3ou bench pingpong: what it is to do, and where the results go. */
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
    double said;                       /* when it was said, seconds */
    pingpong_way link[PINGPONG_LINKS]; /* what is measured now */
} pingpong_run;

/* All on this host, by processes that this one starts. 0 or a negative code with h3ou__fail_text(). */
int pingpong_run_alone(pingpong_run *r);
/* As a process of an instance that the environment names; *is_writer: it has the table. */
int pingpong_run_join(pingpong_run *r, bool is_far, bool *is_writer);
/* The MPIs of this machine: those in `names` ("mpich,openmpi"; NULL: all that are found), or the one of an mpirun. */
int pingpong_find_mpis(pingpong_run *r, const char *names, const char *mpirun);
/* What cannot be measured becomes a note. */
int pingpong_run_mpis(pingpong_run *r);

/* What the ways are called. */
pingpong_way pingpong_raw_way(void);
pingpong_way pingpong_waitio_way(int pbs, const char *route);
/* A round of the link that is measured now, from the line that a process wrote ("round ..."). */
bool pingpong_take_line(void *run, const char *line);
void pingpong_put_line(int fd, enum pingpong_link link, int pairs, bool is_pinned, int64_t bytes, int64_t repeats,
                       double slowest, double mean);
int pingpong_add_round(pingpong_run *r, enum pingpong_link link, int pairs, bool is_pinned, int64_t bytes,
                       int64_t repeats, double slowest, double mean);

#endif
