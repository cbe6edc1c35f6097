/* SPDX-License-Identifier: BSD-3-Clause */
/* The instance that this process has joined: all that is shared by the calls. One a process, except for tests, whose
 * threads may have one each. */
#ifndef WAITIO_MESSAGE_INSTANCE_H
#define WAITIO_MESSAGE_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "waitio.h"
#include "waitio/message/wait_policy.h"
#include "waitio/stream/endpoints.h"
#include "waitio/stream/event_hub.h"
#include "waitio/stream/frame.h"
#include "waitio/stream/greeting.h"
#include "waitio/stream/int_map.h"
#include "waitio/stream/memory.h"
#include "waitio/stream/settings.h"

typedef struct waitio__peer waitio__peer;
typedef struct waitio__lane waitio__lane;
typedef struct waitio__king_link waitio__king_link;
typedef struct waitio__request waitio__request;
typedef struct waitio__arrival waitio__arrival;
typedef struct waitio__progress_thread waitio__progress_thread;
typedef struct waitio__instance waitio__instance;

/* What the links between Kings and master do when the event loop turns. Installed with the first of them (king_link.c), so that
 * messages can move without knowing how jobs join. */
typedef struct waitio__king_ops {
    void (*tick)(waitio__instance *in, double now);
    /* Takes link: a King, greeted by g, calls again at the listening socket for messages. */
    void (*arrived)(waitio__instance *in, const waitio__greeting *g, const waitio__greet *king, waitio__link *link);
    void (*free)(waitio__instance *in);
} waitio__king_ops;

struct waitio__instance {
    /* What each message touches, side by side: after a sleep these lines have to come from afar. */
    waitio__progress_thread *thread; /* WAITIO_PROGRESS=thread */
    int failed;             /* 0, or the code with which every further call fails */
    int me;                 /* my number over all processes */
    uint64_t id;            /* random, made by the master: what is not of this run does not know it */
    double patience;
    uint64_t turn;         /* counts the calls that make progress */
    uint64_t episode;      /* counts the calls that wait for something or look */
    waitio__wait_policy wait_policy;
    unsigned passes;       /* waits since the last look at all links */
    int quiet;             /* sends since progress was made */
    int nlanes;            /* connections that stand or are being made */
    int nrequest;
    waitio__request **request; /* by index */
    waitio__request *spare;
    waitio__lane *dirty;               /* have something to send that has not been tried */
    waitio__lane *owing;               /* somebody waits for their acknowledgement */
    waitio__request *any_source, *any_source_last; /* receives from any source, in order */
    uint64_t serial;                   /* of the next receive: who was posted first is served first */
    double next_tick, now;             /* now: as of the last look at the clock */
    waitio__hub hub;
    waitio__greetings greetings;
    waitio_counters_t counters;
    waitio__settings set;
    double held_back;  /* when the first message was kept to leave with those that follow; 0: none is */
    int streak_needed; /* messages that must have followed each other closely before one is kept */
    int good_releases; /* since that number changed */
    waitio__arrival *arrival, *arrival_last; /* messages that nobody has asked for, of all peers, in order */
    uint64_t granted;                        /* bytes of credit that all peers together may use */
    waitio__int_map peers;                   /* by number: those I had to do with */
    waitio__peer *peer;                      /* the same as a list */
    int ngone;                               /* of them, that failed or left */
    int rank;                                /* in my PB */
    bool is_joined, is_leaving;
    bool is_exiting;     /* without waitio_finalize: says goodbye, but does not wait for that of the others */
    bool is_run_by_h3ou; /* which says goodbye itself; a process that only exits has left its coupled run early */
    pid_t pid;           /* of the process that joined: a child that it forks is not a member */
    bool has_news;       /* of the master: another job has joined, and the Kings have not heard */
    waitio__memory memory;
    waitio__endpoints table;
    waitio__key secret, join_key, lane_key;
    waitio__listener ear[WAITIO__ROUTES];   /* for messages, one for each conduit that others may come by */
    waitio__address address;                /* mine */
    uint64_t salt;                          /* of my PB: endpoints.h */
    waitio__listener gate[WAITIO__MASTERS]; /* of the master: for Kings, one at each address of its host */
    waitio__king_link *control;             /* links between Kings and master */
    const waitio__king_ops *king_ops;       /* of those links; NULL: there never was one */
    char name[WAITIO__GREET_NAME + 1];
    char failure[H3OU__ERROR_TEXT];
    char **job_name; /* of each PB what its processes are, as the program said; NULL: not said */
    double doom; /* a job died at this time: the instance fails a little later, unless somebody says why */
    char doom_text[H3OU__ERROR_TEXT];
};

/* NULL before join and after finalize. Of the process: not a thread's own. */
waitio__instance *waitio__instance_of_process(void);
waitio__instance *waitio__instance_current(void);
void waitio__instance_set_current(waitio__instance *in);
/* Of this thread alone, for ranks that are threads. */
void waitio__instance_set_own(waitio__instance *in);

/* An instance with nothing in it; free it with _free, which says no goodbye. */
int waitio__instance_new(waitio__instance **out);
void waitio__instance_free(waitio__instance *in);
/* The current instance, if it is in order, and locked: pair with _leave (which takes NULL). H3OU__ESTATE, or its
 * failure; *out is NULL then. */
int waitio__instance_enter(waitio__instance **out);
void waitio__instance_leave(waitio__instance *in);
/* Ends it: all requests fail, and all calls from now on, with the sentence. The first failure stays. */
void waitio__instance_fail(waitio__instance *in, int code, const char *text);
/* What waits may last: waitio_set_patience, else WAITIO_PATIENCE. */
double waitio__patience(const waitio__instance *in);
/* "ocean rank 3 (PB 1 rank 3 at 127.0.0.1:4567)". */
enum { WAITIO__WHO = 256 };
char *waitio__who(const waitio__instance *in, int global, char text[WAITIO__WHO]);

/* What the processes of a PB are ("component ocean"), for sentences about the end of their job. Copied. */
#pragma GCC visibility push(default)
int waitio__instance_name_job(int pb, const char *name);
#pragma GCC visibility pop

#endif
