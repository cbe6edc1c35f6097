/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the bytes of packed values. The MPIs' external32 is no help: MPICH 4.0.2 ends the process for types that are structures. */
#ifndef H3OU_UNIVERSE_PACKING_VALUE_ORDER_H
#define H3OU_UNIVERSE_PACKING_VALUE_ORDER_H

#include "universe/world/hub.h"

#pragma GCC visibility push(hidden)
/* Turns packed values, elements of a type one behind the other, from the byte order of this machine to the most significant byte first, or back, which is
 * the same. A value at the end that is not whole stays. Returns 0 or an error of the hub. */
int universe_values_turn(void *packed, int64_t bytes, abi_Datatype type);
#pragma GCC visibility pop

#endif
