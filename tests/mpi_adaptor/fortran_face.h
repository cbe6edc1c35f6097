! SPDX-License-Identifier: BSD-3-Clause
! What differs between the faces of MPI: mpif.h, the module mpi (-DWITH_MODULE) and the module mpi_f08 (-DWITH_F08).
#ifdef WITH_F08
! MPICH 4.0.2's library for mpi_f08 passes wrong places to MPI_Neighbor_alltoallw.
#ifndef BUILT_WITH_mpich
#define HAS_NEIGHBOUR_W
#endif
! Open MPI 4.1.4's returns no name of a window.
#ifndef BUILT_WITH_openmpi
#define HAS_WINDOW_NAME
#endif
#define BINDING use mpi_f08
#define HEADER
#define HANDLE(kind_) type(kind_)
#define STATUS type(MPI_Status)
#define STATUSES(n_) type(MPI_Status), dimension(n_)
#define SOURCE_OF(status_) status_%MPI_SOURCE
#define TAG_OF(status_) status_%MPI_TAG
#define TAG_AT(statuses_, i_) statuses_(i_)%MPI_TAG
#else
#define HAS_NEIGHBOUR_W
#define HAS_WINDOW_NAME
#ifdef WITH_MODULE
#define BINDING use mpi
#define HEADER
#else
#define WITH_HEADER
#define BINDING
#define HEADER include 'mpif.h'
#endif
#define HANDLE(kind_) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n_) integer, dimension(MPI_STATUS_SIZE, n_)
#define SOURCE_OF(status_) status_(MPI_SOURCE)
#define TAG_OF(status_) status_(MPI_TAG)
#define TAG_AT(statuses_, i_) statuses_(MPI_TAG, i_)
#endif
