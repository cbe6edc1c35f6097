/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading what the kernel says of a process in /proc/PID. */
#ifndef H3OU_OS_PROC_H
#define H3OU_OS_PROC_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)
/* Reads the beginning of /proc/PID/FILE, at most size - 1 bytes and a NUL. Returns false, and an empty text, on
 * failure. */
bool h3ou__proc_read(int pid, const char *file, char *text, size_t size);
/* Reads /proc/PID/stat into text, which should have room for the whole line, and returns the part after the command's
 * name, which may hold blanks: it begins with " S", the state. NULL on failure. */
const char *h3ou__proc_state(int pid, char *text, size_t size);
#pragma GCC visibility pop

#endif
