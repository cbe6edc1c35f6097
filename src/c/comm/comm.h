/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of all jobs of a coupled run, by component, and the four communicators over them (WaitIO-Socket paper,
 * figure 6, tables 2 and 3): Global (everybody), Model (two components), Leader (rank 0 of every component), Local (my
 * component). A message inside a job takes the job's MPI, one between jobs takes WaitIO; collectives go King to King
 * between jobs and by the job's MPI inside (Bcast, Gather, Scatter, Gatherv, Scatterv, Reduce, Allreduce, Barrier).
 *
 * Ranks of Global: jobs by PBID, inside a job by MPI rank. Ranks of Leader: component ids. Ranks of Local: the
 * component's. Ranks of Model(a, b): a's ranks, then b's. Component ids: by first Global rank that belongs to it, from
 * 0. In a run with ensembles every member is a component with an id of its own (members.h), and Couple is over the members
 * that have the number of mine: the ranks of the first by id, then of the next one.
 */
#ifndef H3OU_COMM_COMM_H
#define H3OU_COMM_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/watch/timeline.h"
#include "mpi/mpi.h" /* h3ou__type, h3ou__op */

enum { H3OU__NAME = 64 }; /* largest length of a name, without its NUL */
enum { H3OU__MEMBERS_MOST = 9999 }; /* members of an ensemble */
enum { H3OU__OWN_MOST = 8 };        /* components that one process opens */

typedef struct h3ou__world h3ou__world;
typedef struct h3ou__comm h3ou__comm;

/* Says which components this process opens, when it opens several. To be called before h3ou__world_open, which is then called
 * once for each: the first call opens the run and makes the worlds of all of them. The names are copied. */
int h3ou__world_announce(int n, const char *const name[]);
/* Opens the run: starts the MPI if it is not running, joins the WaitIO instance when WAITIO_NPB is above 1, and finds
 * out which processes run which component. Collective over all processes. name is copied. nensemble: members of the
 * component, in all jobs. comm: Fortran handle of the communicator whose processes are this job; NULL: MPI_COMM_WORLD. A
 * component in two jobs without members is H3OU__EJOIN.
 */
int h3ou__world_open(const char *name, int nensemble, const int *comm, h3ou__world **out);
/* What is known of a component of a run of which one component runs alone. */
typedef struct h3ou__known_component {
    char name[H3OU__NAME + 1], base[H3OU__NAME + 1]; /* base: without the number of a member */
    int member, members;
} h3ou__known_component;

/* Opens component `me` of a run of n components, of which those that the processes of this job open are all that run; the others are known
 * by name, and have no processes. A process that opens several has announced them. No wait ends by patience. Collective over all
 * processes. */
int h3ou__world_open_alone(int n, const h3ou__known_component known[], int me, const int *comm, h3ou__world **out);
/* Sets the function that ends the process when MPI_Init does not return within the patience of joining, MPI_Finalize
 * within H3OU_END_PATIENCE (60 s) after all processes of the job have called it, or MPI_Abort within 10 s. `end` is
 * called with the sentence in a thread of its own. To be called before h3ou__world_open; without it these calls have no
 * time limit. */
void h3ou__world_when_stuck(void (*end)(const char *sentence));
/* Sets a function to be called at the beginning of an MPI_Finalize that the program itself calls; MPI_Abort still works
 * there. */
void h3ou__world_when_finalized(void (*finalized)(void));
/* Returns whether MPI_Init was called in this process, and MPI_Finalize was not. */
bool h3ou__world_mpi_runs(void);
/* Returns whether this process's MPI_COMM_WORLD is that of several jobs (universe/). */
bool h3ou__world_is_universe(void);
int h3ou__world_own(void);               /* how many components this process opens */
const char *h3ou__world_unopened(void);  /* one that was announced and not opened yet; NULL: there is none */
/* Returns whether some process of the run opens several components. */
bool h3ou__world_is_shared(const h3ou__world *w);
/* Closes the run; of several components of one process the last one that is closed does. Collective. finalize_mpi: 1 calls MPI_Finalize, 0 does not, -1 calls it now if h3ou__world_open
 * called MPI_Init, else when the program exits without having called it. */
int h3ou__world_close(h3ou__world *w, int finalize_mpi);
/* Ends the run everywhere: tells the Kings of the other jobs (at most `seconds`), then aborts this job. Returns only if
 * the MPI's abort does. w may be NULL (not joined yet). */
