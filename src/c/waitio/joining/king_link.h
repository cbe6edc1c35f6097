/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The links between the Kings (rank 0 of each PB) and the master (King of PB 0). They carry the bootstrap, stay for the
 * whole run, and tell that a job has died or has ended the run. Each is encrypted (encrypted_link.h) with keys that its
 * greeting made, whatever WAITIO_ENCRYPT says: a process that could read them would know where every process listens,
 * and one that could write into them would end the run.
 */
#ifndef WAITIO_JOINING_KING_LINK_H
#define WAITIO_JOINING_KING_LINK_H

#include "waitio/message/instance.h"
#include "waitio/stream/channel.h"

enum waitio__king_link_state {
    WAITIO__UNKNOWN, /* has greeted, but not said JOIN (at the master) or WELCOME (at a King) */
    WAITIO__JOINED,
    WAITIO__RECORDED, /* at the master: its PB's addresses are here; at a King: the table is */
    WAITIO__REJECTED  /* has been told that it cannot join */
};

struct waitio__king_link {
    waitio__channel channel;
    waitio__instance *in;
    waitio__king_link *next;
    bool is_kings; /* this process is the master, and the link leads to a King; else it leads to the master */
    enum waitio__king_link_state state;
    bool is_dead, said_bye, heard_bye, is_told;
    bool is_lost; /* broken; being made again (king_reconnect.h) */
    bool by_ear;  /* at a King: this attempt goes to the master's socket for messages, else to that for Kings */
    double lost, next_attempt, pause;
    waitio__greeting *greeting; /* at a King: the greeting with the master that is under way */
    uint32_t attempts;          /* to join again; at a King: how many it made; at the master: the last it accepted */
    /* At the master: the connection by which it finds out whether the King's process lives. */
    struct {
        waitio__source source;
        waitio__link link;
        waitio__king_link *k;
        bool is_open;
    } probe;
    int pb; /* the PB at the other end; -1: not known yet */
    double since;
    unsigned char *bytes; /* [nbytes] the last payload: addresses, the table, a sentence, or a list of missing PBs */
    uint64_t nbytes;
    char *loss; /* the sentence of the last LOST; apart from bytes, which may still be needed */
    uint64_t instance; /* id of the instance, which came with the table */
    int code;          /* why is_dead is set; `cause` is the sentence */
    char cause[256];
};

/* Makes a King link of `link`, which it takes, after the greeting g. */
int waitio__king_link_new(waitio__instance *in, const waitio__greeting *g, waitio__link *link, bool is_kings,
                          waitio__king_link **out);
/* Closes and frees the link; must not be called within a turn of the hub. */
void waitio__king_link_drop(waitio__king_link *k);
/* Sends a frame with a payload, which is copied. When there is no memory for it, the link is closed and is_dead set. */
void waitio__king_link_send(waitio__king_link *k, int kind, int64_t tag, const void *payload, uint64_t n);
/* Sends a frame without a payload. After H3OU__ENOMEM the link is as before. */
int waitio__king_link_put(waitio__king_link *k, int kind);
/* Sends a frame with a payload that is borrowed until the channel is empty or the link is dropped. */
int waitio__king_link_lend(waitio__king_link *k, int kind, const void *payload, uint64_t n);
/* Sends ABORT or LOST, by which this job ends, to every King (from the master) or to the master (from a King); `but` is
 * left out. */
void waitio__king_links_tell(waitio__instance *in, int kind, int64_t tag, const char *text,
                             const waitio__king_link *but);
/* Tells the other end which jobs were lost. */
void waitio__king_link_tell_losses(waitio__king_link *k);
/* At the master: fills text with the PBs that have not joined ("PB 2, PB 5"). Returns how many. */
int waitio__king_links_missing(const waitio__instance *in, char *text, size_t size);
/* Called when the job at the other end has died: the run fails a little later, or the job is lost, unless another link
 * tells the reason. */
void waitio__king_link_job_died(waitio__king_link *k, const char *cause);
/* Replaces a broken connection by `link`, which it takes, after the greeting g. The stream of frames begins anew. */
int waitio__king_link_renew(waitio__king_link *k, const waitio__greeting *g, waitio__link *link);
/* Callback of the master's sockets for Kings: takes ownership of an accepted link. */
void waitio__king_link_accept(void *instance, waitio__link *link);

#endif
