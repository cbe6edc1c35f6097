/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of the key `flag`: which statistic of the values put during an interval an exchange sends. */
#ifndef H3OU_COUPLER_CONFIG_INTERVAL_FLAG_H
#define H3OU_COUPLER_CONFIG_INTERVAL_FLAG_H

#include "coupler/config/config.h"

/* Each word, and what it means, in error sentences and in the log. coupler/exchange/interval_statistic.c computes it.
 */
#define H3OU__FLAGS(X)                                                                                                 \
    X(SNP, "snapshot")                                                                                                 \
    X(AVR, "mean")                                                                                                     \
    X(ACC, "accumulation")                                                                                             \
    X(MIN, "minimum")                                                                                                  \
    X(MAX, "maximum")                                                                                                  \
    X(INT, "interpolation")

#define H3OU__FLAG_CONSTANT(word, meaning) H3OU__FLAG_##word,
enum h3ou__flag { H3OU__FLAGS(H3OU__FLAG_CONSTANT) H3OU__NFLAG };
#undef H3OU__FLAG_CONSTANT

const char *h3ou__flag_meaning(int flag);
const char *h3ou__flag_word(int flag);

/* Called by the Fortran reader. Sets *flag to the enum h3ou__flag of a word, whose case is ignored. Fails with
 * H3OU__ECONFIG and the list of all words for any other word, and for "", which the reader passes for a missing key. */
int h3ou__config_flag(h3ou__config *c, int line, const char *word, int *flag);

#endif
