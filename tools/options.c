/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

enum { MOST_NAMES = 32 };

int options_wrong(const command *c, const char *format, ...)
{
    va_list rest;
    fprintf(stderr, "h3ou %s %s: ", c->of, c->name);
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    fprintf(stderr, "\nusage: h3ou %s %s %s\n'h3ou %s %s --help' says more.\n", c->of, c->name, c->synopsis, c->of,
            c->name);
    return OPTIONS_WRONG;
}

const char *did_you_mean(const char *word, const char *const names[], int n)
{
    static char text[128];
    const char *near = h3ou__nearest(word, names, n);
    snprintf(text, sizeof text, "'%s%s%s", near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    return text;
}

static void help(const command *c, const option options[], int n)
{
    printf("usage: h3ou %s %s %s\n\n%s", c->of, c->name, c->synopsis, c->what);
    if (n)
        printf("\noptions:\n");
    for (int i = 0; i < n; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", options[i].name, options[i].value ? options[i].value : "");
        if (strlen(left) > 30)
            printf("  %s\n  %-30s %s\n", left, "", options[i].help);
        else
            printf("  %-30s %s\n", left, options[i].help);
    }
    if (c->more)
        c->more(stdout);
}

/* The words of "a|b|c" in text, which is cut; answers how many. */
static int words(char *text, const char *names[MOST_NAMES])
{
    int n = 0;
    char *rest = NULL;
    for (char *w = strtok_r(text, "|", &rest); w && n < MOST_NAMES; w = strtok_r(NULL, "|", &rest))
        names[n++] = w;
    return n;
}

int option_choice(const char *choices, const char *word)
{
    char text[256];
    const char *names[MOST_NAMES];
    snprintf(text, sizeof text, "%s", choices);
    int n = words(text, names);
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], word))
            return i;
    return -1;
}

static int unknown_choice(const command *c, const option *o, const char *v)
{
    char text[256];
    const char *names[MOST_NAMES];
    snprintf(text, sizeof text, "%s", o->value);
    int n = words(text, names);
    return options_wrong(c, "%s '%s%s; there are: %s", o->name, v, did_you_mean(v, names, n), o->value);
}

static int unknown_option(const command *c, const option options[], int n, const char *a)
{
    const char *names[MOST_NAMES] = {"--help"};
    for (int i = 0; i < n && i + 1 < MOST_NAMES; i++)
        names[i + 1] = options[i].name;
    return options_wrong(c, "there is no option '%s%s", a, strlen(a) > 2 ? did_you_mean(a, names, n + 1) : "'");
}

static int take(const command *c, const option *o, const char *v)
{
    char *end = NULL;
    double real;
    long count;
    switch (o->kind) {
    case OPTION_SWITCH:
        *(bool *)o->to = true;
        return OPTIONS_FINE;
    case OPTION_TEXT:
        *(const char **)o->to = v;
        return *v ? OPTIONS_FINE : options_wrong(c, "%s '': nothing is given, it takes %s", o->name, o->value);
    case OPTION_COUNT:
        count = strtol(v, &end, 10);
        if (!*v || *end || count < 1 || count > INT_MAX)
            return options_wrong(c, "%s '%s': not a number, it takes a whole number from 1", o->name, v);
        *(int *)o->to = (int)count;
        return OPTIONS_FINE;
    case OPTION_REAL:
        real = strtod(v, &end);
        if (!*v || *end || !(real - real == 0.0))
            return options_wrong(c, "%s '%s': not a number", o->name, v);
        *(double *)o->to = real;
        return OPTIONS_FINE;
    case OPTION_CHOICE:
        count = option_choice(o->value, v);
        *(int *)o->to = (int)count;
        return count >= 0 ? OPTIONS_FINE : unknown_choice(c, o, v);
    }
    return OPTIONS_WRONG;
}

static const option *find(const option options[], int n, const char *a, size_t length)
{
    for (int i = 0; i < n; i++)
        if (strlen(options[i].name) == length && !strncmp(options[i].name, a, length))
            return &options[i];
    return NULL;
}

/* The option at argv[*i], and its value, which may be the next word. */
static int parse_option(const command *c, const option options[], int n, int argc, char **argv, int *i)
{
    const char *a = argv[*i], *equals = a[1] == '-' ? strchr(a, '=') : NULL;
    const option *o = find(options, n, a, equals ? (size_t)(equals - a) : strlen(a));
    if (!o)
        return unknown_option(c, options, n, a);
    if (!o->value)
        return equals ? options_wrong(c, "%s takes no value", o->name) : take(c, o, NULL);
    if (equals)
        return take(c, o, equals + 1);
    if (*i + 1 == argc)
        return options_wrong(c, "%s is the last word: it takes %s", o->name, o->value);
    return take(c, o, argv[++*i]);
}

int options_parse(const command *c, const option options[], int n, int argc, char **argv, const char *files[],
                  int *nfile)
{
    bool only_files = false;
    *nfile = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            help(c, options, n);
            return OPTIONS_HELPED;
        }
    for (int i = 1; i < argc; i++) {
        if (!only_files && !strcmp(argv[i], "--")) {
            only_files = true;
        } else if (!only_files && argv[i][0] == '-' && argv[i][1]) {
            int code = parse_option(c, options, n, argc, argv, &i);
            if (code)
                return code;
        } else if (*nfile == c->most) {
            return options_wrong(c, "'%s' is one file too many", argv[i]);
        } else {
            files[(*nfile)++] = argv[i];
        }
    }
    if (*nfile < c->least)
        return options_wrong(c, "%d file%s given, %d needed", *nfile, *nfile == 1 ? "" : "s", c->least);
    return OPTIONS_FINE;
}
