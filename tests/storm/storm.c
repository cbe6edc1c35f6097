/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storms: a few jobs exchange random messages by all calls in random order, with settings that are drawn too; every
 * message is checked, and none may be missing, double, or out of order. A seed repeats a storm's plan (its timing is
 * the machine's own).
 *
 *   storm                       a set of runs in which every pair of two settings occurs
 *   storm --minutes 10          storms for so long
 *   storm --runs 40 --route copy --cap 2 --seed 7     with some settings given, others drawn
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/os_clock.h"
#include "play.h"

enum { VALUES = 8, ROWS = 200, TRIES = 40 };

/* A value of a setting: the option's name, and the environment that it stands for. */
typedef struct value {
    const char *name, *environment[8];
} value;
typedef struct setting {
    const char *name;
    value value[VALUES + 1];
} setting;

static char scratch[] = "/tmp/storm-XXXXXX";

static const setting settings[] = {
    {"route",
     {{"tcp", {"WAITIO_ROUTES", "tcp"}},
      {"unix", {"WAITIO_ROUTES", "unix"}},
      {"shm", {"WAITIO_ROUTES", "shm", "WAITIO_SINGLE_COPY", "0"}},
      {"copy", {"WAITIO_ROUTES", "shm"}},
      {"copy-all", {"WAITIO_ROUTES", "shm,unix,tcp", "WAITIO_SINGLE_COPY", "1"}},
      {"file", {"WAITIO_COMM_TYPE", "file", "WAITIO_SCRATCH_DIR", scratch}},
      {"hybrid", {"WAITIO_COMM_TYPE", "hybrid", "WAITIO_HYBRID_THRESHOULD", "50000", "WAITIO_SCRATCH_DIR", scratch}},
      {"streams", {"WAITIO_COMM_TYPE", "socket", "WAITIO_STREAMS", "3"}}}},
    {"cap",
     {{"1", {"WAITIO_MAX_CONNECTIONS", "1"}},
      {"2", {"WAITIO_MAX_CONNECTIONS", "2"}},
      {"3", {"WAITIO_MAX_CONNECTIONS", "3"}},
      {"4", {"WAITIO_MAX_CONNECTIONS", "4"}},
      {"none", {NULL}}}},
    {"wait",
     {{"adaptive", {NULL}},
      {"spin", {"WAITIO_PROGRESS", "spin"}},
      {"block", {"WAITIO_PROGRESS", "block"}},
      {"thread", {"WAITIO_PROGRESS", "thread"}},
      {"threads", {"WAITIO_PROGRESS", "thread"}}}}, /* and several of the program */
    {"guard",
     {{"none", {NULL}},
      {"checksum", {"WAITIO_CHECKSUM", "1"}},
      {"encrypt", {"WAITIO_ENCRYPT", "1"}},
      {"both", {"WAITIO_CHECKSUM", "1", "WAITIO_ENCRYPT", "1"}}}},
    {"credit",
     {{"usual", {NULL}},
      {"little", {"WAITIO_CREDIT", "8192"}},
      {"announced", {"WAITIO_EAGER_LIMIT", "0"}},
      {"eager", {"WAITIO_EAGER_LIMIT", "1000000"}}}},
    {"shape", {{"3,1,1,1", {NULL}}, {"1,1", {NULL}}, {"2,2", {NULL}}, {"4", {NULL}}, {"1,2,2", {NULL}}}},
};
enum { ROUTE, CAP, WAIT, GUARD, CREDIT, SHAPE, SETTINGS };

typedef struct choice {
    int of[SETTINGS]; /* which value; -1: to be drawn */
} choice;

static struct {
    uint64_t seed;
    int runs, rounds;
    double minutes, patience;
    size_t longest;
    bool tells, holds;
    choice given;
} want = {
    .seed = 1, .runs = 0, .rounds = 8, .patience = 60, .longest = PLAN_LONGEST, .given = {{-1, -1, -1, -1, -1, -1}}};

