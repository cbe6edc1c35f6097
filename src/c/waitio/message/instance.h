/* SPDX-License-Identifier: BSD-3-Clause */
/* The instance that this process has joined: the state that all calls share. There is one in a process, except in
 * tests, whose threads may have one each. */
#ifndef WAITIO_MESSAGE_INSTANCE_H
#define WAITIO_MESSAGE_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "waitio.h"
#include "waitio/identity/endpoints.h"
#include "waitio/identity/greeting.h"
#include "waitio/stream/event_hub.h"
#include "waitio/stream/frame.h"
#include "waitio/stream/int_map.h"
#include "waitio/stream/memory.h"
#include "waitio/stream/settings.h"
#include "waitio/stream/wait_policy.h"

typedef struct waitio__peer waitio__peer;
typedef struct waitio__lane waitio__lane;
typedef struct waitio__king_link waitio__king_link;
typedef struct waitio__request waitio__request;
typedef struct waitio__arrival waitio__arrival;
typedef struct waitio__call_lock waitio__call_lock;
typedef struct waitio__job_loss waitio__job_loss;
typedef struct waitio__instance waitio__instance;

/* The operations by which this room calls the links between Kings and master. king_link.c installs them with the first
 * link, so that this room need not include how jobs join. */
typedef struct waitio__king_ops {
    void (*tick)(waitio__instance *in, double now);
    /* Takes link: a King, greeted by g, connects again by the listening socket for messages. */
    void (*arrived)(waitio__instance *in, const waitio__greeting *g, const waitio__greet *king, waitio__link *link);
    /* The job of a PB is lost: tells those at the other ends of the links, and gives up the link to that job. */
    void (*lost)(waitio__instance *in, int pb);
    void (*free)(waitio__instance *in);
} waitio__king_ops;

/* Requests and connections that wait for something. */
typedef struct waitio__waiting {
    int nrequest;
    waitio__request **request; /* [nrequest], by the index in the request's id */
    waitio__request *spare;
    waitio__lane *dirty;                           /* streams with frames that have not been offered to their link */
    waitio__lane *owing;                           /* streams whose peer waits for an acknowledgement */
    waitio__request *any_source, *any_source_last; /* receives from any source, in order of posting */
    uint64_t serial; /* number of the next receive: of several that match, the one posted first takes the message */
} waitio__waiting;

/* Short messages that are kept for a moment to leave with the next one (lane.h: STREAK). */
typedef struct waitio__coalescing {
    double held_back;  /* when the first message was kept; 0: none is */
    int streak_needed; /* messages that must have followed each other closely before one is kept */
    int good_releases; /* times that kept messages left soon enough, since streak_needed changed */
} waitio__coalescing;

/* Messages that arrived before their receive was posted, of all peers, in order of arrival. */
typedef struct waitio__unexpected {
    waitio__arrival *first, *last;
    uint64_t granted; /* bytes of credit that all peers together may use */
} waitio__unexpected;

/* The processes with which this one has exchanged messages. */
typedef struct waitio__known_peers {
    waitio__int_map by_number; /* by their number over all processes */
    waitio__peer *first;       /* the same as a list */
    int ngone;                 /* how many of them failed or left */
} waitio__known_peers;

/* The identity of this process, and the keys by which it proves it to others. */
typedef struct waitio__identity {
    int rank;  /* in its PB */
    pid_t pid; /* process id of the process that joined: a forked child is not a member */
    waitio__key secret, join_key, lane_key;
    waitio__address address;
    uint64_t salt; /* of its PB, for names on the host: endpoints.h */
    char name[WAITIO__GREET_NAME + 1];
} waitio__identity;

/* The listening sockets, and the links between Kings and master. */
typedef struct waitio__listening {
    waitio__listener messages[WAITIO__ROUTES]; /* one for each conduit by which messages may arrive */
    waitio__listener kings[WAITIO__MASTERS];   /* at the master: one at each address of its host */
    waitio__king_link *king_links;
    const waitio__king_ops *king_ops; /* operations of king_links; NULL: there never was a link */
} waitio__listening;

