/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One of two components, A or B, with random grids and tables. It gets and puts all fields that the namelist names for
 * it, and may go on from a restart, and write some.
 *
 *   split A|B|AB[MEMBERS] CONFIG STEP[,STEP] SEED FROM[,FROM] TO[,TO] EVERY LAST RESTARTS LINES
 *
 * Runs from FROM to TO seconds in steps of STEP. AB: the process has both components, and of two numbers the second is
 * B's; AHEAD=SECONDS (environment): A is made to run so far ahead. When FROM is not 0 it reads RESTARTS/A.FROM, and it
 * writes RESTARTS/A.TIME every EVERY seconds (0: never) until LAST; of a member A0001.TIME. SEED: of the decomposition.
 * Rank 0 writes LINES: for each get that returned values the field, the time and a number made of the bits of all
 * values, which is the same for any decomposition.
 *
 * CHANGE="FIELD TIME CELL" in the environment adds 1 to what is put there, KILL=TIME kills rank 0 of the component when
 * its step begins, LIMIT=BYTES lets no file be longer (tests/record).
 *
 * STOP=NAME.TIME (environment), with PAUSE=MILLISECONDS that each step lasts: the rank 0 of the component or member
 * NAME sends itself SIGUSR1 before it asks at TIME. When it is to stop it writes RESTARTS/A.TIME and ends, and LINES
 * gets "stopped TIME". B asks at the end of every second step only. UNEVEN=1: steps have changing lengths, and B asks
 * at the end of each.
 *
 * EMPTY=1: the rank 0 of a component of several processes has no cells, and puts none of the fields with an interval.
 *
 * FORMER=1: the restarts of all times have one name, RESTARTS/A, so that the last two stay. KILL_WRITE="NAME TIME
 * MICROSECONDS": the rank 0 of NAME is killed so long after it begins to write the one of TIME.
 *
 * The first letter of a field's name says how it is put: p plain, s with shares, x as three components, q in every
 * fourth step only, z every 1800 s (those of lag=0, which are got then, too), m and n with cells of which some have the
 * value -99.
 */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "h3ou.h"

enum { CELLS = 60, LINKS = 200, LAYERS = 2, ROWS = 9, EVERY_Z = 1800 };

static uint64_t seed;

static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int below(int n)
{
    return (int)(mixed(seed += UINT64_C(0x9E3779B97F4A7C15)) % (uint64_t)n);
}

typedef struct model {
    h3ou_ctx *ctx;
    const char *me;
    char name[65]; /* of my member, or me */
    int step, from, to, every, last, rank;
    int at, is_stopped, time[6]; /* at: seconds since the start */
    MPI_Comm comm;
    int n, *cell;
    double *data; /* ROWS rows: three components of LAYERS layers, or of one for each of three members; then shares */
    FILE *lines;
} model;

static void check(const model *m, int err)
{
    if (err)
        h3ou_abort(m->ctx, err);
}

/* Returns which of `size` processes has a cell that was dealt to process k: with EMPTY not the first one. */
static int owner_of(int k, int size)
{
    return getenv("EMPTY") && size > 1 && k == 0 ? 1 : k;
}

/* Indices with gaps; the cells are dealt at random, so that a process may get none. */
static void deal_cells(model *m, int side, int size)
{
    int all[CELLS], index = 0;
    seed = 7 + (uint64_t)side;
    for (int i = 0; i < CELLS; i++)
        all[i] = index += 1 + below(3);
    m->cell = malloc(sizeof *m->cell * CELLS);
    m->data = malloc(sizeof *m->data * (ROWS + 1) * CELLS);
    seed = strtoull(getenv("DEAL"), NULL, 10) + (uint64_t)side;
    for (int i = 0; i < CELLS; i++)
        if (owner_of(below(size), size) == m->rank)
            m->cell[m->n++] = all[CELLS - 1 - i];
}

