/* SPDX-License-Identifier: BSD-3-Clause */
/* Included before each file of universe_large, which then calls the forms of MPI-4 whose counts are MPI_Count. */
#ifndef H3OU_TEST_UNIVERSE_LARGE_NUMBERS_H
#define H3OU_TEST_UNIVERSE_LARGE_NUMBERS_H
#include <mpi.h>

enum { PROCESSES = 8, NEIGHBORS = 8 }; /* elements of the arrays of counts of the cases */
#define NEIGHBORS NEIGHBORS
#include "tests/mpi_adaptor/large_count.h"
/* What the universe has no own of. */
#undef MPI_Op_create
#undef MPI_Type_contiguous
#undef MPI_Type_create_darray
#undef MPI_Type_create_hindexed
#undef MPI_Type_create_hindexed_block
#undef MPI_Type_create_hvector
#undef MPI_Type_create_indexed_block
#undef MPI_Type_create_resized
#undef MPI_Type_create_struct
#undef MPI_Type_create_subarray
#undef MPI_Type_indexed
#undef MPI_Type_vector

#endif