void h3ou__world_abort(h3ou__world *w, int code, const char *text, double seconds);
/* Tells the Kings of the other jobs only, as h3ou__world_abort does first. */
void h3ou__world_tell(const char *text, double seconds);

int h3ou__world_components(const h3ou__world *w);
const char *h3ou__world_component_name(const h3ou__world *w, int id);
int h3ou__world_component_size(const h3ou__world *w, int id);
int h3ou__world_component_first(const h3ou__world *w, int id); /* the Global rank of its rank 0 */
/* Returns the id of a component; of one that has members the id of mine, or of the one that mine is coupled with or
 * follows; -1: there is none. */
int h3ou__world_find(const h3ou__world *w, const char *name);
const char *h3ou__world_component_base(const h3ou__world *w, int id); /* its name without a member's number */
int h3ou__world_component_member(const h3ou__world *w, int id);
int h3ou__world_component_members(const h3ou__world *w, int id);
int h3ou__world_members(const h3ou__world *w, const char *base); /* of the component with this name; 0: there is none */
bool h3ou__world_is_ensemble(const h3ou__world *w); /* some component has several members */
int h3ou__world_member(const h3ou__world *w, const char *base, int member); /* its id, or -1 */
int h3ou__world_me(const h3ou__world *w);                      /* my component's id */
int h3ou__world_jobs(const h3ou__world *w);
/* Returns the seconds of a clock that stops while this process waits for messages; only differences have a meaning. A
 * wait lasts at most H3OU_PATIENCE seconds (environment, default 3600); the error then names who was awaited, and for
 * what. */
double h3ou__world_worked(const h3ou__world *w);
/* Lets a thread move messages between jobs while the model computes, if the configuration says so, unless WAITIO_PROGRESS says how
 * to wait; where: "FILE: ", for the error. Logs once what is done. The thread calls no MPI. H3OU__EOS: no thread can be made. */
int h3ou__world_progress(const h3ou__world *w, bool by_thread, const char *where);
/* By what the messages of rings (message_ring.h) go between processes of one job that share no memory. */
enum h3ou__job_route { H3OU__JOB_UNSAID, H3OU__JOB_MPI, H3OU__JOB_WAITIO, H3OU__JOB_MEASURED, H3OU__JOB_ROUTES };
/* Sets *route to what H3OU_JOB_ROUTE says, if it says something. H3OU__EENV for another word. */
int h3ou__job_route_read(int *route);
/* To be called before jobs are joined. *joins_alone: a run of one job is to join WaitIO for messages inside it, since H3OU_JOB_ROUTE may
 * need it, and WAITIO_DEVICE or WAITIO_ADDRESS says where the processes listen. */
int h3ou__job_route_begin(bool *joins_alone);
/* Chooses the route of this process's job from now on, before rings are opened: wanted, of H3OU__JOB_MEASURED the one by which messages
 * between its first two hosts take less time, of H3OU__JOB_UNSAID the MPI. Where WaitIO was not joined it is the MPI. Logs it, unless it
 * is unsaid. Collective over the job. */
int h3ou__job_route_choose(h3ou__world *w, int wanted);
bool h3ou__job_route_is_waitio(void);
/* Returns where it is recorded what this process of my component does, or NULL. */
h3ou__timeline *h3ou__world_timeline(const h3ou__world *w);
/* Whether there is a run's folder that shows what this process does (run_state.h). */
/* Notes the beginning of the current step, num / den seconds since the run's start, for what is told of a long wait. */
void h3ou__world_set_time(h3ou__world *w, int64_t num, int64_t den);
bool h3ou__world_is_shown(const h3ou__world *w);
/* Shows there that a step of my component begins. */
void h3ou__world_show_step(h3ou__world *w, int64_t start, const char *calendar, double time, double step);

/* Shows there that the model asks whether to stop (h3ou__run_stop), and when it will, in seconds since the run's start. */
void h3ou__world_show_stop(h3ou__world *w, int stop, double time);
/* Sets a function that is called again and again while a wait for other processes lasts. It must not wait. */
void h3ou__world_when_waiting(h3ou__world *w, void (*meanwhile)(void *user), void *user);
/* Waits until is_over(user) returns true; progresses messages meanwhile. endless: not only until patience ends. */
int h3ou__world_await(h3ou__world *w, bool (*is_over)(void *user), void *user, const char *what, const char *who, bool endless);

