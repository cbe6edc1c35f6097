/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_MUST_H
#define TESTS_FUZZ_MUST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* What always holds, in every build. */
static inline void must_hold(int truth, const char *what, int line)
{
    if (truth)
        return;
    fprintf(stderr, "line %d: does not hold: %s\n", line, what);
    abort();
}
#define MUST(truth) must_hold(!!(truth), #truth, __LINE__)

#endif
