/* SPDX-License-Identifier: BSD-3-Clause */
#include PIECE_HEADER

#include <stdlib.h>

#include "mpi_adaptor/hub/complaint.h"

struct source_table source_table;

void source_table_grow(void)
{
    enum { LEAST = 64 };
    struct source_table old = source_table;
    uint32_t size = old.entry ? 2 * (old.mask + 1) : LEAST;
    source_table = (struct source_table){.mask = size - 1, .entry = malloc(size * sizeof *old.entry)};
    if (!source_table.entry)
        hub_end("no memory for a table of %u receives", size);
    for (uint32_t i = 0; i < size; i++)
        source_table.entry[i].rank = -1;
    for (uint32_t i = 0; old.entry && i <= old.mask; i++)
        if (old.entry[i].rank >= 0)
            source_list(old.entry[i].request, old.entry[i].rank);
    free(old.entry);
}

/* Entries behind that were moved on because this place was taken come nearer to their own. */
static void forget(MPI_Request request)
{
    int64_t found = source_find(request);
    if (found < 0)
        return;
    struct source_entry *entry = source_table.entry;
    uint32_t mask = source_table.mask, hole = (uint32_t)found;
    for (uint32_t at = (hole + 1) & mask; entry[at].rank >= 0; at = (at + 1) & mask)
        if (((at - source_place(entry[at].request)) & mask) >= ((at - hole) & mask)) {
            entry[hole] = entry[at];
            hole = at;
        }
    entry[hole].rank = -1;
    source_table.used--;
}

void source_keep_listed(struct source_kept *kept, int n, const MPI_Request *requests)
{
    kept->at = n <= SOURCE_FEW ? kept->few : malloc((size_t)n * sizeof *kept->at);
    if (!kept->at)
        hub_end("no memory to complete %d requests", n);
    for (int i = 0; i < n; i++) {
        int rank = source_rank_of(requests[i], -1);
        if (rank >= 0)
            kept->at[kept->n++] = (struct source_at){requests[i], i, rank};
    }
    if (!kept->n && kept->at != kept->few)
        free(kept->at);
}

/* Sets the rank of the status of a request, which may be listed. They are kept in the order of the requests. */
static void tell_of(const struct source_kept *kept, int index, MPI_Status *status)
{
    int first = 0, end = kept->n;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (kept->at[middle].index < index)
            first = middle + 1;
        else
            end = middle;
    }
    if (first < kept->n && kept->at[first].index == index)
        status->MPI_SOURCE = kept->at[first].rank;
}

void source_written(struct source_kept *kept, const MPI_Request *requests, MPI_Status *statuses, int n, const int *indices)
{
    for (int k = 0; k < n && indices && statuses; k++)
        tell_of(kept, indices[k], &statuses[k]);
    for (int i = 0; i < kept->n; i++) {
        const struct source_at *one = &kept->at[i];
        if (requests[one->index] == one->request)
            continue;
        forget(one->request);
        if (statuses && !indices)
            statuses[n == 1 ? 0 : one->index].MPI_SOURCE = one->rank;
    }
    if (kept->at != kept->few)
        free(kept->at);
}
