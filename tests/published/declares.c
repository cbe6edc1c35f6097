/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares truef, as programs do that leave it to the library, and takes the address of the published calls, as old
 * objects do; C and C++. */
#include "waitio.h"
#ifdef __cplusplus
extern "C"
#endif
    int
    truef(int pbid, int rank);

typedef waitio_group_t (*by_predicates)(int gid, waitio_filter_func_t func[], int order[]);
typedef int (*counts_of)(int array[]);

int main(void)
{
    by_predicates create = waitio_create_group;
    counts_of count = waitio_get_nprocs;
    waitio_filter_func_t all[] = {truef, truef};
    int order[] = {0, 1}, nprocs[2] = {0, 0}, size = 0;
    if (waitio_get_nprocs(nprocs) >= 0 || waitio_init(30))
        return 1;
    int npb = count(nprocs);
    waitio_group_size(create(1, all, order), &size);
    printf("%d PBs, %d processes, truef %d\n", npb, size, truef(0, 5));
    return 0;
}