/* A gives both tables. Some targets have no link. */
static void give_tables(const model *m)
{
    static const char *const name[2] = {"A", "B"}, *const grid[2] = {"A_g", "B_g"};
    for (int from = 0; from < 2; from++) {
        int index[2][CELLS], link[2][LINKS];
        double coef[LINKS];
        for (int side = 0; side < 2; side++) {
            seed = 7 + (uint64_t)side;
            for (int i = 0, at = 0; i < CELLS; i++)
                index[side][i] = at += 1 + below(3);
        }
        for (int i = 0; i < LINKS; i++) {
            link[0][i] = index[from][below(CELLS)];
            link[1][i] = index[1 - from][below(CELLS)];
            coef[i] = below(1000) / 700.0 - 0.5;
        }
        int is_giver = m->me[0] == 'A', n = is_giver && m->rank == 0 ? LINKS : is_giver;
        check(m, h3ou_table_set(m->ctx, m->me, name[from], grid[from], name[1 - from], grid[1 - from], 3, n ? link[0] : NULL,
                                n ? link[1] : NULL, n ? coef : NULL, n, 0));
    }
}

static void change_one(const model *m, const char *field, int time)
{
    char name[65];
    int at, cell;
    if (!getenv("CHANGE") || sscanf(getenv("CHANGE"), "%64s %d %d", name, &at, &cell) != 3 || strcmp(name, field) != 0 || at != time)
        return;
    for (int i = 0; i < m->n; i++)
        m->data[i] += m->cell[i] == cell;
}

static void put_one(const model *m, const char *field, int time)
{
    int layers, k = 0;
    check(m, h3ou_layers(m->ctx, field, &layers));
    uint64_t salt = 0;
    for (const char *c = m->name; *c; c++)
        salt = 31 * salt + (unsigned char)*c;
    for (const char *c = field; *c; c++)
        salt = 31 * salt + (unsigned char)*c;
    for (int row = 0; row < 3 * layers; row++)
        for (int i = 0; i < m->n; i++, k++)
            m->data[k] = (double)(mixed(salt + (uint64_t)(m->cell[i] * 1000 + row) * 1000003 + (uint64_t)(time + 10)) >> 12) / 1e12;
    for (int i = 0; i < layers * m->n && (field[0] == 'm' || field[0] == 'n'); i++)
        if ((m->cell[i % m->n] + time / m->step) % 3 == 0)
            m->data[i] = -99.0;
    change_one(m, field, time);
    double *share = m->data + ROWS * CELLS, *second = m->data + layers * m->n, *third = second + layers * m->n;
    for (int i = 0; i < m->n; i++)
        share[i] = (m->cell[i] + time / m->step) % 4 / 3.0;
    if (field[0] == 's')
        check(m, h3ou_put_share(m->ctx, field, m->data, share, m->n, layers));
    else if (field[0] == 'x')
        check(m, h3ou_put_xyz(m->ctx, field, m->data, second, third, m->n, layers));
    else
        check(m, h3ou_put(m->ctx, field, m->data, m->n, layers));
}

static void put_all(const model *m, int time)
{
    char field[65];
    bool is_empty = m->n == 0 && getenv("EMPTY");
    for (int i = 1; i <= h3ou_put_count(m->ctx); i++) {
        check(m, h3ou_put_name(m->ctx, i, field));
        if (is_empty && field[0] != 'z') /* puts with lag=0 are counted by rank 0 */
            continue;
        if (time < 0 || !((field[0] == 'z' && time % EVERY_Z) || (field[0] == 'q' && time / m->step % 4)))
            put_one(m, field, time);
    }
}

