/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of members, put together along trees of several sizes, against plain formulas over all values. */
#include <math.h>

#include "coupler/ensemble/family.h"
#include "coupler/statistic/member_statistic.h"
#include "coupler/statistic/perturbation.h"
#include "coupler/statistic/unset_value.h"
#include "units.h"

/* In cell 0 the values are large beside their differences; in cell 1 member 2 has none, if it is there; in cell 2 all
 * count, whatever their shares; in cell 3 only every third. */
enum { MOST = 21, CELLS = 4, LARGE = 0, MISSING = 1, SPARSE = 3 };

static double value_of(int member, int cell)
{
    double value = (double)((member * 7 + cell * 3) % 11) / 8.0;
    return cell == MISSING && member == 2 ? NAN : cell == LARGE ? 1e9 + value : value;
}

static double share_of(int member, int cell)
{
    return cell == SPARSE ? (member % 3 == 1 ? 0.5 : 0.0) : (double)(1 + member % 4) / 4.0;
}

/* The description of a part of the tree, with the sums of its shares. */
typedef struct described {
    double part[H3OU__MOST_PARTS][CELLS], weight[CELLS], square[CELLS];
    int members;
} described;

static h3ou__partial partial_of(described *d, bool is_shared)
{
    h3ou__partial p = {.members = d->members};
    p.weight = is_shared ? d->weight : NULL;
    p.square = is_shared ? d->square : NULL;
    for (int k = 0; k < H3OU__MOST_PARTS; k++)
        p.part[k] = d->part[k];
    return p;
}

static void describe(const h3ou__member_statistic *s, int place, int size, bool is_shared, described *d)
{
    static const int32_t cell[CELLS] = {0, 1, 2, 3};
    *d = (described){.members = 1};
    for (int i = 0; i < CELLS; i++) {
        d->weight[i] = share_of(place, i);
        d->square[i] = d->weight[i] * d->weight[i];
        d->part[0][i] = is_shared && d->weight[i] <= 0.0 ? 0.0 : value_of(place, i);
    }
    h3ou__partial mine = partial_of(d, is_shared);
    s->begin(&mine, CELLS);
    for (int k = 0; place + (1 << k) < place + h3ou__family_below(place, size); k++) {
        described child;
        describe(s, place + (1 << k), size, is_shared, &child);
        h3ou__partial theirs = partial_of(&child, is_shared);
        mine = partial_of(d, is_shared);
        s->merge(&mine, &theirs, size % 2 ? cell : NULL, CELLS);
        for (int i = 0; i < CELLS; i++) {
            d->weight[i] += child.weight[i];
            d->square[i] += child.square[i];
        }
        d->members += child.members;
    }
}

/* The same by sums over all members. */
static double plain(enum h3ou__members_send send, int size, int cell, bool is_shared)
{
    double weight = 0.0, square = 0.0, sum = 0.0, squares = 0.0, least = INFINITY, largest = -INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (int m = 0; m < size; m++) {
            double w = is_shared ? share_of(m, cell) : 1.0, x = value_of(m, cell);
            if (w <= 0.0)
                continue;
            if (isnan(x))
                return NAN;
            weight += pass == 0 ? w : 0.0;
            square += pass == 0 ? w * w : 0.0;
            sum += pass == 0 ? w * (x - value_of(0, cell)) : 0.0;
            double mean = value_of(0, cell) + sum / weight;
            squares += pass == 1 ? w * (x - mean) * (x - mean) : 0.0;
            least = fmin(least, x);
            largest = fmax(largest, x);
        }
    double freedom = weight - square / weight;
    return weight <= 0.0             ? 0.0
           : send == H3OU__SEND_MEAN ? value_of(0, cell) + sum / weight
           : send == H3OU__SEND_STD  ? sqrt(squares / weight)
           : send == H3OU__SEND_STD1 ? (freedom > 1e-12 ? sqrt(squares / freedom) : 0.0)
           : send == H3OU__SEND_MIN  ? least
                                     : largest;
}

static void parts_of_the_tree_make_the_whole(void **state)
{
    (void)state;
    for (int send = H3OU__SEND_MEAN; send <= H3OU__SEND_MAX; send++)
        for (int size = 1; size <= MOST; size++)
            for (int is_shared = 0; is_shared < 2; is_shared++) {
                const h3ou__member_statistic *s = h3ou__member_statistic_of((enum h3ou__members_send)send);
                described all;
                describe(s, 0, size, is_shared, &all);
                assert_int_equal(all.members, size);
                h3ou__partial whole = partial_of(&all, is_shared);
                s->finish(&whole, CELLS);
                for (int i = 0; i < CELLS; i++) {
                    double is = all.part[0][i], due = plain((enum h3ou__members_send)send, size, i, is_shared);
                    bool is_spread = send == H3OU__SEND_STD || send == H3OU__SEND_STD1;
                    double rounding = i == LARGE ? (is_spread ? 1e-6 : 1e-5) : 1e-14;
                    assert_true(isnan(due) ? isnan(is) : fabs(is - due) <= rounding);
                }
            }
}

/* Three members, of which cell 1 has the values of two, cell 2 of none, and a NaN stands in cell 3. */
static void quantiles_leave_out_what_is_unset(void **state)
{
    double value[3][CELLS] = {{1.0, 5.0, 0.0, 1.0}, {3.0, 7.0, 0.0, NAN}, {2.0, 0.0, 0.0, 2.0}};
    double room[3], to[CELLS], counted[CELLS];
    const h3ou__member_statistic *s = h3ou__member_statistic_of(H3OU__SEND_QUANTILE);
    (void)state;
    h3ou__unset(&value[2][1], 1);
    for (int m = 0; m < 3; m++)
        h3ou__unset(&value[m][2], 1);
    s->select(value[0], 3, CELLS, 0.75, room, to, counted);
    assert_true(to[0] == 2.5 && to[1] == 6.5 && to[2] == 0.0 && isnan(to[3]));
    assert_true(counted[0] == 3.0 && counted[1] == 2.0 && counted[2] == 0.0);
    s->select(value[0], 3, CELLS, 0.0, room, to, counted);
    assert_true(to[0] == 1.0 && to[1] == 5.0);
    s->select(value[0], 3, CELLS, 1.0, room, to, counted);
    assert_true(to[0] == 3.0 && to[1] == 7.0);
}

/* The words that the authors of Philox publish with it. */
static void perturbations_follow_philox(void **state)
{
    uint64_t zero[4] = {0}, key[2] = {0}, ones[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    uint64_t key_of_ones[2] = {UINT64_MAX, UINT64_MAX};
    static const uint64_t of_zero[4] = {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b};
    static const uint64_t of_ones[4] = {0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0};
    double sum = 0.0, squares = 0.0;
    enum { MANY = 4000 };
    (void)state;
    h3ou__philox(key, zero);
    h3ou__philox(key_of_ones, ones);
    assert_memory_equal(zero, of_zero, sizeof zero);
    assert_memory_equal(ones, of_ones, sizeof ones);
    assert_true(h3ou__perturbation_key("a") == 0xaf63dc4c8601ec8c); /* published for FNV-1a */
    key[0] = 7;
    for (int i = 0; i < MANY; i++) {
        double x = h3ou__perturbation(key, i, 0, 1, 3600);
        sum += x;
        squares += x * x;
    }
    assert_true(fabs(sum / MANY) < 0.06 && fabs(squares / MANY - 1.0) < 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_the_tree_make_the_whole),
        cmocka_unit_test(quantiles_leave_out_what_is_unset),
        cmocka_unit_test(perturbations_follow_philox),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
