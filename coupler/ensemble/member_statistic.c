/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/member_statistic.h"

static const h3ou__member_statistic *const table[] = {
    [H3OU__SEND_MEAN] = &h3ou__mean_of_members,       [H3OU__SEND_STD] = &h3ou__deviation_of_members,
    [H3OU__SEND_STD1] = &h3ou__deviation1_of_members, [H3OU__SEND_MIN] = &h3ou__minimum_of_members,
    [H3OU__SEND_MAX] = &h3ou__maximum_of_members,
};

const h3ou__member_statistic *h3ou__member_statistic_of(enum h3ou__members_send send)
{
    return table[send];
}
