/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/pingpong/pingpong_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/cli/size_list.h"

int pingpong_read_sizes(const char *text, pingpong_plan *out)
{
    return size_list_read("--sizes", text, PINGPONG_SIZES, out->size, &out->nsize);
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
