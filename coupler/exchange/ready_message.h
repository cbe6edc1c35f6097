/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that put packs straight from the model's array to where their receivers read them, so that a value is copied
 * once. This is done where the value that was put last is what an exchange sends, as it is, and all receivers share
 * memory with this process. The messages wait there until the exchange is due; a later put packs them again.
 */
#ifndef H3OU_COUPLER_EXCHANGE_READY_MESSAGE_H
#define H3OU_COUPLER_EXCHANGE_READY_MESSAGE_H

#include "coupler/exchange/outgoing.h"

/* Packs the messages of exchange o->next from what is put, and returns true; o->newest is then older. Returns false
 * where that cannot be done, or the field's first NaN is among the values, which is looked for in o->newest. */
bool h3ou__ready_message_pack(h3ou__outgoing *o, const h3ou__arrays *given);
/* Returns whether the messages of exchange o->next are packed. */
bool h3ou__ready_message_waits(const h3ou__outgoing *o);
/* Copies the values of packed messages to o->newest, before something else is written there; those that are sent. */
void h3ou__ready_message_settle(h3ou__outgoing *o);

#endif
