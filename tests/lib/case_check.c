/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/lib/case_check.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PRINTED = 10 }; /* failed checks of a case */

static int failures;
static const char *running = "start";

void case_begin(const char *name)
{
    failures = 0;
    running = name;
}

int case_failures(void)
{
    return failures;
}

bool case_check(bool is_true, const char *file, int line, const char *text)
{
    const char *slash = strrchr(file, '/');
    if (!is_true && ++failures <= MOST_PRINTED)
        printf("rank %d: %s: %s:%d: %s\n", my_rank, running, slash ? slash + 1 : file, line, text);
    return is_true;
}

bool case_equal(long long got, long long expected, const char *file, int line, const char *text)
{
    char more[512];
    snprintf(more, sizeof more, "%s: got %lld, expected %lld", text, got, expected);
    return case_check(got == expected, file, line, more);
}

bool case_call(int code, const char *file, int line, const char *text)
{
    char more[MPI_MAX_ERROR_STRING + 512], error[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, error, &length);
    snprintf(more, sizeof more, "%s: code %d: %s", text, code, error);
    return case_check(false, file, line, more);
}

bool case_class(int code, int expected, const char *file, int line, const char *text)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    return case_equal(class, expected, file, line, text);
}

bool case_is_wanted(const char *name, char **wanted)
{
    bool all = true;
    for (char **w = wanted; *w; w++) {
        bool without = **w == '-';
        if (strncmp(name, *w + without, strlen(*w + without)) == 0)
            return !without;
        all = all && without;
    }
    return all;
}

bool case_is_word(const char *word, const char *expected)
{
    return word && strcmp(word, expected) == 0;
}
