/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of programs that consist of cases of MPI calls, and are built as users do, by each MPI. Every process checks what it got; a failed check is
 * recorded and printed with the call, and the case goes on, because the other processes wait for its messages.
 */
#ifndef H3OU_TEST_CASE_CHECK_H
#define H3OU_TEST_CASE_CHECK_H
#include <mpi.h>
#include <stdbool.h>

extern int my_rank; /* in MPI_COMM_WORLD; set by the program */

/* These return whether the check passed. */
bool case_check(bool is_true, const char *file, int line, const char *text);
bool case_equal(long long got, long long expected, const char *file, int line, const char *text);
bool case_call(int code, const char *file, int line, const char *text);
bool case_class(int code, int expected, const char *file, int line, const char *text);

#define CHECK(...)           case_check(__VA_ARGS__, __FILE__, __LINE__, #__VA_ARGS__)
#define EQUAL(got, expected) case_equal((long long)(got), (long long)(expected), __FILE__, __LINE__, #got " == " #expected)
#define CALL(...)            case_call(__VA_ARGS__, __FILE__, __LINE__, #__VA_ARGS__)
#define FAILS(class, ...)    case_class(__VA_ARGS__, class, __FILE__, __LINE__, #__VA_ARGS__ " fails with " #class)

/* Names the case whose checks follow, without any that failed. */
void case_begin(const char *name);
/* Returns how many checks have failed on this process since case_begin(), or since the program began. */
int case_failures(void);
/* Whether the words of a command ask for a case: a word is the beginning of a name, or, behind '-', of one that is left out. */
bool case_is_wanted(const char *name, char **wanted);
bool case_is_word(const char *word, const char *expected);

#endif