static void get_one(const model *m, const char *field, int time)
{
    int layers, ok, components = field[0] == 'x' ? 3 : 1;
    uint64_t sum = 0, all = 0;
    check(m, h3ou_layers(m->ctx, field, &layers));
    for (int i = 0; i < components * layers * m->n; i++)
        m->data[i] = -7.0;
    if (components == 3)
        check(m, h3ou_get_xyz(m->ctx, field, m->data, m->data + layers * m->n, m->data + 2 * layers * m->n, m->n, layers, &ok));
    else
        check(m, h3ou_get(m->ctx, field, m->data, m->n, layers, &ok));
    if (!ok)
        return;
    for (int row = 0, k = 0; row < components * layers; row++)
        for (int i = 0; i < m->n; i++, k++) {
            uint64_t bits;
            memcpy(&bits, &m->data[k], sizeof bits);
            sum += mixed(bits + mixed((uint64_t)(m->cell[i] * 100 + row)));
        }
    MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, m->comm);
    if (m->lines)
        fprintf(m->lines, "%s %d %016llx\n", field, time, (unsigned long long)all);
}

static void get_all(const model *m, int time)
{
    char field[65];
    for (int i = 1; i <= h3ou_get_count(m->ctx); i++) {
        check(m, h3ou_get_name(m->ctx, i, field));
        if (field[0] != 'z' || time % EVERY_Z == 0)
            get_one(m, field, time);
    }
}

/* Returns whether the model is to stop at `time`. */
static int is_to_stop(const model *m, int time)
{
    const char *said = getenv("STOP");
    char name[65] = "";
    int at = -1, stop = 0;
    if (m->me[0] == 'B' && time / m->step % 2 && !getenv("UNEVEN"))
        return 0;
    if (said && m->rank == 0 && sscanf(said, "%64[^.].%d", name, &at) == 2 && !strcmp(name, m->name) && at <= time && at > time - 2 * m->step)
        raise(SIGUSR1);
    if (said)
        nanosleep(&(struct timespec){.tv_nsec = atol(getenv("PAUSE")) * 1000 * 1000}, NULL);
    check(m, h3ou_should_stop(m->ctx, &stop));
    if (stop && m->lines)
        fprintf(m->lines, "stopped %d 0\n", time);
    return stop;
}

/* Steps of changing length meet every 1800 s. */
static int next_step(const model *m)
{
    int past = m->at % 1800;
    if (!getenv("UNEVEN"))
        return m->step;
    return m->me[0] == 'B' ? (past ? 1200 : 600) : past == 0 ? 300 : past == 300 ? 900 : 600;
}

/* Makes one step. Returns whether the model is to stop at its end. */
static int make_step(model *m)
{
    int kill_at = getenv("KILL") && m->rank == 0 ? atoi(getenv("KILL")) : -1, t = m->at, step = next_step(m);
    if (t == kill_at)
        raise(SIGKILL);
    check(m, h3ou_time_set(m->ctx, m->me, m->time, step));
    get_all(m, t);
    put_all(m, t);
    check(m, h3ou_time_inc(m->time, step));
    m->at += step;
    return is_to_stop(m, m->at);
}

static void name_file(const model *m, const char *folder, int time, char file[4096])
{
    if (getenv("FORMER"))
        snprintf(file, 4096, "%s/%s", folder, m->name);
    else
        snprintf(file, 4096, "%s/%s.%d", folder, m->name, time);
}

static void kill_me(int number)
{
    (void)number;
    raise(SIGKILL);
}

static void kill_soon(const model *m)
{
    char name[65];
    int at;
    struct itimerval wait = {0};
    long us;
    if (!getenv("KILL_WRITE") || sscanf(getenv("KILL_WRITE"), "%64s %d %ld", name, &at, &us) != 3)
        return;
    if (m->rank || strcmp(name, m->name) != 0 || at != m->at)
        return;
    wait.it_value.tv_usec = us;
    signal(SIGALRM, kill_me);
    setitimer(ITIMER_REAL, &wait, NULL);
}

static void write_restarts(const model m[], int n, const char *folder)
{
    char file[4096];
    for (int i = 0; i < n; i++) {
        name_file(&m[i], folder, m[i].at, file);
        kill_soon(&m[i]);
        check(&m[i], h3ou_write_restart(m[i].ctx, file));
    }
}

