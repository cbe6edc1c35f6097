/* SPDX-License-Identifier: BSD-3-Clause */
/* The context that a program holds: the world it joined, its coupler, and the messages it started beside the exchange.
 */
#ifndef H3OU_API_CONTEXT_H
#define H3OU_API_CONTEXT_H

#include "comm/collective/collective.h"
#include "coupler/coupler.h"
#include "h3ou.h"

/* Where a receive of h3ou_irecv_model puts its message. */
typedef struct h3ou__awaited {
    void *data;
    int64_t n, width;
} h3ou__awaited;

typedef struct h3ou__started { /* requests of isend or irecv calls until their waitall */
    int n;
    int64_t room;
    h3ou__req *req;
} h3ou__started;

struct h3ou_ctx {
    char name[H3OU__NAME + 1]; /* of my component; of a member of an ensemble with its number, once it has joined */
    h3ou__world *world;
    h3ou__coupler *coupler;
    h3ou__started sends, receives;
    int nfunction;
    int64_t function_room;
    h3ou__reduction *function; /* operations of h3ou_op_create; one without a function is free */
    h3ou_ctx *next; /* the other contexts of this process, h3ou__contexts */
    int nawaited;
    int64_t awaited_room;
    h3ou__awaited *awaited; /* [nawaited] receives until h3ou_irecv_waitall, in a run that is recorded or replayed */
    int64_t nbeside; /* in a replay: calls beside the exchange that were made */
    int reached;    /* largest step of h3ou__stop_step */
    bool has_left;  /* h3ou_close was called; the run is left when the last component of this process is closed */
};

void h3ou__context_free(h3ou_ctx *ctx);
/* Of a process that opens several components (several.c): plans the exchanges of all of them when ctx is the last to be planned;
 * returns whether all have reached `step` of stop_step; closes ctx, and leaves the run with the last one. */
int h3ou__several_plan(h3ou_ctx *ctx);
bool h3ou__several_reached(h3ou_ctx *ctx, int step);
int h3ou__several_close(h3ou_ctx *ctx, int finalize);
/* H3OU__EARG for a missing context, a world not joined, or a name that is missing, empty or too long. */
int h3ou__ctx_check(const h3ou_ctx *ctx, const char *call);
/* The same for a call that may wait for other processes: these may wait for fields that this one has put. */
int h3ou__ctx_check_wait(const h3ou_ctx *ctx, const char *call);
int h3ou__name_check(const char *call, const char *argument, const char *name);
/* The place `step` of the beginning of a run was reached (stop_step of the namelist): when the run is to stop there or before,
 * waits for all processes of the run, closes it and ends the process with status 0. `where` says the place in words. */
int h3ou__stop_step(h3ou_ctx *ctx, int step, const char *where);
/* After this call exit(), the return from main and the program's own MPI_Finalize end the run for all by h3ou_abort,
 * until h3ou__watch_end or h3ou_abort is called. Called again when ctx has got its name and its rank. */
void h3ou__watch_begin(h3ou_ctx *ctx);
void h3ou__watch_end(const h3ou_ctx *ctx);
void h3ou__watch_stop(void);    /* for all contexts, because the process ends */
h3ou_ctx *h3ou__watched(void);  /* an open context, or NULL */
h3ou_ctx *h3ou__contexts(void); /* all contexts, those that have left too; by ->next */
/* The same for an open context with the name of its component, or NULL. */
h3ou_ctx *h3ou__context_find(const char *component);
/* Returns the component of the context that was opened last, or "(unnamed)", and sets its rank. */
const char *h3ou__watched_name(int *rank);
/* Returns this process's rank by the launcher's environment variables, before MPI is initialised. */
int h3ou__launched_rank(void);
/* Ends this process where an MPI call does not return: prints the sentence and calls _exit. For h3ou__world_when_stuck.
 */
void h3ou__end_stuck(const char *sentence);
/* Makes the log go to standard error. Events of level WHISPER are written by rank 0 of a component only, unless the
 * level is LOUD. */
void h3ou__log_install(h3ou_ctx *ctx, int level);
/* The same before all processes have the namelist: a process that logs something reads the level from the file then. */
void h3ou__log_install_early(h3ou_ctx *ctx, const char *config);
void h3ou__log_remove(void);
/* Makes the lines that follow those of this context. */
void h3ou__log_select(const h3ou_ctx *ctx);

#endif
