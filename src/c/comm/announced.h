/* SPDX-License-Identifier: BSD-3-Clause */
/* The components that this process opens, when it opens several: each has a world of its own, and all are made at once.
 */
#ifndef H3OU_COMM_ANNOUNCED_H
#define H3OU_COMM_ANNOUNCED_H

#include "comm/world.h"

/* Returns how many names were announced; 0: the process opens one component, whose name h3ou__world_open gets. */
int h3ou__announced(void);
const char *h3ou__announced_name(int i);
/* Checks that a component may be opened now; *first: it is the first one, and the worlds are still to be made. */
int h3ou__announced_check(const char *name, int nensemble, bool *first);
/* Keeps the world that the first h3ou__world_open made for name i (0 when none was announced). */
void h3ou__announced_keep(int i, h3ou__world *w);
/* Returns the world of a component that may be opened. */
h3ou__world *h3ou__announced_open(const char *name);
/* Notes that a component is closed. Returns whether it is the last one, after which all names are forgotten. */
bool h3ou__announced_close(void);

#endif
