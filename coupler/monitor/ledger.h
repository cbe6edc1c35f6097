/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The budget ledger: a table of each field with the key `ledger`, in the folder of the run, ledger/SOURCE.FIELD.TARGET.FIELD.tsv, with a
 * row for each exchange that was received. An observer of the receiving component notes the sums of its process (budget.h); at the next
 * h3ou_set_time they are added up over its processes, and the first one writes the rows.
 */
#ifndef H3OU_COUPLER_MONITOR_LEDGER_H
#define H3OU_COUPLER_MONITOR_LEDGER_H

#include "comm/comm.h"
#include "coupler/exchange/observer.h"

/* Adds the observer if my component gets a field with a ledger. Borrows all. */
int h3ou__ledger_observe(h3ou__observers *to, const h3ou__config *config, h3ou__world *world);

#endif
