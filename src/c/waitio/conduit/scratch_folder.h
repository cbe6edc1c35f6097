/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders of the file conduit in WAITIO_SCRATCH_DIR, and whose they are:
 *
 *   SCRATCH/waitio-files-UID-INSTANCE/ADDRESS/   the inbox of the process at ADDRESS
 *
 * In an inbox each living process that uses it has a file that only this process writes: `owner` of the process that
 * listens there, LINK.a or LINK.b of the ends of a link. Each begins with a record (record.h). On a file system of this
 * host its writer holds a lock on it (flock), which the kernel releases when the process ends, so that processes in
 * different containers can tell as well whether the other lives.
 */
#ifndef WAITIO_CONDUIT_SCRATCH_FOLDER_H
#define WAITIO_CONDUIT_SCRATCH_FOLDER_H

#include "waitio/conduit/conduit.h"
#include "waitio/conduit/record.h"

enum { WAITIO__PATH = 700, WAITIO__PATH_IN = WAITIO__PATH + 32 };

typedef struct waitio__inbox_folder {
    char path[WAITIO__PATH], run[WAITIO__PATH]; /* run: the folder of all inboxes of this instance */
    bool is_near;                               /* all processes that see it are on this host */
    int owner_fd;
    double next_touch;
} waitio__inbox_folder;

/* Where the process at `a` has its inbox. */
void waitio__scratch_inbox(const waitio__conduit_settings *set, const waitio__address *a, char path[WAITIO__PATH]);
bool waitio__scratch_is_near(const waitio__conduit_settings *set, const char *path);
/* Makes the inbox and its owner file. The process that makes the run's folder removes what killed runs left in the
 * scratch folder. H3OU__EREFUSED: another process has that inbox. H3OU__EFILE. */
int waitio__scratch_enter(const waitio__conduit_settings *set, const waitio__address *a, waitio__inbox_folder *f);
/* To be called now and then: shows processes of other hosts that the owner lives. */
void waitio__scratch_touch(waitio__inbox_folder *f, double now);
/* Removes the owner file: nobody listens there any more. */
void waitio__scratch_resign(waitio__inbox_folder *f);
/* The inbox goes with the last file in it, and the run's folder with the last inbox. */
void waitio__scratch_leave(const char *inbox);
/* 0, or an errno. ENOENT: nobody listens there (any more). *who: all zero when the file cannot be understood. */
int waitio__scratch_owner(const char *inbox, waitio__record *who);

/* Of the boot of this host and of the namespace of processes: a process number means the same only where both are the
 * same. */
uint64_t waitio__scratch_host(void);
/* Fills pid, host and, for an open file on a near file system, is_locked. */
void waitio__scratch_sign(waitio__record *r, int fd, bool is_near);
/* Has the process that wrote this record to the file at `path` ended? False: not, or it is not known. host: of the
 * process that asks. */
bool waitio__scratch_is_dead(const waitio__record *r, uint64_t host, const char *path);

#endif
