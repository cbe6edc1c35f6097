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
    bool by_ear;  /* of a King: connects to the master's socket for messages this time; else to that for Kings */
    double lost, next_attempt, pause;
    waitio__greeting *greeting; /* of a King, to the master */
    uint32_t attempts;          /* of a King: made to rejoin; at the master: number of the last that was taken */
    struct {                    /* of the master: is the King's process still there? */
        waitio__source source;
        waitio__link link;
        waitio__king_link *k;
        bool is_open;
    } probe;
    int pb; /* where it leads; -1: not known */
    double since;
    unsigned char *bytes; /* that arrived last: addresses, table, a sentence, who is missing */
    uint64_t nbytes;
    uint64_t instance; /* of a table */
    int code;          /* why it is dead */
    char cause[256];
};

/* Takes link, over which g was the greeting. */
int waitio__king_link_new(waitio__instance *in, const waitio__greeting *g, waitio__link *link, bool is_kings,
                          waitio__king_link **out);
/* Closes and frees; not to be called within the hub's turn. */
void waitio__king_link_drop(waitio__king_link *k);
/* Without memory for it the link is closed, and dead. */
void waitio__king_link_send(waitio__king_link *k, int kind, int64_t tag, const void *payload, uint64_t n);
/* The same without a payload. H3OU__ENOMEM: nothing has happened. */
int waitio__king_link_put(waitio__king_link *k, int kind);
/* As put, with a payload that is borrowed until the channel is empty or the link dropped. */
int waitio__king_link_lend(waitio__king_link *k, int kind, const void *payload, uint64_t n);
/* Sends ABORT to every King (from the master) or to the master (from a King); `but` is left out. */
void waitio__king_links_abort(waitio__instance *in, int code, const char *text, const waitio__king_link *but);
/* At the master: fills text with the PBs that have not joined ("PB 2, PB 5"). Returns how many. */
int waitio__king_links_missing(const waitio__instance *in, char *text, size_t size);
/* The job at the other end died: the run fails a little later, unless an ABORT on another link says why. */
void waitio__king_link_job_died(waitio__king_link *k, const char *cause);
/* Goes on over a new link, with a stream that begins anew. Takes link, over which g was the greeting. */
int waitio__king_link_renew(waitio__king_link *k, const waitio__greeting *g, waitio__link *link);
/* Callback of the master's sockets for Kings: takes ownership of an accepted link. */
void waitio__king_link_accept(void *instance, waitio__link *link);

#endif
