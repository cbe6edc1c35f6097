/* SPDX-License-Identifier: BSD-3-Clause */
/* The front of the standard ABI, which converts nothing. */
#ifndef H3OU_MPI_ADAPTOR_FRONT_ABI_H
#define H3OU_MPI_ADAPTOR_FRONT_ABI_H

#include "hub_table.h"

extern const struct hub *hub __attribute__((visibility("hidden")));
#pragma GCC visibility push(default)

#endif
