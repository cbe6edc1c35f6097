/* SPDX-License-Identifier: BSD-3-Clause */
/* waitio-serv: the job with the master writes its address to a file, the others wait for that file. Despite the name
 * there is no server: -d writes the file and ends. */
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/error.h"
#include "tools/serv/endpoint_file.h"
#include "tools/serv/port.h"

static const char synopsis[] = "usage: waitio-serv -d [-m HOST] [-p PORT] [-e]    leave the address of the master\n"
                               "       waitio-serv -c [-t SECONDS] [-a SECONDS] [-e]   wait for it and print it\n"
                               "       waitio-serv -r                             remove it\n";

static const char more[] =
    "\n"
    "  -d, --leave            write the address of the master to the file\n"
    "  -c, --wait             wait for it, and print it\n"
    "  -r, --remove           remove the file\n"
    "  -m, --host HOST        where rank 0 of the job with PBID 0 will run (else WAITIO_MASTER_HOST, else this host)\n"
    "  -p, --port PORT        its port (else WAITIO_MASTER_PORT, else a free one)\n"
    "  -t, --timeout SECONDS  how long -c waits (else WAITIO_JOIN_PATIENCE, else 600); 0: looks once\n"
    "  -a, --age SECONDS      -c takes no address that is older: of an earlier run (3600); 0: of any age\n"
    "  -e, --eval             print lines for eval: export WAITIO_MASTER_HOST=... and WAITIO_MASTER_PORT=...; without\n"
    "                         it -c prints the host alone, and -d nothing\n"
    "  -q, --quiet            say nothing while waiting\n"
    "  -h, --help             print this\n"
    "  -V, --version          print the version\n"
    "\n"
    "The file is .waitio-master-ID in the folder WAITIO_SCRATCH_DIR (else HOME/.waitio); ID is COUPLER_JOB_ID, by "
    "which\n"
    "runs at the same time are told apart. All jobs must see that folder, and have the same ID.\n"
    "\n"
    "  in the job of PBID 0:   eval \"$(waitio-serv -d -e -m $(hostname))\"\n"
    "  in the others:          eval \"$(waitio-serv -c -e)\"\n";

static const char letters[] = ":dcrm:p:t:a:eqhV";
static const struct option names[] = {
    {"leave", no_argument, NULL, 'd'},         {"wait", no_argument, NULL, 'c'},
    {"remove", no_argument, NULL, 'r'},        {"host", required_argument, NULL, 'm'},
    {"port", required_argument, NULL, 'p'},    {"timeout", required_argument, NULL, 't'},
    {"age", required_argument, NULL, 'a'},     {"eval", no_argument, NULL, 'e'},
    {"quiet", no_argument, NULL, 'q'},         {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},       {"words", no_argument, NULL, 'L'}, /* for the completion of bash */
    {0},
};

typedef struct orders {
    char what; /* 'd', 'c', 'r' */
    const char *host;
    int port; /* 0: choose */
    double patience, age;
    bool is_for_eval, is_quiet;
} orders;

static int fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int fail_usage(const char *format, ...)
{
    va_list rest;
    fprintf(stderr, "waitio-serv: ");
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    fprintf(stderr, "\n%s'waitio-serv -h' says more.\n", synopsis);
    return 2;
}

static int fail_with_text(void)
{
    fprintf(stderr, "waitio-serv: %s\n", h3ou__fail_text());
    return 1;
}

static bool read_seconds(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return *text && !*end && *out >= 0.0 && *out <= 1e9;
}

static int read_port(const char *text, int *out)
{
    char *end;
    long port = strtol(text, &end, 10);
    if (!*text || *end || port < 1 || port > 65535)
        return fail_usage("-p %s: a port is a number from 1 to 65535", text);
    *out = (int)port;
    return 0;
}

static void list_options(void)
{
    for (const struct option *o = names; strcmp(o->name, "words"); o++)
        printf("--%s\n", o->name);
}

/* Reads the value of an option that is not one of -d, -c and -r. Returns 0, or 2 when the value is wrong. */
static int read_value(int c, orders *o)
{
    if (c == 'm')
        o->host = optarg;
    else if (c == 'p')
        return read_port(optarg, &o->port);
    else if (c == 't' && !read_seconds(optarg, &o->patience))
        return fail_usage("-t %s: it takes seconds, 0 or more", optarg);
    else if (c == 'a' && !read_seconds(optarg, &o->age))
        return fail_usage("-a %s: it takes seconds, 0 or more", optarg);
    o->is_for_eval |= c == 'e';
    o->is_quiet |= c == 'q';
    return 0;
}

/* Reports an option that getopt_long refused. If optopt is a known letter, a long option without value was given one.
 */
static int wrong_option(int c, const char *word)
{
    if (c == ':')
        return fail_usage("%s is the last word: it takes a value", word);
    if (strncmp(word, "--", 2) == 0)
        return optopt ? fail_usage("%s: it takes no value", word) : fail_usage("there is no option %s", word);
    return fail_usage("there is no option -%c", optopt);
}

