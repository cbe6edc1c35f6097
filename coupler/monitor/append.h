/* SPDX-License-Identifier: BSD-3-Clause */
/* Appending to files of a run's folder. A full disk and the limit of a file's size (RLIMIT_FSIZE) are errors that are returned: the
 * signal that the system sends for the latter, which would end the model, is taken. */
#ifndef H3OU_COUPLER_MONITOR_APPEND_H
#define H3OU_COUPLER_MONITOR_APPEND_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the folder of the run: H3OU_RUN_DIRECTORY, or "." with *is_run false when it is not set. is_run may be NULL. */
const char *h3ou__run_folder(bool *is_run);
/* Opens folder/part/name, where `part` (one folder, or two) is made if it is not there; empties the file. path: [4096] gets its name.
 * Returns a descriptor, or -1 with errno. */
int h3ou__append_open(const char *folder, const char *part, const char *name, char path[4096]);
/* While a library writes files that knows nothing of that signal: blocks it, and takes what came. */
void h3ou__size_signal_block(sigset_t *before);
void h3ou__size_signal_restore(const sigset_t *before);
/* Appends n bytes at *length, which grows by them. Returns 0, or errno, and cuts off what was written of them in part. */
int h3ou__append(int fd, const void *bytes, size_t n, int64_t *length);

#endif
