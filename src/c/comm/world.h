/* SPDX-License-Identifier: BSD-3-Clause */
/* The structures of comm, private to it. */
#ifndef H3OU_COMM_WORLD_H
#define H3OU_COMM_WORLD_H

#include "comm/comm.h"
#include "comm/watch/run_state.h"
#include "comm/watch/wait_history.h"
#include "host/host_block.h"
#include "host/host_map.h"
#include "os/pause.h"
#include "waitio.h"

enum h3ou__comm_kind {
    H3OU__GLOBAL,
    H3OU__LEADER,
    H3OU__LOCAL,
    H3OU__MODEL_UP,
    H3OU__MODEL_DOWN,
    H3OU__COUPLE,
    H3OU__KINDS
};

/* The processes of a component are kept as runs of consecutive ranks of its job: usually one run, whatever its size. */
typedef struct h3ou__component {
    char name[H3OU__NAME + 1]; /* of a member of an ensemble: base, and its number in four digits */
    char base[H3OU__NAME + 1]; /* as h3ou_init was given it */
    int member, nmember;       /* its number among the members of base, from 0 */
    int held;                  /* members that the job says it holds, 0: unsaid; used by members.c only */
    int job;
    int size;
    int color; /* components that have a process in common have different ones; 0 unless h3ou__world_is_shared */
    int nrun;
    int *run; /* [2 * nrun] first rank in the job, number of ranks */
} h3ou__component;

/* The hosts of the processes of a communicator of MPI, and the memory that those of each host share. */
typedef struct h3ou__host_place {
    bool is_settled;         /* they have agreed */
    bool is_shared;          /* each host with several of them has such memory; else it is not used */
    bool is_crowded;         /* my host has more of them than cores on which they may run */
    h3ou__host_map map;      /* if it is */
    h3ou__host_block *block; /* that of my host; NULL: none, or I am alone there */
    unsigned ncall;          /* calls that passed between hosts */
} h3ou__host_place;

enum { H3OU__NOTED = 16 };

struct h3ou__comm {
    h3ou__world *world;
    int kind;
    int a, b; /* components of a Model */
    int size, rank;
    /* A block is the members in one job. Collectives use `inside`, the MPI communicator of my block (0: I am alone in
     * it), whose rank 0 is the block's King, and between the Kings messages on this communicator. */
    int nblock, block;
    int block_rank; /* my rank inside */
    h3ou__mpi_comm inside;
    h3ou__host_place *host; /* of inside */
    bool may_lose;    /* a request whose peer is lost completes without an error */
    uint32_t noted[H3OU__NOTED]; /* by call: bits of the lengths of calls whose algorithms the time line has (hybrid.c) */
    h3ou__comm *next; /* list of Models */
};

/* A process that opens several components has such a structure for each. They differ in `me`, local_comm, user_comm, state, timeline and the four
 * communicators; the rest is the same in all of them, and freed once. */
struct h3ou__world {
    const h3ou__mpi_ops *mpi;
    int started_mpi;
    h3ou__mpi_comm job_comm;           /* all of my job, for collectives */
    h3ou__mpi_comm
        route[H3OU__KINDS]; /* all of my job, for messages: one for each kind, so that their tags do not collide */
    h3ou__mpi_comm local_comm;         /* my component, for collectives */
    h3ou__host_place *job_host, local_host; /* of job_comm and of local_comm */
    h3ou__mpi_comm user_comm;          /* my component, for the model itself, until MPI_Finalize */
    int job_rank, job_size;
    int njob, job;
    int *first;           /* [njob + 1] Global rank of each job's rank 0; the last is the size of Global */
    waitio_group_t group; /* all of Global; NULL in a run of one job */
    int ncomponent, me;
    bool is_ensemble; /* some component has several members */
    bool is_shared;   /* some process of the run opens several components */
    h3ou__component *component;
    bool *may_lose; /* [njob] the end of a job does not end the run; NULL: each one's does */
    h3ou__comm global, leader, local, couple, lossy;
    /* The couple: the members of all components that have the number of mine. */
    int ncouple, *couple_id, *couple_start; /* [ncouple] components, ascending; [ncouple + 1] their first ranks */
    h3ou__comm *models;
    double patience;
    double tell_after; /* seconds until a long wait is logged */
    double waited; /* seconds that this process has waited for others */
    h3ou__wait_history *waits; /* by which a long wait is found */
    int64_t time_num, time_den; /* beginning of the current step, in seconds since the run's start; time_den 0: none yet */
    void (*meanwhile)(void *user); /* called while a wait lasts, or NULL */
    void *meanwhile_user;
    h3ou__run_state *state; /* what h3ou top shows of this process, or NULL */
    h3ou__timeline *timeline; /* what h3ou report shows of it, or NULL */
};

/* Finds all components, their members and their processes (component.c). name, nensemble: of the component that this process
 * opens first. Collective. */
int h3ou__components_find(h3ou__world *w, const char *name, int nensemble);
/* Makes the list of them from what is known, when component `me` runs alone. */
int h3ou__components_know(h3ou__world *w, int n, const h3ou__known_component known[], int me);
void h3ou__components_free(h3ou__world *w);
int h3ou__component_job_rank(const h3ou__component *c, int rank);
int h3ou__component_rank(const h3ou__component *c, int job_rank); /* -1: no member */

/* Finds the job of a communicator's member and its rank there (communicator.c). */
void h3ou__comm_place(const h3ou__comm *c, int rank, int *job, int *job_rank);
/* Returns the tag that a message to or from a member has on its way: the caller's, and which components of their processes the
 * two ends are, so that messages between the same processes are told apart. */
int h3ou__comm_tag(const h3ou__comm *c, bool is_send, int peer, int tag);
/* Writes "component ocean rank 3"; returns text. */
char *h3ou__comm_member(const h3ou__comm *c, int rank, char *text, int size);
/* Writes "Global", "Model of atmos and ocean", ...; returns text. */
enum { H3OU__COMM_NAME = 2 * H3OU__NAME + 32 };
const char *h3ou__comm_name(const h3ou__comm *c, char *text, size_t size);
int h3ou__comm_king(const h3ou__comm *c, int block); /* the communicator's rank of a block's King */
int h3ou__comm_block_size(const h3ou__comm *c, int block);
int h3ou__comm_block_of(const h3ou__comm *c, int rank, int *block_rank);

/* Returns whether a message of this process is under way by the MPI, which may move it only while it is called (message.c). */
bool h3ou__messages_by_mpi(void);
/* Lets the MPI move what is under way. */
int h3ou__progress_mpi(const h3ou__world *w);
/* The same of the program's own messages, in a wait that may be for WaitIO or memory alone, where h3ou__pause_looks_at_mpi says so. */
int h3ou__look_at_mpi(const h3ou__world *w, const h3ou__pause *pause);
/* Returns for how many microseconds a wait for the MPI yields before it sleeps: few where more processes of the job are
 * known to run on this host than it has cores for them. */
int h3ou__yield_for_mpi(const h3ou__world *w);
/* Returns for how many seconds, `most` at the most, a process may sleep until what it waits for wakes it, without a look at the MPI (message.c). */
double h3ou__nap_most(const h3ou__world *w, const h3ou__pause *pause, double most);
/* Waits for one MPI request as h3ou__waitall does: with patience, progressing WaitIO (message.c). */
int h3ou__wait_mpi(h3ou__world *w, h3ou__mpi_req *req, const char *what);
enum { H3OU__TAG_COLLECTIVE = 1 << 20 }; /* above all tags of callers */

#endif
