/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of calls in sentences. Inside the library a sentence names a call by its name in the C or in the Fortran
 * interface; before a program reads it, the name becomes that of the interface which the program uses. */
#ifndef H3OU_API_CALL_NAMES_H
#define H3OU_API_CALL_NAMES_H

#include <stddef.h>

/* Copies a sentence, at most size - 1 characters of it, and replaces the names of calls. Returns out. */
char *h3ou__call_names(const char *sentence, char *out, size_t size);

#endif