/* Why the instance failed or will fail. */
typedef struct waitio__failure {
    char text[H3OU__ERROR_TEXT];
    double job_died_at; /* 0, or when another job died: the instance fails after a grace period, in which an ABORT from
                         * another King may still tell the reason */
    char job_died_text[H3OU__ERROR_TEXT];
} waitio__failure;

struct waitio__instance {
    /* The members down to `hub` are what each message touches. They stand side by side, and in this order, since after
     * a sleep their cache lines have to come from memory. */
    waitio__call_lock *call_lock; /* call_lock.h; NULL: calls make progress */
    int failed;                      /* 0, or the code with which every further call fails */
    int me;                          /* number of this process over all processes */
    uint64_t id;                     /* random, made by the master: distinguishes this run from others */
    double patience;
    uint64_t turn;    /* counts the calls that make progress */
    uint64_t episode; /* counts the calls that wait or test */
    waitio__wait_policy wait_policy;
    unsigned passes; /* waits since the last poll of all links */
    int quiet;       /* sends since the last turn */
    int nlanes;      /* connections that are established or being made */
    waitio__waiting waiting;
    double next_tick, now; /* now: as of the last read of the clock */
    waitio__hub hub;
    waitio__greetings greetings;
    waitio_counters_t counters;
    waitio__settings set;
    uint64_t completed; /* requests that are complete */
    waitio__coalescing coalescing;
    waitio__unexpected unexpected;
    waitio__known_peers peers;
    bool is_joined, is_leaving;
    bool is_exiting;     /* without waitio_finalize: BYE is sent, but that of the others is not awaited */
    bool has_news;       /* at the master: another job has joined, and the Kings have not been told */
    bool is_run_by_h3ou; /* h3ou leaves the instance itself: a process that only exits has left its coupled run early */
    double tick; /* s, between the last tick and the next */
    waitio__memory memory;
    waitio__endpoints table;
    waitio__identity self;
    waitio__listening listening;
    waitio__failure failure;
    char **job_name; /* [npb] what the processes of a PB are ("component ocean"), if the program has told; else NULL */
    waitio__job_loss *loss; /* [npb] job_loss.h; NULL: no job may be lost */
    int nlost;              /* jobs that are lost */
    bool has_loss_news;     /* some end of a job is to be looked at in the next tick */
};
/* nrequest takes the place behind nlanes that alignment would leave empty otherwise. */
_Static_assert(offsetof(waitio__instance, waiting) == 80 && offsetof(waitio__instance, hub) == 160,
               "what each message touches lies side by side");

/* Both return NULL before joining and after waitio_finalize. _of_process ignores an instance of the calling thread. */
waitio__instance *waitio__instance_of_process(void);
waitio__instance *waitio__instance_current(void);
void waitio__instance_set_current(waitio__instance *in);
/* Sets the instance of the calling thread alone: for tests in which ranks are threads. */
void waitio__instance_set_own(waitio__instance *in);

/* Makes an empty instance. Free it with _free, which sends no goodbye. */
int waitio__instance_new(waitio__instance **out);
void waitio__instance_free(waitio__instance *in);
/* Returns the current instance, locked: pair with _leave (which takes NULL). H3OU__ESTATE, or the code with which the
 * instance failed; *out is NULL then. */
int waitio__instance_enter(waitio__instance **out);
void waitio__instance_leave(waitio__instance *in);
/* Fails the instance: all requests and all later calls fail with the sentence. The first failure stays. */
void waitio__instance_fail(waitio__instance *in, int code, const char *text);
/* Returns the seconds that a wait may last: those of waitio_set_patience, else WAITIO_PATIENCE. */
double waitio__patience(const waitio__instance *in);
/* Writes who a process is, for error sentences: "ocean rank 3 (PB 1 rank 3 at 127.0.0.1:4567)". Returns text. */
enum { WAITIO__WHO = 256 };
char *waitio__who(const waitio__instance *in, int global, char text[WAITIO__WHO]);

/* Sets what the processes of a PB are ("component ocean"), for sentences about the end of their job. Copies name. */
#pragma GCC visibility push(default)
int waitio__instance_name_job(int pb, const char *name);
#pragma GCC visibility pop

#endif
