/* SPDX-License-Identifier: BSD-3-Clause */
/* Leniency: the library accepts, with one warning at the default log level, what programs written for h3-Open-UTIL/MP
 * may do although it is most likely a mistake. With strict=.true. in the namelist each is an error. docs/differences.md
 * lists all of them. */
#ifndef H3OU_COUPLER_CONFIG_LENIENCY_H
#define H3OU_COUPLER_CONFIG_LENIENCY_H

#include <stdbool.h>

#include "coupler/config/config.h"

/* With strict=.true. fails with `code` and the sentence. Else returns H3OU__OK, and logs the sentence as a warning
 * unless *warned, which is set (warned NULL: logs it each time). All processes of a component may call it for the same
 * reason: then rank 0 logs the warning, the others only at log level LOUD. h3ou__config_parse notes what it finds by
 * h3ou__config_lenient. */
int h3ou__lenient(const h3ou__config *config, bool *warned, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Logs a warning that is not an error even with strict=.true., unless *warned, which is set (warned NULL: logs it each
 * time). Every process that calls it logs it. */
void h3ou__warn(bool *warned, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