/* Return communicators, which the world owns and frees; none of these calls communicates. Leader is NULL on a process
 * that is no leader. Model is made at its first use, and is NULL (H3OU__EARG) on a process of neither a nor b; Model(a,
 * b) and Model(b, a) are different ones. */
h3ou__comm *h3ou__world_global(h3ou__world *w);
int h3ou__world_couple(h3ou__world *w, h3ou__comm **out); /* Global where there are no members */
int h3ou__comm_of_component(const h3ou__comm *c, int id); /* Global and Couple: the rank of its rank 0; -1: no part of it */
h3ou__comm *h3ou__world_leader(h3ou__world *w);
h3ou__comm *h3ou__world_local(h3ou__world *w);
int h3ou__world_model(h3ou__world *w, int a, int b, h3ou__comm **out);

int h3ou__comm_rank(const h3ou__comm *c);
int h3ou__comm_size(const h3ou__comm *c);
h3ou__world *h3ou__comm_world(const h3ou__comm *c); /* to which it belongs */
int h3ou__comm_to_global(const h3ou__comm *c, int rank); /* the rank of the same process in Global */
int h3ou__comm_to_fortran(const h3ou__comm *c, int *comm, int *group); /* Local only */

/* Says which components may be lost (may[id]): the end of a job whose components all may, by whatever cause, does not end the
 * run. To be called alike by every process; without a message. */
int h3ou__world_allow_losses(h3ou__world *w, const bool may[]);
bool h3ou__world_may_lose(const h3ou__world *w, int id); /* whether the end of its job does not end the run */
bool h3ou__world_is_lost(const h3ou__world *w, int id);  /* whether its job has ended so; cheap */
/* Returns a communicator with the ranks of Global, for messages only. A request with a process of a job that may be lost,
 * and is, completes without an error: h3ou__req_is_lost. */
h3ou__comm *h3ou__world_lossy(h3ou__world *w);

/* A message on its way. The structure may be copied and moved meanwhile. */
typedef struct h3ou__req {
    int64_t opaque[20];
} h3ou__req;

/* Non-blocking point-to-point messages on any communicator, in order per (sender, tag, communicator). 0 <= tag < 2^20.
 * Buffers are borrowed until the request is complete. A message to oneself works. what: a short static or longer-lived
 * phrase for error messages ("field t of atmos at 7200 s"), borrowed, may be NULL.
 * A receive from another component of this process that nothing was sent to fails with H3OU__ESTATE when it is waited for. */
int h3ou__isend(h3ou__comm *c, int dst, int tag, const void *buf, int64_t count, int type, const char *what,
                h3ou__req *req);
int h3ou__irecv(h3ou__comm *c, int src, int tag, void *buf, int64_t count, int type, const char *what, h3ou__req *req);
/* Starts to receive, when the model has chosen the length. Inside a job the message is probed before the receive is
 * posted, since not every MPI says how long a message was that did not fit. Several such receives that may get the same
 * message are completed by one call of h3ou__waitall or h3ou__testall, to which they are given in their order. */
int h3ou__irecv_probed(h3ou__comm *c, int src, int tag, void *buf, int64_t count, int type, const char *what,
                       h3ou__req *req);
/* The same, and waits. *req is as after h3ou__waitall. */
int h3ou__recv(h3ou__comm *c, int src, int tag, void *buf, int64_t count, int type, const char *what, h3ou__req *req);
/* Completes all n requests; progresses MPI and WaitIO together, spins briefly, then sleeps. Returns the first error. A
 * receive whose message is shorter than its buffer succeeds (see h3ou__req_count); longer: H3OU__ETRUNC. */
int h3ou__waitall(h3ou__world *w, int n, h3ou__req req[]);
int h3ou__test(h3ou__world *w, h3ou__req *req, bool *done); /* progress once, never blocks */
int h3ou__testall(h3ou__world *w, int n, h3ou__req req[], bool *done);
/* Passes pending messages and acknowledgements for other jobs to the system now; called before the model computes. */
void h3ou__send_off(const h3ou__world *w);
int64_t h3ou__req_count(const h3ou__req *req, int type); /* of a completed receive: elements that arrived */
/* Returns whether a completed request of h3ou__world_lossy has failed because its peer is lost. */
bool h3ou__req_is_lost(const h3ou__req *req);

#endif
