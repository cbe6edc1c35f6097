/* SPDX-License-Identifier: BSD-3-Clause */
/* Leniency: what programs written for h3-Open-UTIL/MP may do, and is most likely a mistake. It is told by one warning
 * at the default log level; with strict=.true. in the namelist it is an error. docs/differences.md lists all of them.
 */
#ifndef H3OU_COUPLER_CONFIG_LENIENCY_H
#define H3OU_COUPLER_CONFIG_LENIENCY_H

#include <stdbool.h>

#include "coupler/config/config.h"

/* With strict=.true. fails with `code` and the sentence. Else returns H3OU__OK, and logs the sentence as a warning
 * unless *warned, which is set (told NULL: logs it each time). All processes of a component may call it for the same
 * reason: its rank 0 tells, the others only when the log is loud. What h3ou__config_parse finds goes by
 * h3ou__config_lenient. */
int h3ou__lenient(const h3ou__config *config, bool *warned, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A warning that is never an error, also with strict=.true. Each process that calls tells, once where told is given:
 * the caller says which ones. */
void h3ou__warn(bool *warned, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
