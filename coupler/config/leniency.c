/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/leniency.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/log.h"

static void log_once(int level, bool *warned, const char *text)
{
    if (!warned || !*warned)
        h3ou__log(level, "warning", "%s", text);
    if (warned)
        *warned = true;
}

int h3ou__lenient(const h3ou__config *config, bool *warned, int code, const char *format, ...)
{
    char text[H3OU__ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (config->strict)
        return h3ou__fail(code, "%s", text);
    log_once(config->is_leader ? H3OU__LOG_WARNING : H3OU__LOG_LOUD, warned, text);
    return H3OU__OK;
}

void h3ou__warn(bool *warned, const char *format, ...)
{
    char text[H3OU__ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log_once(H3OU__LOG_WARNING, warned, text);
}
