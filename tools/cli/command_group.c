/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/nearest_name.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"

enum { MOST_TOOLS = 16 };

static void print_usage(const tool_group *g, FILE *out)
{
    fprintf(out, "usage: %s COMMAND ...\n\ncommands:\n", g->path);
    for (int i = 0; i < g->n; i++)
        if (g->tools[i]->help)
            fprintf(out, "  %-9s %s\n", g->tools[i]->name, g->tools[i]->help);
    fprintf(out, "  %-9s %s\n\noptions:\n%s\n%s\n", "help", "'help COMMAND...' is 'COMMAND... --help'", common_options,
            g->more);
}

static void list_commands(const tool_group *g)
{
    for (int i = 0; i < g->n; i++)
        if (g->tools[i]->help)
            printf("%s\n", g->tools[i]->name);
    printf("help\n--help\n--version\n");
}

static const tool *find_command(const tool_group *g, const char *name)
{
    for (int i = 0; i < g->n; i++)
        if (!strcmp(name, g->tools[i]->name))
            return g->tools[i];
    return NULL;
}

static int fail_unknown_command(const tool_group *g, const char *word)
{
    char hint[H3OU__HINT];
    const char *names[MOST_TOOLS + 1] = {"help"};
    int n = 1;
    for (int i = 0; i < g->n && n <= MOST_TOOLS; i++)
        if (g->tools[i]->help)
            names[n++] = g->tools[i]->name;
    fprintf(stderr, "%s: no command '%s'%s\n\n", g->path, word, h3ou__did_you_mean(word, names, n, hint));
    print_usage(g, stderr);
    return OPTIONS_WRONG;
}

/* Runs 'help COMMAND WORD...' as 'COMMAND WORD... --help'. */
static int run_help(const tool_group *g, int argc, char **argv)
{
    const tool *t = find_command(g, argv[2]);
    if (!t)
        return fail_unknown_command(g, argv[2]);
    static char last[] = "--help";
    char **words = malloc(sizeof *words * (size_t)argc);
    if (!words)
        return 1;
    int n = argc - 2;
    memcpy(words, argv + 2, sizeof *words * (size_t)n);
    words[n++] = last;
    words[n] = NULL;
    int code = t->run(n, words);
    free(words);
    return code;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return !strcmp(word, a) || !strcmp(word, b);
}

int tool_group_run(const tool_group *g, int argc, char **argv)
{
    if (argc < 2) {
        print_usage(g, stderr);
        return OPTIONS_WRONG;
    }
    if (is_one_of(argv[1], "--help", "-h") || (argc == 2 && !strcmp(argv[1], "help"))) {
        print_usage(g, stdout);
        return 0;
    }
    if (is_one_of(argv[1], "--version", "-V")) {
        print_version();
        return 0;
    }
    if (!strcmp(argv[1], "--words")) {
        list_commands(g);
        return 0;
    }
    if (!strcmp(argv[1], "help"))
        return run_help(g, argc, argv);
    const tool *t = find_command(g, argv[1]);
    return t ? t->run(argc - 1, argv + 1) : fail_unknown_command(g, argv[1]);
}

void discard_file(const char *file)
{
    struct stat s;
    if (lstat(file, &s) == 0 && S_ISREG(s.st_mode))
        remove(file);
}
