/* SPDX-License-Identifier: BSD-3-Clause */
/* Identifying the program that this process runs. */
#ifndef H3OU_OS_PROGRAM_H
#define H3OU_OS_PROGRAM_H

enum { H3OU__PROGRAM = 64 };

#pragma GCC visibility push(default)
/* Writes the name of the program's file without folders, a NUL, and the size of the file: copies of one program on
 * several hosts give the same, two programs of one name usually do not. For a Python program it is the script's file.
 * All zeros where the system does not say. */
void h3ou__program(char program[H3OU__PROGRAM]);
#pragma GCC visibility pop

#endif
