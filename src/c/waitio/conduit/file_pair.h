/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One link of the file conduit, seen from one of its ends (a pair of halves): its records, its files, and what happens
 * to them. conduit_file.c describes the files.
 */
#ifndef WAITIO_CONDUIT_FILE_PAIR_H
#define WAITIO_CONDUIT_FILE_PAIR_H

#include "waitio/conduit/scratch_folder.h"

/* s: the first and the longest pause between two looks; the pause after a full disk, before the next attempt; how often
 * the life of the other process is checked */
static const double shortest_pause = 50e-6, longest_pause = 5e-3, full_pause = 2e-3, alive_every = 1.0;

typedef struct waitio__file_half { /* what one end writes */
    char letter;
    int record_fd;
    unsigned char *map; /* of a near one: record, and whether this end sleeps */
    int data_fd;
    uint64_t start; /* place in the stream of the first byte of data_fd */
    waitio__record last;
} waitio__file_half;

/* Which kind of link this is: the first member of its state. */
enum waitio__file_kind { WAITIO__FILE_INBOX, WAITIO__FILE_PAIR };

typedef struct waitio__file_pair {
    enum waitio__file_kind kind;
    char path[WAITIO__PATH];            /* INBOX/LINK */
    bool is_near, is_opener, is_wanted; /* is_wanted: the inbox is not there yet */
    bool is_met;                        /* the other end's own record was read, not only that of the inbox's owner */
    bool is_watching;                   /* inotify tells of the other end's record */
    waitio__file_half mine, theirs;
    uint64_t oldest;       /* start of the first file of mine that is not removed */
    uint64_t written_then; /* a second ago, or longer */
    double pause, next_look, next_alive;
    double next_read, next_write; /* 0, or: what was tried failed, and is not tried before */
    bool is_dead;
    char trouble[256];
    waitio__conduit_settings set;
    waitio__address to;
} waitio__file_pair;

/* Makes the state of link; its files are made by _begin or _request. NULL, with the sentence: no memory. */
waitio__file_pair *waitio__file_pair_new(const waitio__conduit_settings *set, waitio__link *link, bool is_opener);
/* Makes this process's record, so that the other can find it. */
int waitio__file_pair_begin(waitio__file_pair *p);
/* The same, and asks the owner of the inbox to accept the link. */
int waitio__file_pair_request(waitio__link *link);
void waitio__file_record_path(const waitio__file_pair *p, const waitio__file_half *h, char path[WAITIO__PATH_IN]);
/* Tells the other process how much this one has written and read. */
int waitio__file_pair_publish(waitio__file_pair *p);
/* Reads the other process's record; a torn one leaves the last whole one in place. False: it is not there. */
bool waitio__file_pair_look(waitio__file_pair *p);
/* Appends what fits. WAITIO__AGAIN: nothing did. */
int waitio__file_pair_append(waitio__file_pair *p, const struct iovec *iov, int n, size_t *moved);
/* Reads what is there, which is published already. WAITIO__AGAIN: the file system does not show it yet. */
int waitio__file_pair_read(waitio__file_pair *p, const struct iovec *iov, int n, size_t *moved);
/* Removes the files of this process that have been read whole. */
void waitio__file_pair_remove_read(waitio__file_pair *p);
/* Returns how long to pause before the next attempt; the pause after that is longer. */
double waitio__file_pair_next_pause(waitio__file_pair *p);
/* As `ready` of a conduit. */
bool waitio__file_pair_ready(waitio__file_pair *p, bool write);
/* The end of a process is seen here only on the same host; elsewhere its King's connection tells it. */
bool waitio__file_pair_is_dead(waitio__file_pair *p);
void waitio__file_pair_close(waitio__file_pair *p);
/* True for an errno after which an attempt may succeed later. */
bool waitio__file_is_full(int code);

#endif