static int values_of(int i)
{
    int n = 0;
    while (settings[i].value[n].name)
        n++;
    return n;
}

static void draw(choice *c, uint64_t *dice)
{
    for (int i = 0; i < SETTINGS; i++)
        c->of[i] = want.given.of[i] >= 0 ? want.given.of[i] : (int)plan_dice(dice, (uint64_t)values_of(i));
}

/* --- one storm --- */

static storm current;
static choice chosen;

static int play(seat *me)
{
    for (int i = 0; i < SETTINGS; i++) {
        const value *v = &settings[i].value[chosen.of[i]];
        for (int k = 0; v->environment[k]; k += 2)
            setenv(v->environment[k], v->environment[k + 1], 1);
    }
    return storm_play(me, &current);
}

static void set_shape(plan *p, const char *shape)
{
    p->npb = p->nprocess = 0;
    for (const char *s = shape; *s; s += s[1] ? 2 : 1) {
        p->first[p->npb] = p->nprocess;
        p->nprocess += p->size[p->npb++] = *s - '0';
    }
}

static void describe(const choice *c, uint64_t seed)
{
    printf("storm --seed %llu --runs 1", (unsigned long long)seed);
    for (int i = 0; i < SETTINGS; i++)
        printf(" --%s %s", settings[i].name, settings[i].value[c->of[i]].name);
    if (want.rounds != 8)
        printf(" --rounds %d", want.rounds);
    printf("\n");
    fflush(stdout);
}

/* What went wrong first comes before what others heard of it. */
static void report(const run *r)
{
    for (int i = 0; i < r->n; i++)
        if (r->seat[i].code || r->seat[i].status)
            printf("    PB %d rank %d: code %d, status %d, round %d: %s\n", r->seat[i].pb, r->seat[i].rank,
                   r->seat[i].code, r->seat[i].status, r->seat[i].step, r->seat[i].text);
    fflush(stdout);
}

typedef struct tally {
    int runs, hung, wrong;
} tally;

static void hold(const run *r)
{
    for (int i = 0; i < r->n; i++)
        printf("    PB %d rank %d is process %d\n", r->seat[i].pb, r->seat[i].rank, (int)r->seat[i].pid);
    fflush(stdout);
    sleep(100000);
}

static void storm_once(const choice *c, uint64_t seed, tally *all)
{
    run r;
    bool is_wrong = false;
    chosen = *c;
    current = (storm){.rounds = want.rounds, .longest = want.longest, .patience = want.patience};
    current.threads = strcmp(settings[WAIT].value[c->of[WAIT]].name, "threads") ? 1 : 3;
    current.plan.seed = seed;
    set_shape(&current.plan, settings[SHAPE].value[c->of[SHAPE]].name);
    if (want.tells)
        describe(c, seed);
    double begin = h3ou__now();
    run_begin(&r, current.plan.npb, current.plan.size);
    run_start_all(&r, play);
    if (want.holds && !run_wait(&r, want.patience / 2))
        hold(&r);
    bool is_hung = !run_end(&r, 2 * want.patience + 60);
    for (int i = 0; i < r.n; i++)
        is_wrong = is_wrong || r.seat[i].code || r.seat[i].status;
    all->runs++;
    all->hung += is_hung;
    all->wrong += is_wrong && !is_hung;
    if (is_wrong || is_hung) {
        if (!want.tells)
            describe(c, seed);
        report(&r);
    } else if (want.tells) {
        printf("    %.2f s\n", h3ou__now() - begin);
    }
    run_close(&r);
}

/* --- which storms --- */

/* Every value of a setting with every value of every other: row after row, the one of many drawn that has most pairs
 * that none had before. */
static bool had[SETTINGS][VALUES][SETTINGS][VALUES];

