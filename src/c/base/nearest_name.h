/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean ...?": the known name that is nearest to a misspelt one. */
#ifndef H3OU_BASE_NEAREST_NAME_H
#define H3OU_BASE_NEAREST_NAME_H

#pragma GCC visibility push(default)
/* Returns the name of names[0..n) with the least edit distance (case ignored), or NULL if that is more than half its
 * length, rounded up where the first three letters are the same. */
const char *h3ou__nearest(const char *word, const char *const names[], int n);
/* Writes ", did you mean 'NAME'?" with that name to text, or "" when there is none. Returns text. */
enum { H3OU__HINT = 96 };
char *h3ou__did_you_mean(const char *word, const char *const names[], int n, char text[H3OU__HINT]);
#pragma GCC visibility pop

#endif
