/* SPDX-License-Identifier: BSD-3-Clause */
/* Two jobs of one process each: they exchange a number and print what came. */
#include <stdio.h>

#include "waitio.h"

static int everyone(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

int main(void)
{
    waitio_filter_func_t members[] = {everyone, everyone};
    waitio_req_t send, receive;
    int order[] = {0, 1}, me = -1, got = -1;
    if (waitio_init(20)) {
        fprintf(stderr, "%s\n", waitio_error());
        return 1;
    }
    waitio_group_t all = waitio_create_group(1, members, order);
    waitio_group_rank(all, &me);
    int code = waitio_irecv(all, 1 - me, (char *)&got, sizeof got, 7, &receive);
    if (!code)
        code = waitio_isend(all, 1 - me, (char *)&me, sizeof me, 7, &send);
    if (!code)
        code = waitio_wait(&send);
    if (!code)
        code = waitio_wait(&receive);
    printf("job %d heard of job %d\n", me, got);
    waitio_group_free(all);
    return waitio_finalize() != 0 || code != 0;
}
