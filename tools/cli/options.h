/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a subcommand as a table: what --help prints and what the command line may say are the same thing. */
#ifndef H3OU_TOOL_OPTIONS_H
#define H3OU_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

enum option_kind { OPTION_SWITCH, OPTION_TEXT, OPTION_COUNT, OPTION_REAL, OPTION_CHOICE };

typedef struct option {
    const char *name;  /* "--norm", "-o, --output" */
    const char *value; /* what it takes, for the help: "FILE"; of a choice the words with | between; NULL: a switch */
    const char *help;
    enum option_kind kind;
    void *to; /* bool, const char *, int (1 or more), double, int (number of the word) */
} option;

typedef struct command {
    const char *of;       /* "weights", of which it is a subcommand */
    const char *name;     /* "make" */
    const char *synopsis; /* "SRC.nc DST.nc -m METHOD... -o W.nc [OPTION...]" */
    const char *what;     /* a few sentences, lines ended */
    void (*more)(FILE *); /* further help, or NULL */
    /* Prints what the option's text may be, one word a line, for --list; NULL: anything. */
    void (*words)(const char *name, FILE *);
    int least, most;      /* files */
} command;

/* What every command understands besides its own: two lines of a help, and what -V prints. */
extern const char common_options[];
void print_version(void);

enum { OPTIONS_FINE = 0, OPTIONS_HELPED = -1, OPTIONS_WRONG = 2 };

/* Fills what the options point to and files[command->most]. Says what is wrong on stderr, with the nearest known word
 * and how to get help. --help, --version and --list print to stdout, and the answer is OPTIONS_HELPED. Options may stand
 * anywhere; --name=value and --name value are the same; after -- all are files. `--list` alone prints the options'
 * names, one a line; `--list OPTION` the words that the option's value may be. */
int options_parse(const command *c, const option options[], int n, int argc, char **argv, const char *files[],
                  int *nfile);
/* Says "h3ou OF NAME: sentence" and where the help is; answers OPTIONS_WRONG. */
int options_wrong(const command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The number of a word in "a|b|c", or -1. */
int option_choice(const char *choices, const char *word);
/* "', did you mean 'b'?" or "'" after a word in quotes. The answer lasts until the next call. */
const char *did_you_mean(const char *word, const char *const names[], int n);

#endif
