/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jobs that may be lost: the end of such a job, by whatever cause, does not end the run. A process learns of it from
 * the link between its King and the master, from a connection to a process of that job, from that job (a LOST frame in
 * the place of ABORT), or from a process that knows. It then fails its requests with all processes of the job, and
 * tells others, each once:
 *
 *   a King tells the master by its link, and the master tells all Kings;
 *   the processes of a job tell each other by lanes, along a tree whose root is the King;
 *   a process that is no King tells its King, if the King has not told it within a second.
 *
 * When PB 0 is lost, the King of the lowest PB that is not takes the master's place: the other Kings connect to it by
 * lanes, so that it notices when their jobs end, and they notice when its own ends.
 */
#ifndef WAITIO_MESSAGE_JOB_LOSS_H
#define WAITIO_MESSAGE_JOB_LOSS_H

#include "waitio/message/peer.h"

typedef struct waitio__job_loss {
    bool is_allowed, is_lost;
    bool was_told;    /* by a process that tells all others of this one's rank, too */
    double due;       /* when the job is taken as lost; 0: nothing is known about its end */
    double tell_king; /* when this process tells its King; 0: it need not */
    char *why;        /* the sentence */
} waitio__job_loss;

#pragma GCC visibility push(default)
/* Says that the job of a PB may be lost: its end does not end the run, and all requests with its processes fail with
 * H3OU__EPEER from then on, also those that are started later. What had arrived whole can still be received. Every
 * process of every job calls this alike, after joining. Not collective, no message. */
int waitio__job_allow_loss(int pb);
/* Returns whether this process knows that the job of a PB was lost. False for a number that is no PB's. */
bool waitio__job_is_lost(int pb);
#pragma GCC visibility pop

bool waitio__job_loss_is_allowed(const waitio__instance *in, int pb);
bool waitio__job_loss_is_known(const waitio__instance *in, int pb);
/* Returns whether p is a process of a job that was lost. */
bool waitio__job_loss_covers(const waitio__peer *p);
/* Returns the sentence of a job that was lost. */
const char *waitio__job_loss_why(const waitio__instance *in, int pb);
/* Notes that a job has ended: at the first tick after `seconds` it is taken as lost, if that is allowed by then. Until
 * then another note may say better why. was_told: see waitio__job_loss. */
void waitio__job_loss_note(waitio__instance *in, int pb, const char *why, double seconds, bool was_told);
/* The same for a job that ended itself, with the sentence that it gave. */
void waitio__job_loss_ended(waitio__instance *in, int pb, const char *reason);
/* Called when p has ended or cannot be reached any more, as the sentence says. True: that is the end of a job that may
 * be lost, or of the run, so that p fails with it. */
bool waitio__job_loss_found(waitio__peer *p, const char *why);
/* Fails a new peer whose job was lost before. */
void waitio__job_loss_apply(waitio__peer *p);
/* Tells p, to which there is a connection now, all losses. */
void waitio__job_loss_tell_all(waitio__peer *p);
/* Takes jobs as lost whose time has come; called about ten times a second. */
void waitio__job_loss_tick(waitio__instance *in, double now);
void waitio__job_losses_free(waitio__instance *in);
/* Returns the frame by which this process tells that it ends the run, or its own job where that may be lost. */
waitio__frame waitio__job_loss_last_frame(const waitio__instance *in, const char *text);
/* Writes the sentence "the job of PB 2, component ocean, HOW: CAUSE". */
void waitio__job_loss_sentence(const waitio__instance *in, int pb, const char *how, const char *cause,
                               char text[H3OU__ERROR_TEXT]);

#endif
