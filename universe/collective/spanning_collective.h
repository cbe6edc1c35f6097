/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective call on a communicator over several jobs, as a request: stages one after the other, each a schedule of coll among some of
 * the members: those of my job, the leaders of the jobs (one member each: that which is the root, else the first), or all. A stage of a blocking call
 * inside the job may be a call in memory that its processes share, or one of the job's MPI, instead.
 */
#ifndef H3OU_UNIVERSE_COLLECTIVE_SPANNING_COLLECTIVE_H
#define H3OU_UNIVERSE_COLLECTIVE_SPANNING_COLLECTIVE_H

#include "coll/schedule/algorithm.h"
#include "host/host_call.h"
#include "universe/member/job_division.h"
#include "universe/member/member_link.h"
#include "universe/collective/packed_image.h"
#include "universe/collective/spanning_fold.h"
#include "universe/world/asked.h"

enum universe_among { UNIVERSE_AMONG_JOB, UNIVERSE_AMONG_LEADERS, UNIVERSE_AMONG_ALL, UNIVERSE_AMONGS };
enum { UNIVERSE_STAGES = 8, UNIVERSE_MEMORIES = 3, UNIVERSE_ARRAYS = 4 };
enum { UNIVERSE_SEGMENTS = 6 }; /* of a call that are under way at a time, at most */

/* What the processes of a job do together of a stage; NONE: the schedule. */
enum universe_inside { UNIVERSE_INSIDE_NONE, UNIVERSE_INSIDE_REDUCE, UNIVERSE_INSIDE_BCAST, UNIVERSE_INSIDE_BARRIER };

typedef struct universe_stage {
    int among;
    h3ou__call call;         /* of which each segment has a schedule of its own */
    h3ou__schedule schedule; /* of a call that is one segment */
    h3ou__coll_data data;
    bool input_is_window, output_is_window; /* it has room for the segments that are under way, and not for all values */
    bool is_aside;     /* the next stage does not wait for its end, but the call does */
    enum universe_inside inside;
    bool is_in_memory; /* in memory that they share, not by the job's MPI */
    int64_t count;     /* elements, and the root, of such a call */
    int root;
} universe_stage;

/* A part of the values on its way through the stages. */
typedef struct universe_segment {
    int now; /* stage */
    bool is_started;
    h3ou__coll_run *run, *aside; /* aside: of a stage before */
    bool is_in_memory;           /* `host` is under way */
    h3ou__host_call host;
    abi_Request inside; /* ABI_REQUEST_NULL: none */
} universe_segment;

struct universe_collective {
    universe_request request; /* first */
    universe_arguments a;
    bool is_blocking, is_held; /* is_held: the arguments are copies */
    bool is_broken;            /* a transport had an error */
    bool is_fixed;             /* the number is that of all runs: a persistent call */
    int64_t number;            /* of the call, on this communicator */
    const universe_division *d;
    int *leader; /* [d->n] ranks */
    universe_link link[UNIVERSE_AMONGS];
    universe_image in, out;
    bool takes_out; /* the image of the output is unpacked at the end */
    universe_fold fold;
    void *memory[UNIVERSE_MEMORIES];
    int64_t *array[UNIVERSE_ARRAYS];
    int nmemory, narray;
    universe_stage stage[UNIVERSE_STAGES];
    int nstage;
    universe_segment segment[UNIVERSE_SEGMENTS]; /* segment k is k % UNIVERSE_SEGMENTS */
    int64_t nsegment, each, bytes;               /* bytes of a segment, and of the call; of one segment, not used */
    bool has_moved; /* something of it was done, in the last look at it */
    int64_t begun, done, nlast; /* segments 0 to done - 1 are complete, the last begun is begun - 1; nlast have begun the last stage */
    int code; /* class of an error that a plan found */
};

#pragma GCC visibility push(hidden)
/* Makes the call and waits for it; starts it; makes a persistent one. Return a code of MPI, with the error handler called. */
int universe_collective_run(universe_comm *c, const universe_arguments *a);
int universe_collective_start(universe_comm *c, const universe_arguments *a, abi_Request *request);
int universe_collective_init(universe_comm *c, const universe_arguments *a, abi_Request *request);

/* For plans, which are called with a good root; all return an error of h3ou. */

int universe_collective_check_root(universe_collective *u);
/* Checks counts and types of a side with n elements in its arrays. */
int universe_collective_check(universe_collective *u, const universe_side *side, int n);
/* Opens the image of a side that is released with the call; all its n pieces in the order of the jobs if is_by_job. */
int universe_collective_image(universe_collective *u, const universe_side *side, int n, bool is_by_job, enum universe_image_manner manner, universe_image *out);

/* Sets the leaders: the root's job has the root, if root >= 0; is_last: the others have their last members instead of the first. */
int universe_collective_lead(universe_collective *u, int root, bool is_last);
bool universe_collective_leads(const universe_collective *u);
/* Memory until the end of the call; NULL: there is none, with its sentence. The second returns zeros. */
char *universe_collective_memory(universe_collective *u, int64_t bytes);
int64_t *universe_collective_array(universe_collective *u, int n);
/* Divides the values of a call, `bytes` in elements of so many, if they are long: all stages pass on segments of them. Before the first stage. */
void universe_collective_divide(universe_collective *u, int64_t bytes, int64_t element);
/* Bytes of memory for what lies between two stages: of a call in segments, for those under way. */
int64_t universe_collective_window(const universe_collective *u, int64_t bytes);
/* Adds a stage. call: all but size and me; its arrays are borrowed until the return. */
int universe_collective_stage(universe_collective *u, int among, h3ou__call call, const void *input, void *output);
/* The same for a stage inside the job that its processes can do in memory that they share, or its MPI, in a blocking call. The first one of a
 * communicator waits for all members of this job. */
int universe_collective_stage_inside(universe_collective *u, enum universe_inside inside, h3ou__call call, const void *input, void *output);
/* Adds a stage of steps that the caller adds to the schedule that this returns, or NULL. Of members `among`. */
h3ou__schedule *universe_collective_steps(universe_collective *u, int among, const void *input, void *output);
#pragma GCC visibility pop

#endif