/* Lets the models, of which the one that is behind goes on, run to their ends, or until all are to stop. */
static void run_steps(model m[], int n, const char *folder)
{
    const int ahead = getenv("AHEAD") ? atoi(getenv("AHEAD")) : 0;
    for (int stopped = 0; stopped < n;) {
        model *next = NULL;
        for (int i = 0; i < n; i++)
            if (!m[i].is_stopped && m[i].at < m[i].to && (!next || m[i].at < next->at - ahead))
                next = &m[i];
        if (!next)
            return;
        stopped += next->is_stopped = make_step(next);
        int are_together = n == 1 || m[0].at == m[1].at;
        if (stopped == n || (are_together && m->every && m->at % m->every == 0 && m->at <= m->last))
            write_restarts(m, n, folder);
    }
}

static void limit_files(void)
{
    rlim_t most = strtoul(getenv("LIMIT"), NULL, 10);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most});
}

static void open_model(model *m, const char *lines)
{
    int side = m->me[0] == 'B', comm, group, size;
    char file[4096];
    check(m, h3ou_my_name(m->ctx, m->name));
    check(m, h3ou_local(m->ctx, &comm, &group, &size, &m->rank));
    m->comm = MPI_Comm_f2c(comm);
    deal_cells(m, side, size);
    snprintf(file, sizeof file, "%s.%s", lines, m->name);
    m->lines = m->rank == 0 ? fopen(file, "w") : NULL;
    check(m, h3ou_grid_define(m->ctx, m->me, side ? "B_g" : "A_g", m->cell, m->n, LAYERS));
    check(m, h3ou_grid_end(m->ctx));
}

static void begin(const model *m, const char *folder)
{
    char file[4096];
    name_file(m, folder, m->from, file);
    if (m->from > 0)
        check(m, h3ou_read_restart(m->ctx, file));
    else
        put_all(m, -1);
}

/* Returns the first or the second of numbers with a comma. */
static int number_of(const char *list, int i)
{
    const char *comma = strchr(list, ',');
    return atoi(i && comma ? comma + 1 : list);
}

int main(int argc, char **argv)
{
    static const char *const name[] = {"A", "B"};
    if (argc != 11)
        return 2;
    int is_both = argv[1][1] == 'B', n = 1 + is_both, wrong = 0;
    model m[2];
    setenv("DEAL", argv[4], 1);
    for (int i = 0; i < n; i++)
        m[i] = (model){.me = name[i || argv[1][0] == 'B'], .step = number_of(argv[3], i), .from = number_of(argv[5], i),
                       .at = number_of(argv[5], i), .to = number_of(argv[6], i), .every = atoi(argv[7]), .last = atoi(argv[8]), .time = {2000, 2, 28, 23, 0, 0}};
    if (is_both)
        check(m, h3ou_announce(2, name));
    for (int i = 0; i < n; i++)
        check(&m[i], h3ou_open(m[i].me, argv[2], !is_both && argv[1][1] ? atoi(argv[1] + 1) : 1, &m[i].ctx));
    if (getenv("LIMIT"))
        limit_files();
    for (int i = 0; i < n; i++)
        open_model(&m[i], argv[10]);
    for (int i = 0; i < n; i++)
        give_tables(&m[i]);
    for (int i = 0; i < n; i++) {
        check(&m[i], h3ou_time_inc(m[i].time, m[i].from));
        check(&m[i], h3ou_time_init(m[i].ctx, m[i].time));
    }
    for (int i = 0; i < n; i++)
        begin(&m[i], argv[9]);
    run_steps(m, n, argv[9]);
    for (int i = 0; i < n; i++) {
        wrong |= m[i].lines && fclose(m[i].lines) != 0;
        check(&m[i], h3ou_close(m[i].ctx, m[i].time, 1));
        free(m[i].cell);
        free(m[i].data);
    }
    return wrong;
}
