/* SPDX-License-Identifier: BSD-3-Clause */
/* What a restart keeps of a field that my component puts: the value put last, the sums of the interval that is not complete, and
 * the number of the exchange to be sent next. Collective over the component. */
#ifndef H3OU_COUPLER_RESTART_PUT_STATE_H
#define H3OU_COUPLER_RESTART_PUT_STATE_H

#include "coupler/exchange/outgoing.h"
#include "coupler/restart/restart_file.h"

/* number: among the fields that my component puts; receivers: the time at which the receiver's restart is written. The list borrows
 * what the field has. */
int h3ou__put_state_list(h3ou__outgoing *o, int number, h3ou__rational receivers, h3ou__restart_list *list);
/* date: the run's start. */
int h3ou__put_state_read(h3ou__outgoing *o, const int date[6], h3ou__restart_file *r);

#endif
