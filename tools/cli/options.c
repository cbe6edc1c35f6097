/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/cli/options.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest_name.h"

enum { MOST_NAMES = 32 };

const char common_options[] = "  -h, --help                     print this\n"
                              "  -V, --version                  print the version\n";

void print_version(void)
{
    printf("h3ou %s\n", H3OU_VERSION);
}

/* A command of no group has no word before its name. */
static const char *gap(const command *c)
{
    return *c->of ? " " : "";
}

int options_wrong(const command *c, const char *format, ...)
{
    va_list rest;
    fprintf(stderr, "h3ou %s%s%s: ", c->of, gap(c), c->name);
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    fprintf(stderr, "\nusage: h3ou %s%s%s %s\n'h3ou %s%s%s --help' says more.\n", c->of, gap(c), c->name,
            c->synopsis, c->of, gap(c), c->name);
    return OPTIONS_WRONG;
}

static void print_help(const command *c, const option options[], int n)
{
    printf("usage: h3ou %s%s%s %s\n\n%s\noptions:\n", c->of, gap(c), c->name, c->synopsis, c->what);
    for (int i = 0; i < n; i++) {
        char left[80];
        snprintf(left, sizeof left, "%s%s %s", options[i].name[1] == '-' ? "    " : "", options[i].name,
                 options[i].value ? options[i].value : "");
        if (strlen(left) > 30)
            printf("  %s\n  %-30s %s\n", left, "", options[i].help);
        else
            printf("  %-30s %s\n", left, options[i].help);
    }
    printf("%s", common_options);
    if (c->more)
        c->more(stdout);
}

/* Splits "a|b|c" in place into its words; returns how many there are. */
static int split_words(char *text, const char *names[MOST_NAMES])
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
    int n = split_words(text, names);
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], word))
            return i;
    return -1;
}

static int unknown_choice(const command *c, const option *o, const char *said, const char *v)
{
    char text[256], hint[H3OU__HINT];
    const char *names[MOST_NAMES];
    snprintf(text, sizeof text, "%s", o->value);
    int n = split_words(text, names);
    return options_wrong(c, "%s '%s'%s; there are: %s", said, v, h3ou__did_you_mean(v, names, n, hint), o->value);
}

static const char *long_name(const option *o)
{
    return strstr(o->name, "--");
}

static int unknown_option(const command *c, const option options[], int n, const char *a)
{
    char hint[H3OU__HINT];
    const char *names[MOST_NAMES] = {"--help", "--version"};
    for (int i = 0; i < n && i + 2 < MOST_NAMES; i++)
        names[i + 2] = long_name(&options[i]);
    return options_wrong(c, "there is no option '%s'%s", a, strlen(a) > 2 ? h3ou__did_you_mean(a, names, n + 2, hint) : "");
}

/* Stores the value of an option. said: the option as the command line has it, -m or --method. */
static int store_value(const command *c, const option *o, const char *said, const char *v)
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
        return *v ? OPTIONS_FINE : options_wrong(c, "%s '': nothing is given, it takes %s", said, o->value);
    case OPTION_COUNT:
        count = strtol(v, &end, 10);
        if (!*v || *end || count < 1 || count > INT_MAX)
            return options_wrong(c, "%s '%s': not a number, it takes a whole number from 1", said, v);
        *(int *)o->to = (int)count;
        return OPTIONS_FINE;
    case OPTION_REAL:
        real = strtod(v, &end);
        if (!*v || *end || !(real - real == 0.0))
            return options_wrong(c, "%s '%s': not a number", said, v);
        *(double *)o->to = real;
        return OPTIONS_FINE;
    case OPTION_CHOICE:
        count = option_choice(o->value, v);
        *(int *)o->to = (int)count;
        return count >= 0 ? OPTIONS_FINE : unknown_choice(c, o, said, v);
    }
    return OPTIONS_WRONG;
}

static const option *find_option(const option options[], int n, const char *said)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(long_name(&options[i]), said) ||
            (options[i].name[1] != '-' && strlen(said) == 2 && !strncmp(options[i].name, said, 2)))
            return &options[i];
    return NULL;
}

/* Reads the option at argv[*i] and its value, which may be the next word. */
static int parse_option(const command *c, const option options[], int n, int argc, char **argv, int *i)
{
    char said[64];
    const char *a = argv[*i], *equals = a[1] == '-' ? strchr(a, '=') : NULL;
    snprintf(said, sizeof said, "%.*s", (int)(equals ? (size_t)(equals - a) : strlen(a)), a);
    const option *o = find_option(options, n, said);
    if (!o)
        return unknown_option(c, options, n, a);
    if (!o->value)
        return equals ? options_wrong(c, "%s takes no value", said) : store_value(c, o, said, NULL);
    if (equals)
        return store_value(c, o, said, equals + 1);
    if (*i + 1 == argc)
        return options_wrong(c, "%s is the last word: it takes %s", said, o->value);
    return store_value(c, o, said, argv[++*i]);
}

static void list_values(const command *c, const option *o)
{
    if (o->kind == OPTION_TEXT && c->words) {
        c->words(long_name(o), stdout);
    } else if (o->kind == OPTION_CHOICE) {
        char text[256];
        const char *names[MOST_NAMES];
        snprintf(text, sizeof text, "%s", o->value);
        int n = split_words(text, names);
        for (int i = 0; i < n; i++)
            printf("%s\n", names[i]);
    }
}

static void list_names(const option options[], int n)
{
    for (int i = 0; i < n; i++)
        printf("%s\n", long_name(&options[i]));
    printf("--help\n--version\n");
}

/* Handles --help, --version and --words, which print something instead of running the command. */
static bool print_and_end(const command *c, const option options[], int n, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_help(c, options, n);
            return true;
        } else if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "-V")) {
            print_version();
            return true;
        }
    if (argc == 1 || strcmp(argv[1], "--words"))
        return false;
    const option *o = argc > 2 ? find_option(options, n, argv[2]) : NULL;
    if (o)
        list_values(c, o);
    else if (argc == 2)
        list_names(options, n);
    return true;
}

int options_parse(const command *c, const option options[], int n, int argc, char **argv, const char *files[],
                  int *nfile)
{
    bool only_files = false;
    *nfile = 0;
    if (print_and_end(c, options, n, argc, argv))
        return OPTIONS_HELPED;
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
