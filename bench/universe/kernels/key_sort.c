/* SPDX-License-Identifier: BSD-3-Clause */
/* IS: integer keys of a distribution like a bell sorted ten times, each time with two of them changed: a sum over 1024 buckets, the buckets shared out
 * evenly, and all keys sent to the process that has their bucket. */
#include <stdlib.h>

#include "kernel.h"

enum { BUCKETS = 1024, TURNS = 10 };

typedef struct keys {
    int n, first, mine, greatest; /* keys of all and of this process, and one more than the greatest */
    int *given, *sent, *sorted, *ranks;
    int count; /* keys that this process has after sorting, from `offset` on */
    int64_t offset;
} keys;

static void keys_make(keys *k, bool is_small)
{
    k->n = 1 << (is_small ? 16 : 20);
    k->greatest = 1 << (is_small ? 11 : 16);
    k->first = part_first(k->n, kernel_rank);
    k->mine = part_first(k->n, kernel_rank + 1) - k->first;
    k->given = zeros((size_t)k->mine, sizeof(int));
    k->sent = zeros((size_t)k->mine, sizeof(int));
    k->sorted = zeros((size_t)k->n, sizeof(int));
    k->ranks = zeros((size_t)k->greatest, sizeof(int));
    uint64_t x = random_after(314159265, 4 * (uint64_t)k->first);
    for (int i = 0; i < k->mine; i++) {
        double sum = random_next(&x);
        for (int j = 0; j < 3; j++)
            sum += random_next(&x);
        k->given[i] = (int)(k->greatest / 4 * sum);
    }
}

static void key_change(keys *k, int at, int key)
{
    if (at >= k->first && at < k->first + k->mine)
        k->given[at - k->first] = key;
}

/* The process that sorts each bucket, from the buckets' sizes over all processes; the rank of the first key of this process. */
static void buckets_share(keys *k, const int *sizes, int *owners)
{
    int64_t before = 0;
    k->offset = k->n;
    for (int b = 0; b < BUCKETS; before += sizes[b++]) {
        owners[b] = (int)(before * kernel_size / k->n);
        if (owners[b] >= kernel_size)
            owners[b] = kernel_size - 1;
        if (owners[b] == kernel_rank && before < k->offset)
            k->offset = before;
    }
}

/* Puts my keys in the order of their processes; counts: how many go to each. */
static void keys_pack(keys *k, const int *owners, int width, int *counts, int *firsts)
{
    int at[8];
    for (int p = 0; p < kernel_size; p++)
        counts[p] = 0;
    for (int i = 0; i < k->mine; i++)
        counts[owners[k->given[i] / width]]++;
    for (int p = 0, sum = 0; p < kernel_size; sum += counts[p++])
        at[p] = firsts[p] = sum;
    for (int i = 0; i < k->mine; i++)
        k->sent[at[owners[k->given[i] / width]]++] = k->given[i];
}

static void keys_rank(keys *k)
{
    for (int i = 0; i < k->greatest; i++)
        k->ranks[i] = 0;
    for (int i = 0; i < k->count; i++)
        k->ranks[k->sorted[i]]++;
    for (int i = 0, sum = 0; i < k->greatest; i++) {
        int many = k->ranks[i];
        k->ranks[i] = sum;
        sum += many;
    }
}

static void keys_sort(keys *k)
{
    int sizes[BUCKETS] = {0}, owners[BUCKETS], counts[8], firsts[8], come[8], places[8], width = k->greatest / BUCKETS;
    for (int i = 0; i < k->mine; i++)
        sizes[k->given[i] / width]++;
    MPI_Allreduce(MPI_IN_PLACE, sizes, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    buckets_share(k, sizes, owners);
    keys_pack(k, owners, width, counts, firsts);
    MPI_Alltoall(counts, 1, MPI_INT, come, 1, MPI_INT, MPI_COMM_WORLD);
    k->count = 0;
    for (int p = 0; p < kernel_size; k->count += come[p++])
        places[p] = k->count;
    MPI_Alltoallv(k->sent, counts, firsts, MPI_INT, k->sorted, come, places, MPI_INT, MPI_COMM_WORLD);
    keys_rank(k);
}

/* Writes the keys in their order, and compares them with those given: as many, of the same sum, none smaller than one before it. */
static bool keys_check(keys *k, uint64_t *checksum)
{
    int *ordered = zeros((size_t)k->count, sizeof *ordered), greatest = -1, before = -1;
    uint64_t sums[4] = {(uint64_t)k->count, 0, 0, 0}, all[4]; /* keys here, their sum, the sum of those given, the sum of key times rank */
    for (int i = 0; i < k->count; i++)
        ordered[k->ranks[k->sorted[i]]++] = k->sorted[i];
    int is_ordered = 1;
    for (int i = 0; i < k->count; i++) {
        is_ordered = is_ordered && ordered[i] >= greatest;
        greatest = ordered[i];
        sums[1] += (uint64_t)ordered[i];
        sums[3] += (uint64_t)ordered[i] * (uint64_t)(k->offset + i);
    }
    for (int i = 0; i < k->mine; i++)
        sums[2] += (uint64_t)k->given[i];
    MPI_Exscan(&greatest, &before, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    is_ordered = is_ordered && (kernel_rank == 0 || !k->count || before <= ordered[0]);
    MPI_Allreduce(MPI_IN_PLACE, &is_ordered, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    MPI_Allreduce(sums, all, 4, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    *checksum = all[3];
    free(ordered);
    return is_ordered && all[0] == (uint64_t)k->n && all[1] == all[2];
}

static bool key_sort_run(bool is_small, double *seconds, uint64_t *checksum)
{
    keys k;
    keys_make(&k, is_small);
    double begin = common_time();
    for (int turn = 1; turn <= TURNS; turn++) {
        key_change(&k, turn, turn);
        key_change(&k, turn + TURNS, k.greatest - turn);
        keys_sort(&k);
    }
    *seconds = common_time() - begin;
    bool is_right = keys_check(&k, checksum);
    free(k.given);
    free(k.sent);
    free(k.sorted);
    free(k.ranks);
    return is_right;
}

const kernel kernel_key_sort = {"IS", key_sort_run};
