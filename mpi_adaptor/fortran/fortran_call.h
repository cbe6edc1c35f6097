/* SPDX-License-Identifier: BSD-3-Clause */
/* What gfortran passes, and what C takes: common blocks whose addresses stand for constants, texts, counts of handles. */
#ifndef H3OU_MPI_ADAPTOR_FORTRAN_CALL_H
#define H3OU_MPI_ADAPTOR_FORTRAN_CALL_H
#include <mpi.h>
#include <mpi-ext.h>
#include <stddef.h>
#include <stdlib.h>

/* The names of a binding: as gfortran calls it, as other compilers do, and as the library of mpi_f08 does. The functions are pmpi_<low>_, of extensions
 * pmpix_<low>_. */
#define H3OU_ALIAS(alias, of) __asm__(".weak " #alias "\n.set " #alias ", " #of "\n");
#define H3OU_NAMES_OF(mpi, MPI, low, high, c)                                                                                      \
    H3OU_ALIAS(mpi##_##low##_, p##mpi##_##low##_)                                                                                  \
    H3OU_ALIAS(mpi##_##low, p##mpi##_##low##_)                                                                                     \
    H3OU_ALIAS(mpi##_##low##__, p##mpi##_##low##_)                                                                                 \
    H3OU_ALIAS(MPI##_##high, p##mpi##_##low##_)                                                                                    \
    H3OU_ALIAS(p##mpi##_##low, p##mpi##_##low##_)                                                                                  \
    H3OU_ALIAS(p##mpi##_##low##__, p##mpi##_##low##_)                                                                              \
    H3OU_ALIAS(P##MPI##_##high, p##mpi##_##low##_)                                                                                 \
    H3OU_ALIAS(o##mpi##_##low##_f, p##mpi##_##low##_)                                                                              \
    H3OU_ALIAS(MPI##_##c##_f, p##mpi##_##low##_)                                                                                   \
    H3OU_ALIAS(P##MPI##_##c##_f, p##mpi##_##low##_)
#define H3OU_NAMES(low, high, c) H3OU_NAMES_OF(mpi, MPI, low, high, c)

/* All bindings are seen by programs. */
#pragma GCC visibility push(default)

/* Common blocks. Where the program has one its address is that of the program, because the dynamic loader binds both to it. */
extern int mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_unweighted_, mpi_fortran_weights_empty_, mpi_fortran_errcodes_ignore_;
extern int mpi_fortran_status_ignore_[], mpi_fortran_statuses_ignore_[];
extern char mpi_fortran_argv_null_, mpi_fortran_argvs_null_;

static inline void *buffer_of(void *given)
{
    return given == &mpi_fortran_bottom_ ? MPI_BOTTOM : given == &mpi_fortran_in_place_ ? MPI_IN_PLACE : given;
}

static inline int is_in_place(const void *given)
{
    return given == &mpi_fortran_in_place_;
}

/* A status of Fortran has the members of that of C, one behind the other. */
static inline MPI_Status *status_of(void *given)
{
    return given == mpi_fortran_status_ignore_ ? MPI_STATUS_IGNORE : given;
}

static inline MPI_Status *statuses_of(void *given)
{
    return given == mpi_fortran_statuses_ignore_ ? MPI_STATUSES_IGNORE : given;
}

static inline int *weights_of(MPI_Fint *given)
{
    return given == &mpi_fortran_unweighted_ ? MPI_UNWEIGHTED : given == &mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : given;
}

static inline int *errcodes_of(MPI_Fint *given)
{
    return given == &mpi_fortran_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : given;
}

/* Room for n handles, at least one; the caller frees it. NULL: no memory. */
static inline void *handles(int n, size_t size)
{
    return calloc(n > 0 ? (size_t)n : 1, size);
}

/* The error of a call; modules let it be left out. */
static inline void finish(MPI_Fint *ierr, int err)
{
    if (ierr)
        *ierr = err;
}

/* A text without the blanks around it; the caller frees it. NULL: no memory. */
char *text_to_c(const char *text, int length);
/* Fills the rest with blanks. */
void text_to_fortran(const char *text, char *to, int length);
/* Processes that a communicator sends to in an exchange of all; neighbours in a topology, of which it receives or to which it sends. */
int peers(MPI_Fint comm);
int neighbours(MPI_Fint comm, int is_receiving);
int is_in_status(int err);

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
