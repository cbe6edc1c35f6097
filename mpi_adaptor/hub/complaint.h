/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written to standard error: functions that the hub or the real MPI lacks, errors that end the process, notes. */
#ifndef H3OU_MPI_ADAPTOR_COMPLAINT_H
#define H3OU_MPI_ADAPTOR_COMPLAINT_H

/* Writes the name of a function once to standard error, unless H3OU_LOG is silent. Returns the ABI's MPI_ERR_UNSUPPORTED_OPERATION. */
int hub_refuse(const char *name);

/* Writes "h3ou: mpi_adaptor: SENTENCE" to standard error and ends the process with code 1. */
void hub_end(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Writes "h3ou: mpi_adaptor: SENTENCE" to standard error, when H3OU_LOG is whisper or loud. */
void hub_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
