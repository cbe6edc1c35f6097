/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last[H3OU__ERROR_TEXT];

int h3ou__fail(int code, const char *format, ...)
{
    char text[H3OU__ERROR_TEXT]; /* an argument may point into `last` */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memcpy(last, text, sizeof last);
    return code;
}

int h3ou__fail_in(int code, const char *format, ...)
{
    char text[H3OU__ERROR_TEXT];
    va_list args;
    if (code == H3OU__EABORT && last[0])
        return code;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t used = strlen(text);
    if (used + 3 < sizeof text)
        snprintf(text + used, sizeof text - used, ": %s", last[0] ? last : h3ou__strerror(code));
    memcpy(last, text, sizeof last);
    return code;
}

const char *h3ou__fail_text(void)
{
    return last;
}

const char *h3ou__strerror(int code)
{
    switch (code) {
#define X(name, value, text)                                                                                           \
    case value:                                                                                                        \
        return text;
        H3OU_ERRORS(X)
#undef X
    }
    return "unknown error";
}
