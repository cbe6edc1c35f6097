/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours whose steps look equal: ramps of even lightness in the OKLab space (B. Ottosson, 2020). */
#ifndef H3OU_TOOL_COLOURS_H
#define H3OU_TOOL_COLOURS_H

#include <stdint.h>

enum colours { COLOURS_VALUE, COLOURS_ERROR }; /* dark blue to yellow; pale to dark */
enum { COLOURS = 256 };

/* Fills 0xRRGGBB from the least value to the most. */
void colours_make(enum colours kind, uint32_t table[COLOURS]);

#endif
