/* SPDX-License-Identifier: BSD-3-Clause */
#include PIECE_HEADER
#ifdef FRONT_BESIDE
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

/* Of the request in a call with a list of indices; NULL: it has none. */
static MPI_Status *status_of(int index, MPI_Status *statuses, int n, const int *indices)
{
    if (!indices)
        return &statuses[n == 1 ? 0 : index];
    for (int k = 0; k < n; k++)
        if (indices[k] == index)
            return &statuses[k];
    return NULL;
}

void source_written(struct source_kept *kept, const MPI_Request *requests, MPI_Status *statuses, int n, const int *indices)
{
    for (int i = 0; i < kept->n; i++) {
        const struct source_at *one = &kept->at[i];
        if (requests[one->index] == one->request)
            continue;
        forget(one->request);
        MPI_Status *status = statuses ? status_of(one->index, statuses, n, indices) : NULL;
        if (status)
            status->MPI_SOURCE = one->rank;
    }
    if (kept->at != kept->few)
        free(kept->at);
}
#endif
