/* SPDX-License-Identifier: BSD-3-Clause */
/* Which program this process runs. */
#ifndef H3OU_OS_PROGRAM_H
#define H3OU_OS_PROGRAM_H

enum { H3OU__PROGRAM = 64 };

#pragma GCC visibility push(default)
/* The name of its file without folders, with its NUL, and behind that the size of the file: copies of one program on
 * several hosts are the same, two programs of one name are usually not. Of a Python program the script. Zeros where the
 * system does not say. */
void h3ou__program(char program[H3OU__PROGRAM]);
#pragma GCC visibility pop

#endif
