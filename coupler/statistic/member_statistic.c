/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/statistic/member_statistic.h"

#include <stddef.h>

static const h3ou__member_statistic all_of_members = {.parts = 0};

static const h3ou__member_statistic *const table[] = {
    [H3OU__SEND_MEAN] = &h3ou__mean_of_members,       [H3OU__SEND_STD] = &h3ou__deviation_of_members,
    [H3OU__SEND_STD1] = &h3ou__deviation1_of_members, [H3OU__SEND_MIN] = &h3ou__minimum_of_members,
    [H3OU__SEND_MAX] = &h3ou__maximum_of_members,     [H3OU__SEND_QUANTILE] = &h3ou__quantile_of_members,
    [H3OU__SEND_MEMBER] = &h3ou__one_of_members,      [H3OU__SEND_STACKED] = &all_of_members,
};

const h3ou__member_statistic *h3ou__member_statistic_of(enum h3ou__members_send send)
{
    return table[send];
}
