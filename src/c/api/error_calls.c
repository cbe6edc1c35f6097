/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/call_names.h"
#include "base/error.h"
#include "h3ou.h"

const char *h3ou_error(void)
{
    static _Thread_local char text[H3OU__ERROR_TEXT];
    return h3ou__call_names(h3ou__fail_text(), text, sizeof text);
}

const char *h3ou_strerror(int code)
{
    return h3ou__strerror(code);
}

int h3ou_unsupported(const char *what)
{
    return h3ou__fail(H3OU__EUNSUPPORTED, "%s is not part of this version", what);
}

int h3ou_wrong(const char *sentence)
{
    return h3ou__fail(H3OU__EARG, "%s", sentence);
}
