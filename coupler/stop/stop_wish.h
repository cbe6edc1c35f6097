/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether somebody wants the run to stop: a signal to this process that H3OU_STOP_SIGNAL names, or the file `stop` in the run's
 * folder (H3OU_RUN_DIRECTORY), which h3ou stop makes. Of the process, not of a component. */
#ifndef H3OU_COUPLER_STOP_STOP_WISH_H
#define H3OU_COUPLER_STOP_STOP_WISH_H

#include <stdbool.h>

/* Takes the signals. *possible: one of the variables is set. A second call does nothing else. H3OU__EENV: no such signal. */
int h3ou__stop_wish_begin(bool *possible);
/* Looks at the file at most ten times a second. */
bool h3ou__stop_wish_is_there(void);
/* Removes the file, so that the next run in this folder does not find it. */
void h3ou__stop_wish_end(void);

#endif
