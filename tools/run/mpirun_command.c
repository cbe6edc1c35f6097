/* SPDX-License-Identifier: BSD-3-Clause */
/* h3ou mpirun: starts a program that was built with one MPI on another. The command's own options come first and are read here; the
 * rest are words of that MPI's mpirun, and are left to Python (tools/run/mpirun). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/cli/command_group.h"
#include "tools/cli/options.h"
#include "tools/cli/python_program.h"

static void print_more(FILE *out)
{
    fputs("\nThe options of h3ou stand before those of mpirun. An example:\n"
          "  h3ou mpirun --on mpich -n 4 ./program_of_openmpi ARGUMENT...\n"
          "docs/mpi-adaptor.md says what is mapped to what, and what cannot be.\n",
          out);
}

/* Returns how many words from argv[1] on are options of this command, with their values. */
static int own_words(int argc, char **argv)
{
    static const struct {
        const char *name;
        int values;
    } own[] = {{"--on", 1}, {"--built-with", 1}, {"--list", 0}, {"--dry-run", 0}, {"-q", 0},       {"--quiet", 0},
               {"-h", 0},   {"--help", 0},       {"-V", 0},     {"--version", 0}, {"--words", 1}, {"--library", 1}, {"--launcher", 1}};
    int i = 1;
    while (i < argc) {
        size_t length = strcspn(argv[i], "="), k = 0, n = sizeof own / sizeof *own;
        while (k < n && (strlen(own[k].name) != length || strncmp(own[k].name, argv[i], length) != 0))
            k++;
        if (k == n)
            break;
        i += argv[i][length] ? 1 : 1 + own[k].values;
    }
    return (i < argc ? i : argc) - 1;
}

static int become_program(const char *const own[], int nown, char **rest, int nrest)
{
    const char **words = calloc((size_t)(nown + nrest) + 1, sizeof *words);
    if (!words)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the words of a command");
    memcpy(words, own, sizeof *words * (size_t)nown);
    for (int i = 0; i < nrest; i++)
        words[nown + i] = rest[i];
    int code = python_program_become("run/mpirun", words);
    free(words);
    return code;
}

static int start_on_other(int argc, char **argv)
{
    static const char *const mpis[] = {"mpich", "openmpi", "abi", ""};
    const command c = {.of = "",
                       .name = "mpirun",
                       .synopsis = "--on mpich|openmpi|abi [OPTION...] [MPIRUN'S OPTION...] PROGRAM [ARGUMENT...]",
                       .what = "Starts a program that was built with one MPI under the mpirun of another, whose library then does "
                               "the\nprogram's communication.\n",
                       .more = print_more,
                       .least = 0,
                       .most = 0};
    int on = 3, built_with = 3, nfile, nown = own_words(argc, argv);
    const char *library = "", *launcher = "";
    bool is_list = false, is_dry = false, is_quiet = false;
    const option options[] = {
        {"--on", "mpich|openmpi|abi", "the MPI to run on", OPTION_CHOICE, &on},
        {"--built-with", "mpich|openmpi|abi", "the program's MPI, where its file does not say it", OPTION_CHOICE, &built_with},
        {"--library", "FILE", "the library of the MPI to run on", OPTION_TEXT, &library},
        {"--launcher", "FILE", "its mpirun", OPTION_TEXT, &launcher},
        {"--list", NULL, "print which MPIs are mapped, and on which ones programs can run here", OPTION_SWITCH, &is_list},
        {"--dry-run", NULL, "print the command, start nothing", OPTION_SWITCH, &is_dry},
        {"-q, --quiet", NULL, "do not say what is done", OPTION_SWITCH, &is_quiet}};
    int code = options_parse(&c, options, sizeof options / sizeof *options, nown + 1, argv, NULL, &nfile);
    if (code)
        return code == OPTIONS_HELPED ? 0 : code;
    if (!is_list && on == 3)
        return options_wrong(&c, "--on is missing, before the words of mpirun: the MPI to run on");
    if (!is_list && nown + 1 == argc)
        return options_wrong(&c, "no program is given");
    const char *own[] = {H3OU_LIBRARY_FOLDER,           is_list ? "list" : is_dry ? "dry-run" : "run", mpis[on], mpis[built_with],
                         library,                       launcher,
                         is_quiet ? "quiet" : "show"};
    code = become_program(own, sizeof own / sizeof *own, argv + 1 + nown, argc - 1 - nown);
    fprintf(stderr, "h3ou mpirun: %s\n", h3ou__fail_text());
    return code ? 1 : 0;
}

const tool tool_mpirun = {"mpirun", "start a program of one MPI on another", start_on_other};
