/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of text that all processes of a component are given. */
#ifndef H3OU_COUPLER_CONFIG_SHARED_FILE_H
#define H3OU_COUPLER_CONFIG_SHARED_FILE_H

#include "comm/comm.h"

/* Reads a file; *text, of *size bytes, is freed by the caller. what: "configuration file", for errors. */
int h3ou__file_read(const char *what, const char *file, char **text, int64_t *size);
/* Rank 0 of the component reads the file for all of its processes; when it fails, all return its error and sentence.
 * Collective over the component. */
int h3ou__shared_file_read(h3ou__world *world, const char *what, const char *file, char **text, int64_t *size);

#endif
