/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule/algorithm.h"

#include <stddef.h>

const char *const h3ou__operation_name[H3OU__COLL_OPERATIONS] = {
#define X(name, text) text,
    H3OU__OPERATIONS(X)
#undef X
};

static h3ou__part find_part(const h3ou__call *call, const int64_t counts[], const int64_t displs[], int rank)
{
    int64_t count = counts ? counts[rank] : call->count, at = displs ? displs[rank] : 0;
    if (!displs && !counts)
        at = call->count * rank;
    for (int i = 0; !displs && counts && i < rank; i++)
        at += counts[i];
    return (h3ou__part){at * call->element, count * call->element};
}

h3ou__part h3ou__call_part(const h3ou__call *call, int rank)
{
    return find_part(call, call->counts, call->displs, rank);
}

h3ou__part h3ou__call_send_part(const h3ou__call *call, int rank)
{
    return find_part(call, call->send_counts, call->send_displs, rank);
}

h3ou__part h3ou__call_share(const h3ou__call *call, int i, int n)
{
    int64_t each = call->count / n, more = call->count % n;
    return (h3ou__part){(each * i + (i < more ? i : more)) * call->element, (each + (i < more)) * call->element};
}

int64_t h3ou__call_bytes(const h3ou__call *call)
{
    return call->count * call->element;
}

int64_t h3ou__call_segment(const h3ou__call *call, int64_t bytes)
{
    int64_t segment = call->segment / call->element * call->element;
    if (call->segment <= 0 || segment >= bytes)
        return bytes > call->element ? bytes : call->element;
    return segment > 0 ? segment : call->element;
}

/* Returns the largest divisor of n whose power is at most n. */
static int find_divisor(int n, int power)
{
    int best = 1;
    for (int64_t d = 2; power == 3 ? d * d * d <= n : d * d <= n; d++)
        if (n % d == 0)
            best = (int)d;
    return best;
}

void h3ou__call_shape(const h3ou__call *call, int shape[3])
{
    int64_t product = 1;
    for (int i = 0; i < 3; i++)
        product *= shape[i] = call->shape[i] > 0 ? call->shape[i] : 1;
    if (product == call->size)
        return;
    shape[2] = find_divisor(call->size, 3);
    shape[1] = find_divisor(call->size / shape[2], 2);
    shape[0] = call->size / shape[2] / shape[1];
}
