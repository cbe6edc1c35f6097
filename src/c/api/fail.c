/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "h3ou.h"

int h3ou_fail(int code, const char *text)
{
    return h3ou__fail(code, "%s", text ? text : "");
}
