/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors in calls on communicators over several jobs. */
#ifndef H3OU_UNIVERSE_WORLD_FAILURE_H
#define H3OU_UNIVERSE_WORLD_FAILURE_H

#include "universe/world/spanning.h"

#pragma GCC visibility push(hidden)
/* Calls the error handler of the communicator (NULL: that of MPI_COMM_WORLD) for an error of the hub: MPI_ERRORS_ARE_FATAL writes the sentence and ends
 * all jobs, MPI_ERRORS_RETURN returns the code, a handler of the program is called. Returns the code. `function` as "MPI_Send". */
int universe_fail(universe_comm *c, int code, const char *function, const char *format, ...) __attribute__((cold, format(printf, 4, 5)));
/* The same for an error of WaitIO, with its sentence. */
int universe_fail_waitio(universe_comm *c, int waitio_code, const char *function);
/* The same for a code that the job's MPI returned without calling a handler; 0 is returned as it is. */
int universe_fail_inner(universe_comm *c, int code, const char *function);
/* The same for a code and its sentence, which is taken; NULL: that of the code. 0 is returned as it is. */
int universe_fail_request(universe_comm *c, int code, char *why, const char *function);
/* Returns the class of MPI of an error of WaitIO. */
int universe_class_of_waitio(int waitio_code);
/* For functions that a communicator over several jobs cannot have: MPI_ERR_UNSUPPORTED_OPERATION. */
int universe_refuse(universe_comm *c, const char *function, const char *why);
/* From now on errors in calls without a communicator go to the handler of the world's MPI_COMM_WORLD. Returns a code of the hub. */
int universe_catch_stray(void);
/* Between true and false this thread's errors in such calls are only returned: for questions that may have no answer. */
void universe_stray_ignore(bool is_ignored);
/* Keeps errors that the job's MPI raises on c->local for universe_fail_raised(); a call that returns one tells it by universe_fail_inner() as ever. */
void universe_errors_keep(universe_comm *c);
/* Of a communicator that is freed. */
void universe_errors_forget(const universe_comm *c);
/* For a code, not 0, that completing a request of the job's MPI returned, which may be of any communicator: if its error was kept, calls the handler of
 * that communicator; if not, the job's MPI has called a handler. Returns the code. */
int universe_fail_raised(int code, const char *function);
/* Writes the sentence to standard error, tells it to all jobs and ends them. */
void universe_end(int code, const char *format, ...) __attribute__((noreturn, cold, format(printf, 2, 3)));
/* The same for an error of WaitIO, with its sentence. */
void universe_end_waitio(int waitio_code, const char *function) __attribute__((noreturn, cold));
#pragma GCC visibility pop

#endif
