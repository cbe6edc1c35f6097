/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_STRIDE_H
#define TESTS_STRIDE_H
#include <stdlib.h>

/* The step of loops over many like inputs: 1, or H3OU_TEST_STRIDE. Under valgrind, where each input takes thirty times
 * as long, and under the address sanitizer, some of the inputs reach the same code as all of them (.ci/valgrind,
 * Makefile). An odd number meets even and odd turns. */
static inline int test_stride(void)
{
    const char *text = getenv("H3OU_TEST_STRIDE");
    int stride = text ? atoi(text) : 1;
    return stride > 1 ? stride : 1;
}

#endif
