/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "h3ou.h"

const char *h3ou_error(void)
{
    return h3ou__fail_text();
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
