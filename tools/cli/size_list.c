/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/cli/size_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Reads a number, with K, M or G behind it or not, and moves *at behind it; returns -1 when there is none. */
static int64_t parse_size(const char **at)
{
    char *end;
    if (**at < '0' || **at > '9')
        return -1;
    long long value = strtoll(*at, &end, 10);
    const char *unit = *end ? strchr("KMG", *end) : NULL;
    if (value < 1 || value > SIZE_LIST_BYTES_MOST)
        return -1;
    for (int i = unit ? (int)(unit - "KMG") : -1; i >= 0 && value <= SIZE_LIST_BYTES_MOST; i--)
        value *= 1024;
    *at = end + (unit != NULL);
    return value <= SIZE_LIST_BYTES_MOST ? value : -1;
}

static int add_size(const char *option, int most, int64_t size[], int *n, int64_t value)
{
    int at = *n;
    for (int i = 0; i < *n; i++)
        if (size[i] == value)
            return H3OU__OK;
    if (*n == most)
        return h3ou__fail(H3OU__EARG, "%s: more than %d sizes", option, most);
    for (; at > 0 && size[at - 1] > value; at--)
        size[at] = size[at - 1];
    size[at] = value;
    ++*n;
    return H3OU__OK;
}

int size_list_read(const char *option, const char *text, int most, int64_t size[], int *n)
{
    const char *at = text;
    int code = H3OU__OK;
    *n = 0;
    while (!code) {
        int64_t first = parse_size(&at), last = first;
        if (first > 0 && *at == '-') {
            at++;
            last = parse_size(&at);
        }
        if (first < 0 || last < first || (*at && *at != ','))
            return h3ou__fail(H3OU__EARG, "%s %s: it takes sizes from 1 to 1G: 8,1K,65536 or, by doubling, 8-64M", option,
                              text);
        for (int64_t value = first; value <= last && !code; value *= 2)
            code = add_size(option, most, size, n, value);
        if (!*at++)
            break;
    }
    return code;
}
