/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel tells of a process, in the files of /proc/PID. */
#ifndef H3OU_OS_PROC_H
#define H3OU_OS_PROC_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)
/* The beginning of /proc/PID/FILE, at most size - 1 bytes and a 0. False, and an empty text: it cannot be read. */
bool h3ou__proc_read(int pid, const char *file, char *text, size_t size);
/* What stands in /proc/PID/stat behind the command's name, which may hold blanks: it begins with " S", the state. NULL:
 * not known. It lies in text, which should have room for the whole line. */
const char *h3ou__proc_state(int pid, char *text, size_t size);
#pragma GCC visibility pop

#endif
