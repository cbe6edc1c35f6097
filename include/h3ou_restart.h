/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs that end early, and go on. A part of h3ou.h, which includes it; what is said there of all calls holds here, too.
 */
#ifndef H3OU_RESTART_H
#define H3OU_RESTART_H

#include "h3ou.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes all that my component needs to go on at the end of its step: values that were put, sums of intervals, exchanges on
 * their way. A run that reads it, with the same namelist and any numbers of processes, gets the same bits as one that was never
 * stopped. The file is written beside its name and takes it when it is complete; the former one is then FILE.former.
 *   ctx: the context
 *   file: of my component alone; rank 0 writes it
 * Collective: all processes of my component, at the end of a step, after its puts and gets; all components at the same model time.
 *   It waits for the sender of a field with lag=0 or below -1, until that one writes its own.
 * Errors: H3OU_EFILE: it can't be written, and the former file is as it was. H3OU_ESTATE: before the first step; a component has
 *   ended; another one of my process is at another time. H3OU_ETIME: the step does not end at a whole second. H3OU_EUNSUPPORTED: a group of members with some
 *   keys, or lags with which the restarts would wait for each other.
 * Example:
 *     if (h3ou_write_restart(ctx, "ocean.h3ou"))
 *         fprintf(stderr, "%s\n", h3ou_error()); // the run goes on, and the former restart is there
 */
H3OU_API int h3ou_write_restart(h3ou_ctx *ctx, const char *file);

/* Goes on from a restart: h3ou_time_init has said the time at which it was written. No initial values are put.
 *   ctx: the context
 *   file: of h3ou_write_restart; when it is of another time, FILE.former is read if that is of this time
 * Collective: all processes of my component, between h3ou_time_init and the first step; all components read theirs.
 * Errors: H3OU_EFILE: no such file, cut off, damaged, of another format or component, or the namelist or a grid has changed.
 *   H3OU_ETIME: it is of another time. H3OU_ESTATE: not between h3ou_time_init and the first step, or a value was put before.
 */
H3OU_API int h3ou_read_restart(h3ou_ctx *ctx, const char *file);

/* Says whether to stop now, because `h3ou stop`, a signal that H3OU_STOP_SIGNAL names, or h3ou run before a time limit asked for
 * it: at the end of the same model time in all components (with a lag above 1 the sender some intervals later), which then write
 * their restarts and end.
 *   ctx: the context
 *   stop: out, 1: to stop now, 0: to go on
 * Collective: no, but every process of my component calls it, at the end of each step, or of every n-th. It waits for others only
 *   while a stop is being agreed on.
 * Errors: H3OU_ESTATE: before h3ou_time_init. H3OU_ETIME: the time agreed on is past, since the length of my steps has changed.
 *   H3OU_ETIMEOUT: the others did not agree.
 * Example:
 *     int stop;
 *     if (h3ou_should_stop(ctx, &stop) == 0 && stop)
 *         h3ou_write_restart(ctx, "ocean.h3ou"); // and then h3ou_close
 */
H3OU_API int h3ou_should_stop(h3ou_ctx *ctx, int *stop);

#ifdef __cplusplus
}
#endif
#endif
