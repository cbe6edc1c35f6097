/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors: a negative code that is returned, and a sentence for the last one, kept per thread. */
#ifndef H3OU_BASE_ERROR_H
#define H3OU_BASE_ERROR_H

#include "h3ou_errors.h"

#define X(name, value, text) H3OU__##name = value,
enum h3ou__error_code { H3OU_ERRORS(X) };
#undef X

#define H3OU__ERROR_TEXT 2048 /* bytes of a sentence, with its NUL */

#pragma GCC visibility push(default)
/* Records the sentence and returns code, so that a failing function ends with  return h3ou__fail(H3OU__EARG, ...); */
int h3ou__fail(int code, const char *format, ...) __attribute__((cold, format(printf, 2, 3)));
/* Puts "context: " before the sentence that a callee recorded, and returns code. The sentence of another process that
 * ended the run (H3OU__EABORT) is left as it is, because it has its own context. */
int h3ou__fail_in(int code, const char *format, ...) __attribute__((cold, format(printf, 2, 3)));
/* Returns the sentence of this thread's last error; never NULL. */
const char *h3ou__fail_text(void);
/* Returns the short text of a code; "unknown error" for a number that is not one. */
const char *h3ou__strerror(int code);
#pragma GCC visibility pop

#endif
