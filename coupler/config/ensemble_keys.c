/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/ensemble_keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/nearest_name.h"

static const struct {
    const char *word;
    int send; /* enum h3ou__members_send */
} words[] = {
    {"mean", H3OU__SEND_MEAN}, {"std", H3OU__SEND_STD}, {"std1", H3OU__SEND_STD1},
    {"min", H3OU__SEND_MIN},   {"max", H3OU__SEND_MAX},
};
enum { NWORD = sizeof words / sizeof *words };

static int fail_unknown(const char *text, const char *word)
{
    const char *list[NWORD];
    char all[256] = "", near[H3OU__HINT];
    size_t used = 0;
    for (int i = 0; i < NWORD; i++) {
        list[i] = words[i].word;
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", words[i].word);
    }
    return h3ou__fail(H3OU__ECONFIG, "statistic='%s': the members of an ensemble send one of %s%s", text, all,
                      h3ou__did_you_mean(word, list, NWORD, near));
}

int h3ou__ensemble_keys_parse(h3ou__config_members *m)
{
    m->send = H3OU__SEND_MEAN;
    if (!*m->statistic)
        return H3OU__OK;
    for (int i = 0; i < NWORD; i++)
        if (!strcasecmp(words[i].word, m->statistic)) {
            m->send = words[i].send;
            return H3OU__OK;
        }
    return fail_unknown(m->statistic, m->statistic);
}
