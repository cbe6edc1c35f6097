/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does what the sanitizers report.
 *
 *   faulty none|leak|overflow|null|undefined|signal
 */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static char *volatile lost; /* whose size the compiler does not know */

/* Loses several blocks: a copy of the last pointer may remain on the stack, where the sanitizer finds it, and it
 * reports no leak of that block. */
static void lose_memory(void)
{
    for (int i = 0; i < 8; i++)
        lost = malloc(100);
    lost = NULL;
}

static void write_behind(size_t i)
{
    lost = malloc(100);
    if (lost)
        lost[i] = 1;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    if (!strcmp(argv[1], "leak"))
        lose_memory();
    if (!strcmp(argv[1], "overflow"))
        write_behind(100 + (size_t)argc);
    if (!strcmp(argv[1], "null"))
        lost[argc] = 1;
    int most = INT_MAX;
    if (!strcmp(argv[1], "undefined"))
        return most + argc < 0;
    if (!strcmp(argv[1], "signal")) {
        signal(SIGSEGV, SIG_DFL); /* not the sanitizer's report */
        raise(SIGSEGV);
    }
    return 0;
}