/* Reads the command line. Returns 0, 2 on an error, or -1 when there is nothing left to do. */
static int read_options(int argc, char **argv, orders *o)
{
    int c;
    opterr = 0;
    while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1) {
        if (c == '?' || c == ':')
            return wrong_option(c, argv[optind - 1]);
        if (c == 'h')
            printf("%s%s", synopsis, more);
        else if (c == 'V')
            printf("waitio-serv %s\n", H3OU_VERSION);
        else if (c == 'L')
            list_options();
        if (strchr("hVL", c))
            return -1;
        if (strchr("dcr", c) && o->what && o->what != c)
            return fail_usage("-%c and -%c: one at a time", o->what, c);
        if (strchr("dcr", c))
            o->what = (char)c;
        else if (read_value(c, o))
            return 2;
    }
    if (optind < argc)
        return fail_usage("'%s' is no option", argv[optind]);
    if (!o->what && o->host) /* job scripts also give -m without -d */
        o->what = 'd';
    return o->what ? 0 : fail_usage("say -d, -c or -r");
}

static void print_for_eval(const waitio_address *a)
{
    printf("export WAITIO_MASTER_HOST=%s\nexport WAITIO_MASTER_PORT=%d\n", a->host, a->port);
}

/* Checks that all output was written, because a script would use a part of it. */
static int end_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    perror("waitio-serv: standard output");
    return 1;
}

static int leave_address(const place *p, orders *o)
{
    char here[256] = "";
    waitio_address a = {.written = (int64_t)time(NULL)};
    const char *named = getenv("WAITIO_MASTER_HOST");
    int64_t port = o->port;
    bool is_tested, is_hidden;
    if (!o->host && named && *named)
        o->host = named;
    if (!o->host && gethostname(here, sizeof here - 1) == 0)
        o->host = here;
    if (!o->host || !waitio_address_is_host(o->host))
        return fail_usage("-m '%.256s' is no host name or number", o->host ? o->host : "");
    if (!port && h3ou__env_int("WAITIO_MASTER_PORT", 1, 65535, 0, &port))
        return fail_with_text();
    a.port = (int)port;
    snprintf(a.host, sizeof a.host, "%s", o->host);
    if (port_choose(a.host, &a.port, &is_tested, &is_hidden) || place_write(p, &a))
        return fail_with_text();
    if (!o->is_quiet)
        fprintf(stderr, "waitio-serv: %s: %s port %d%s\n", p->file, a.host, a.port,
                is_tested ? "" : " (not of this machine: whether the port is free there is not known)");
    if (is_hidden)
        fprintf(
            stderr,
            "waitio-serv: %s leads to a loopback address here, where only jobs on this host can join: say with -m a "
            "name or number by which other hosts reach this one\n",
            a.host);
    if (o->is_for_eval)
        print_for_eval(&a);
    return end_output();
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

/* Returns the address's age in seconds if it is too old, else 0, also when another host's clock is ahead of this one.
 */
static int64_t too_old(const waitio_address *a, double age)
{
    int64_t old = (int64_t)time(NULL) - a->written;
    return age > 0.0 && (double)old > age ? old : 0;
}

static int report_no_address(const place *p, const orders *o, int64_t old)
{
    if (old)
        fprintf(stderr,
                "waitio-serv: waited %g s: %s is %" PRId64
                " s old, of an earlier run: start the job of PBID 0 ('waitio-serv -d -m "
                "HOST'), or take it in spite of its age with -a 0\n",
                o->patience, p->file, old);
    else
        fprintf(
            stderr,
            "waitio-serv: waited %g s: there is no %s: does the job of PBID 0 run 'waitio-serv -d -m HOST', with the "
            "same WAITIO_SCRATCH_DIR and COUPLER_JOB_ID? -t waits longer\n",
            o->patience, p->file);
    return 1;
}

static int await_address(const place *p, const orders *o)
{
    waitio_address a;
    int64_t old = 0;
    double began = seconds_now(), say = 2.0, nap = 0.05;
    for (;;) {
        int code = place_read(p, &a);
        if (code < 0)
            return fail_with_text();
        old = code == PLACE_FOUND ? too_old(&a, o->age) : 0;
        if (code == PLACE_FOUND && !old)
            break;
        double waited = seconds_now() - began;
        if (waited >= o->patience)
            return report_no_address(p, o, old);
        if (!o->is_quiet && waited >= say) {
            fprintf(stderr, "waitio-serv: waiting for %s, %.0f s%s\n", p->file, waited,
                    old ? " (the one there is of an earlier run)" : "");
            say = waited < 60.0 ? 10.0 * (double)((int)(waited / 10.0) + 1) : waited + 60.0;
        }
        pause_for(nap < o->patience - waited ? nap : o->patience - waited);
        nap = nap < 0.5 ? 1.5 * nap : 0.5;
    }
    if (o->is_for_eval)
        print_for_eval(&a);
    else
        printf("%s\n", a.host);
    return end_output();
}

int main(int argc, char **argv)
{
    orders o = {.age = 3600.0, .patience = -1.0};
    place p;
    int code = read_options(argc, argv, &o);
    if (code)
        return code < 0 ? 0 : code;
    if (o.patience < 0.0 && h3ou__env_real("WAITIO_JOIN_PATIENCE", 600.0, &o.patience))
        return fail_with_text();
    if (place_find(&p))
        return fail_with_text();
    if (o.what == 'r')
        return place_remove(&p) ? fail_with_text() : 0;
    return o.what == 'd' ? leave_address(&p, &o) : await_address(&p, &o);
}
