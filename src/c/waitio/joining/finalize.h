/* SPDX-License-Identifier: BSD-3-Clause */
/* What happens to messages when a process exits without waitio_finalize. */
#ifndef WAITIO_JOINING_FINALIZE_H
#define WAITIO_JOINING_FINALIZE_H

/* From now on exit() and the return from main deliver what the process's instance has sent. Once a process. */
int waitio__finalize_at_exit(void);
#pragma GCC visibility push(default)
/* The current instance is h3ou's: exit() delivers what was sent, but says no goodbye, so that the others learn that
 * this process ended before h3ou_coupling_end. */
void waitio__finalize_by_h3ou(void);
#pragma GCC visibility pop

#endif
