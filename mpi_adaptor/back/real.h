/* SPDX-License-Identifier: BSD-3-Clause */
/* The real MPI's library, opened where its symbols do not meet the front's. */
#ifndef H3OU_MPI_ADAPTOR_REAL_H
#define H3OU_MPI_ADAPTOR_REAL_H
#include <stdbool.h>

#include <stdint.h>

/* The address of a symbol of the real MPI, NULL if it has none of this name. */
void *real_symbol(const char *name);

/* A function that the real MPI's header has and its library lacks: writes its name once. Returns the own MPI's MPI_ERR_UNSUPPORTED_OPERATION. */
int real_missing(const char *name);

/* Sentinels that are variables of MPICH. */
extern int *own_unweighted __attribute__((visibility("hidden")));
extern int *own_weights_empty __attribute__((visibility("hidden")));

/* Fills back_shortcut when the functions were found. */
void shortcut_fill(void);

/* What one MPI does besides, after the library was opened. is_beside: it is the one that the program was linked with. */
void real_prepare(bool is_beside);

/* The same for a variable, which the program may have a copy of that the real MPI uses, if that stands beside the front. */
void *real_object(const char *name);

#define HANDLE_ADDRESS(symbol) ((intptr_t)real_object(#symbol))
#define HANDLE_VARIABLE(symbol) (real_object(#symbol) ? *(intptr_t *)real_object(#symbol) : 0)

#endif