static int new_pairs(const choice *c, bool take)
{
    int n = 0;
    for (int i = 0; i < SETTINGS; i++)
        for (int k = i + 1; k < SETTINGS; k++) {
            n += !had[i][c->of[i]][k][c->of[k]];
            had[i][c->of[i]][k][c->of[k]] |= take;
        }
    return n;
}

static bool all_pairs(void)
{
    for (int i = 0; i < SETTINGS; i++)
        for (int k = i + 1; k < SETTINGS; k++)
            for (int a = 0; a < values_of(i); a++)
                for (int b = 0; b < values_of(k); b++)
                    if (!had[i][a][k][b] && (want.given.of[i] < 0 || want.given.of[i] == a) &&
                        (want.given.of[k] < 0 || want.given.of[k] == b))
                        return false;
    return true;
}

static void by_pairs(tally *all)
{
    uint64_t dice = want.seed;
    for (int row = 0; row < ROWS && !all_pairs(); row++) {
        choice best = {{0}}, c;
        int most = 0;
        for (int i = 0; i < TRIES || !most; i++) {
            draw(&c, &dice);
            if (new_pairs(&c, false) > most) {
                most = new_pairs(&c, false);
                best = c;
            }
        }
        new_pairs(&best, true);
        storm_once(&best, want.seed + (uint64_t)row, all);
    }
}

static void by_chance(tally *all)
{
    double end = h3ou__now() + 60 * want.minutes;
    for (int i = 0; want.minutes > 0 ? h3ou__now() < end : i < want.runs; i++) {
        choice c;
        uint64_t dice = want.seed + (uint64_t)i;
        draw(&c, &dice);
        storm_once(&c, want.seed + (uint64_t)i, all);
    }
}

/* --- the command --- */

static int usage(const char *what)
{
    fprintf(stderr,
            "storm: %s\nusage: storm [--seed N] [--runs N | --minutes M] [--rounds N] [--longest BYTES] "
            "[--patience S] [--tell] [--hold]\n",
            what);
    for (int i = 0; i < SETTINGS; i++) {
        fprintf(stderr, "  --%s", settings[i].name);
        for (int k = 0; k < values_of(i); k++)
            fprintf(stderr, " %s%s", k ? "| " : "", settings[i].value[k].name);
        fprintf(stderr, "\n");
    }
    return 2;
}

static bool give(const char *option, const char *text)
{
    for (int i = 0; i < SETTINGS; i++)
        for (int k = 0; !strcmp(option, settings[i].name) && k < values_of(i); k++)
            if (!strcmp(text, settings[i].value[k].name)) {
                want.given.of[i] = k;
                return true;
            }
    if (!strcmp(option, "seed"))
        want.seed = strtoull(text, NULL, 10);
    else if (!strcmp(option, "runs"))
        want.runs = atoi(text);
    else if (!strcmp(option, "rounds"))
        want.rounds = atoi(text);
    else if (!strcmp(option, "minutes"))
        want.minutes = atof(text);
    else if (!strcmp(option, "patience"))
        want.patience = atof(text);
    else if (!strcmp(option, "longest"))
        want.longest = (size_t)atoll(text);
    else
        return false;
    return true;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

int main(int argc, char **argv)
{
    tally all = {0};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--tell"))
            want.tells = true;
        else if (!strcmp(argv[i], "--hold"))
            want.holds = true;
        else if (strncmp(argv[i], "--", 2) || i + 1 == argc || !give(argv[i] + 2, argv[i + 1]))
            return usage(argv[i]);
        else
            i++;
    }
    if (!mkdtemp(scratch))
        return usage("no folder in /tmp");
    double begin = h3ou__now();
    if (want.runs || want.minutes > 0)
        by_chance(&all);
    else
        by_pairs(&all);
    nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    printf("%d runs in %.0f s: %d hung, %d wrong\n", all.runs, h3ou__now() - begin, all.hung, all.wrong);
    return all.hung || all.wrong;
}
