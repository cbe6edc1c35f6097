/* SPDX-License-Identifier: BSD-3-Clause */
/* The file that waitio-serv writes for the jobs of a run. */
#include <string.h>

#include "must.h"
#include "tools/serv/address.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char again[WAITIO_ADDRESS_MOST];
    waitio_address a, b;
    const char *why = NULL;
    int code = waitio_address_parse((const char *)bytes, n, &a, &why);
    MUST(why);
    if (code)
        return 0;
    MUST(waitio_address_is_host(a.host));
    MUST(a.port >= 1 && a.port <= 65535 && a.written >= 0);
    for (const char *c = a.host; *c; c++)
        MUST(!strchr("$`\"'\\;&|<>(){}[]*?!# \t\n", *c));
    size_t length = waitio_address_print(&a, again);
    MUST(length < sizeof again && strlen(again) == length);
    /* The same bytes, but for zeros before a number. */
    MUST(length <= n);
    MUST(length < n || !memcmp(again, bytes, n));
    MUST(!waitio_address_parse(again, length, &b, &why));
    MUST(!strcmp(a.host, b.host) && a.port == b.port && a.written == b.written);
    return 0;
}
