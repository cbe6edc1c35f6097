/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a subcommand as one table, by which the command line is read and --help printed. */
#ifndef H3OU_TOOL_OPTIONS_H
#define H3OU_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

enum option_kind { OPTION_SWITCH, OPTION_TEXT, OPTION_COUNT, OPTION_REAL, OPTION_CHOICE };

typedef struct option {
    const char *name;  /* "--norm", "-o, --output" */
    const char *value; /* its value, for the help: "FILE"; the words of a choice with | between; NULL: a switch */
    const char *help;
    enum option_kind kind;
    void *to; /* bool, const char *, int (1 or more), double, int (number of the word) */
} option;

typedef struct command {
    const char *of;       /* the group of which it is a subcommand: "weights"; "": none */
    const char *name;     /* "make" */
    const char *synopsis; /* "SRC.nc DST.nc -m METHOD... -o W.nc [OPTION...]" */
    const char *what;     /* a few sentences, lines ended */
    void (*more)(FILE *); /* further help, or NULL */
    /* Prints, for --words, the words that the value of a text option may be, one a line; NULL: anything. */
    void (*words)(const char *name, FILE *);
    int least, most;      /* files */
} command;

/* The options that every command has: two lines of the help, and the output of -V. */
extern const char common_options[];
void print_version(void);

enum { OPTIONS_FINE = 0, OPTIONS_HELPED = -1, OPTIONS_WRONG = 2 };

/* Fills what the options point to and files[command->most]. Prints on stderr what is wrong, with the nearest known word
 * and how to get help. --help, --version and --words print to stdout; then OPTIONS_HELPED is returned. Options may stand
 * anywhere; --name=value and --name value are the same; after -- all are files. `--words` alone prints the options'
 * names, one a line; `--words OPTION` the words that the option's value may be. */
int options_parse(const command *c, const option options[], int n, int argc, char **argv, const char *files[],
                  int *nfile);
/* Prints "h3ou OF NAME: sentence" and how to get help; returns OPTIONS_WRONG. */
int options_wrong(const command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns the number of a word in "a|b|c", or -1. */
int option_choice(const char *choices, const char *word);

#endif
