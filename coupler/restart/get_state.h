/* SPDX-License-Identifier: BSD-3-Clause */
/* What a restart keeps of a field that my component gets: exchanges that it has but the model did not get yet (ahead.c), and with
 * flag='INT' those between which it interpolates. Collective over the component. */
#ifndef H3OU_COUPLER_RESTART_GET_STATE_H
#define H3OU_COUPLER_RESTART_GET_STATE_H

#include "coupler/exchange/incoming.h"
#include "coupler/restart/restart_file.h"

/* number: among the fields that my component gets; now: the end of its step. The list borrows what the field has. */
int h3ou__get_state_list(h3ou__incoming *in, int number, h3ou__rational now, h3ou__restart_list *list);
/* date: the run's start. */
int h3ou__get_state_read(h3ou__incoming *in, const int date[6], h3ou__restart_file *r);

#endif
