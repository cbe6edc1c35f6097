/* SPDX-License-Identifier: BSD-3-Clause */
/* The real MPI's library, opened where its symbols do not meet the front's. */
#ifndef H3OU_MPI_ADAPTOR_REAL_H
#define H3OU_MPI_ADAPTOR_REAL_H

#include <stdint.h>

/* The address of a symbol of the real MPI, NULL if it has none of this name. */
void *real_symbol(const char *name);

/* A function that the real MPI's header has and its library lacks: writes its name once. Returns the own MPI's MPI_ERR_UNSUPPORTED_OPERATION. */
int real_missing(const char *name);

/* Sentinels that are variables of MPICH. */
extern int *own_unweighted __attribute__((visibility("hidden")));
extern int *own_weights_empty __attribute__((visibility("hidden")));

/* What one MPI does besides, after the library was opened. */
void real_prepare(void);

#define HANDLE_ADDRESS(symbol) ((intptr_t)real_symbol(#symbol))
#define HANDLE_VARIABLE(symbol) (real_symbol(#symbol) ? *(intptr_t *)real_symbol(#symbol) : 0)

#endif
