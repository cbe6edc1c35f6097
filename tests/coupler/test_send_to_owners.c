/* SPDX-License-Identifier: BSD-3-Clause */
/* One process alone, with a grid of the cells 3, 5 and 9 of 10, whose directory this file plays. */
#include "coupler/grid/send_to_owners.h"

#include "units.h"

enum { WIDTH = 2 };
static const int64_t entry[3][3] = {{3, 7, 0}, {5, 8, 1}, {9, 7, 2}}; /* index, rank, place */
static int sent[2][8], nsent[2], round_trip;                          /* ranks of both ways */
static int64_t refused;

int h3ou__grid_keeper(const h3ou__grid *g, int64_t index)
{
    return index >= 1 && index <= g->last ? (int)(index / 4) : -1;
}

bool h3ou__grid_owner(const h3ou__grid *g, int64_t index, int *rank, int64_t *place)
{
    assert_true(index >= 1 && index <= g->last);
    for (int i = 0; i < 3; i++)
        if (entry[i][0] == index) {
            *rank = (int)entry[i][1];
            *place = entry[i][2];
            return true;
        }
    return false;
}

/* All items come back to this process, in their order. */
int h3ou__redistribute(h3ou__comm *local, int64_t n, const int to[], int width, const int64_t item[],
                       h3ou__redistribution *d)
{
    (void)local;
    assert_true(round_trip < 2 && n <= 8 && width == WIDTH);
    nsent[round_trip] = (int)n;
    memcpy(sent[round_trip++], to, sizeof *to * (size_t)n);
    memset(d, 0, sizeof *d);
    d->ngot = n;
    d->item = malloc(sizeof *item * (size_t)(n * width + 1));
    assert_non_null(d->item);
    memcpy(d->item, item, sizeof *item * (size_t)(n * width));
    return H3OU__OK;
}

void h3ou__redistribution_free(h3ou__redistribution *d)
{
    free(d->item);
    memset(d, 0, sizeof *d);
}

static int refuse(const h3ou__grid *g, const int64_t item[])
{
    (void)g;
    refused = item[0];
    return h3ou__fail(H3OU__EINDEX, "no cell %d", (int)item[0]);
}

static int send_items(int64_t n, const int64_t given[], h3ou__no_owner *no_owner, h3ou__redistribution *owned)
{
    h3ou__grid g = {.last = 10};
    int64_t item[16];
    round_trip = nsent[0] = nsent[1] = 0;
    refused = 0;
    memcpy(item, given, sizeof *item * (size_t)(n * WIDTH));
    return h3ou__send_to_owners(&g, NULL, n, WIDTH, item, no_owner, owned);
}

static void items_reach_the_places_of_their_cells(void **state)
{
    (void)state;
    static const int64_t given[6] = {9, 90, 3, 30, 5, 50};
    h3ou__redistribution owned;
    assert_int_equal(send_items(3, given, refuse, &owned), H3OU__OK);
    assert_true(nsent[0] == 3 && sent[0][0] == 2 && sent[0][1] == 0 && sent[0][2] == 1);
    assert_true(nsent[1] == 3 && sent[1][0] == 7 && sent[1][1] == 7 && sent[1][2] == 8);
    static const int64_t there[6] = {2, 90, 0, 30, 1, 50};
    assert_int_equal(owned.ngot, 3);
    assert_memory_equal(owned.item, there, sizeof there);
    h3ou__redistribution_free(&owned);
    assert_int_equal(send_items(0, given, refuse, &owned), H3OU__OK);
    assert_int_equal(owned.ngot, 0);
    h3ou__redistribution_free(&owned);
}

/* 11 is beyond the grid, so that nobody keeps its entry; 4 is a cell that no process defined. */
static void items_without_a_cell_are_dropped_or_refused(void **state)
{
    (void)state;
    static const int64_t given[8] = {11, 110, 4, 40, 5, 50, 3, 30}, there[4] = {1, 50, 0, 30};
    h3ou__redistribution owned;
    assert_int_equal(send_items(4, given, NULL, &owned), H3OU__OK);
    assert_true(nsent[0] == 3 && nsent[1] == 2 && owned.ngot == 2);
    assert_memory_equal(owned.item, there, sizeof there);
    h3ou__redistribution_free(&owned);
    assert_int_equal(send_items(4, given, refuse, &owned), H3OU__EINDEX);
    assert_true(refused == 11 && round_trip == 0);
    h3ou__redistribution_free(&owned);
    assert_int_equal(send_items(3, given + 2, refuse, &owned), H3OU__EINDEX);
    assert_true(refused == 4 && round_trip == 1);
    h3ou__redistribution_free(&owned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_reach_the_places_of_their_cells),
        cmocka_unit_test(items_without_a_cell_are_dropped_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
