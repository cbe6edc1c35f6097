/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/pingpong/pingpong_plan.h"

#include <inttypes.h>
#include <stdio.h>
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
    if (value < 1 || value > PINGPONG_BYTES_MOST)
        return -1;
    for (int i = unit ? (int)(unit - "KMG") : -1; i >= 0 && value <= PINGPONG_BYTES_MOST; i--)
        value *= 1024;
    *at = end + (unit != NULL);
    return value <= PINGPONG_BYTES_MOST ? value : -1;
}

static int add_size(pingpong_plan *out, int64_t size)
{
    int at = out->nsize;
    for (int i = 0; i < out->nsize; i++)
        if (out->size[i] == size)
            return H3OU__OK;
    if (out->nsize == PINGPONG_SIZES)
        return h3ou__fail(H3OU__EARG, "--sizes: more than %d sizes", PINGPONG_SIZES);
    for (; at > 0 && out->size[at - 1] > size; at--)
        out->size[at] = out->size[at - 1];
    out->size[at] = size;
    out->nsize++;
    return H3OU__OK;
}

int pingpong_read_sizes(const char *text, pingpong_plan *out)
{
    const char *at = text;
    int code = H3OU__OK;
    out->nsize = 0;
    while (!code) {
        int64_t least = parse_size(&at), most = least;
        if (least > 0 && *at == '-') {
            at++;
            most = parse_size(&at);
        }
        if (least < 0 || most < least || (*at && *at != ','))
            return h3ou__fail(H3OU__EARG, "--sizes %s: it takes sizes from 1 to 1G: 8,1K,65536 or, by doubling, 8-64M",
                              text);
        for (int64_t size = least; size <= most && !code; size *= 2)
            code = add_size(out, size);
        if (!*at++)
            break;
    }
    return code;
}

int pingpong_read_pairs(const char *text, pingpong_plan *out)
{
    const char *at = text;
    out->npairs = 0;
    for (;;) {
        char *end;
        long n = strtol(at, &end, 10);
        bool is_more = out->npairs == 0 || n > out->pairs[out->npairs - 1];
        if (end == at || n < 1 || n > PINGPONG_PAIRS_MOST || (*end && *end != ',') || !is_more ||
            out->npairs == PINGPONG_PAIRS)
            return h3ou__fail(H3OU__EARG, "--pairs %s: it takes at most %d numbers from 1 to %d, ascending: 1,2,4",
                              text, PINGPONG_PAIRS, PINGPONG_PAIRS_MOST);
        out->pairs[out->npairs++] = (int)n;
        if (!*end)
            return H3OU__OK;
        at = end + 1;
    }
}

void pingpong_double_pairs(int most, pingpong_plan *out)
{
    out->npairs = 0;
    for (int n = 1; n < most && out->npairs < PINGPONG_PAIRS - 1; n *= 2)
        out->pairs[out->npairs++] = n;
    out->pairs[out->npairs++] = most;
}

const char *pingpong_size_text(int64_t bytes, char text[24])
{
    static const char *const unit[] = {"B", "KB", "MB", "GB"};
    int k = 0;
    while (k < 3 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        k++;
    }
    snprintf(text, 24, "%" PRId64 " %s", bytes, unit[k]);
    return text;
}
