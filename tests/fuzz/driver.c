/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a fuzz target where there is no fuzzer: first every file of the corpus as it is, then, for some seconds at most,
 * mutations of them, always the same ones. DRIVER FOLDER [SECONDS [ITERATIONS [SEED]]]
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { INPUTS = 256, MOST = 8192 };

static struct input {
    uint8_t *bytes;
    size_t n;
} corpus[INPUTS];
static int ninputs;
static uint64_t state = 88172645463325252u;

static size_t dice(size_t sides)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % sides);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void load(const char *folder, const char *name)
{
    char path[1024];
    uint8_t *bytes = malloc(MOST);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = bytes && ninputs < INPUTS && name[0] != '.' ? fopen(path, "rb") : NULL;
    if (!f) {
        free(bytes);
        return;
    }
    corpus[ninputs++] = (struct input){bytes, fread(bytes, 1, MOST, f)};
    fclose(f);
}

/* From the heap and with its own size: reading past the end is seen. */
static void run(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy)
        exit(2);
    memcpy(copy, bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

static size_t mutate_once(uint8_t *b, size_t n)
{
    static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff, '\n', '0', '9', ':', ' '};
    size_t at = n ? dice(n) : 0, length = 1 + dice(16);
    switch (dice(7)) {
    case 0: /* a bit */
        if (n)
            b[at] ^= (uint8_t)(1u << dice(8));
        return n;
    case 1:
        if (n)
            b[at] = (uint8_t)dice(256);
        return n;
    case 2:
        if (n)
            b[at] = edges[dice(sizeof edges)];
        return n;
    case 3: /* cut short */
        return dice(n + 1);
    case 4: /* left out */
        length = length < n - at ? length : n - at;
        memmove(b + at, b + at + length, n - at - length);
        return n - length;
    case 5: /* twice */
        length = length < n - at ? length : n - at;
        if (n + length > MOST)
            return n;
        memmove(b + at + length, b + at, n - at);
        return n + length;
    default: { /* the rest of another */
        const struct input *other = &corpus[dice((size_t)ninputs)];
        size_t from = dice(other->n + 1), rest = other->n - from;
        if (at + rest > MOST)
            return n;
        memcpy(b + at, other->bytes + from, rest);
        return at + rest;
    }
    }
}

int main(int argc, char **argv)
{
    static uint8_t bytes[MOST];
    struct dirent **names;
    int found = argc > 1 ? scandir(argv[1], &names, NULL, by_name) : -1;
    long seconds = argc > 2 ? atol(argv[2]) : 2, most = argc > 3 ? atol(argv[3]) : 200000, done = 0;
    if (argc > 4)
        state ^= strtoull(argv[4], NULL, 0) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < found; i++) {
        load(argv[1], names[i]->d_name);
        free(names[i]);
    }
    if (found >= 0)
        free(names);
    if (!ninputs) {
        fprintf(stderr, "usage: %s CORPUS [SECONDS [ITERATIONS [SEED]]]\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < ninputs; i++)
        run(corpus[i].bytes, corpus[i].n);
    time_t end = time(NULL) + seconds;
    for (; done < most && (done % 256 || time(NULL) <= end); done++) {
        const struct input *from = &corpus[dice((size_t)ninputs)];
        size_t n = from->n;
        memcpy(bytes, from->bytes, n);
        for (size_t times = 1 + dice(4); times > 0; times--)
            n = mutate_once(bytes, n);
        run(bytes, n);
    }
    printf("%d files, %ld mutations\n", ninputs, done);
    for (int i = 0; i < ninputs; i++)
        free(corpus[i].bytes);
    return 0;
}
