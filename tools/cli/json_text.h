/* SPDX-License-Identifier: BSD-3-Clause */
/* A string of JSON (RFC 8259). */
#ifndef H3OU_TOOL_JSON_TEXT_H
#define H3OU_TOOL_JSON_TEXT_H

#include <stdio.h>

/* In quotes, and with everything escaped that must be. */
void json_text(FILE *out, const char *text);

#endif
