/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the command h3ou that are written in Python: programs at one place relative to it (libexec/h3ou). */
#ifndef H3OU_TOOL_PYTHON_PROGRAM_H
#define H3OU_TOOL_PYTHON_PROGRAM_H

enum { PYTHON_PATH_ROOM = 4096 };

/* Finds a program's file, in the build's and in the installed tree. */
int python_program_find(const char *program, char file[PYTHON_PATH_ROOM]);
/* Replaces this process by "python3 PROGRAM WORD...". words: NULL-terminated. Returns only on an error. */
int python_program_become(const char *program, const char *const words[]);

#endif
