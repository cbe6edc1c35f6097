/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders of the file conduit in WAITIO_SCRATCH_DIR, and who owns them:
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

/* Writes the path of the inbox of the process at address `a`. */
void waitio__scratch_inbox(const waitio__conduit_settings *set, const waitio__address *a, char path[WAITIO__PATH]);
bool waitio__scratch_is_near(const waitio__conduit_settings *set, const char *path);
/* Makes the inbox and its owner file. The process that makes the run's folder removes what killed runs left in the
 * scratch folder. H3OU__EREFUSED: another process has that inbox. H3OU__EFILE. */
int waitio__scratch_enter(const waitio__conduit_settings *set, const waitio__address *a, waitio__inbox_folder *f);
/* Updates the owner file from time to time, by which processes of other hosts see that the owner lives. */
void waitio__scratch_touch(waitio__inbox_folder *f, double now);
/* Removes the owner file when the process stops listening. */
void waitio__scratch_resign(waitio__inbox_folder *f);
/* Removes the inbox if it is empty, and the run's folder if this was its last inbox. */
void waitio__scratch_leave(const char *inbox);
/* Reads the owner file of an inbox. Returns 0 or an errno; ENOENT: no process listens there (any more). *who is all
 * zero when the file has no valid record. */
int waitio__scratch_owner(const char *inbox, waitio__record *who);

/* Returns a number that identifies the boot of this host and the pid namespace: only where both are the same does a
 * process id mean the same process. */
uint64_t waitio__scratch_host(void);
/* Fills pid, host and, for an open file on a near file system, is_locked. */
void waitio__scratch_sign(waitio__record *r, int fd, bool is_near);
/* Returns whether the process that wrote this record to the file at `path` is known to have ended. host: the number of
 * the calling process (waitio__scratch_host). */
bool waitio__scratch_is_dead(const waitio__record *r, uint64_t host, const char *path);

#endif
