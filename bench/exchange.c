/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Set-up and step time of one exchange, beside its floor in the same run: two components, one process each; every
 * step both put and get one field through a table of four links per target cell.
 *
 *   exchange A|B CONFIG TABLE_OF_A TABLE_OF_B LAYERS ROUNDS STEPS [TRAVELS HELD [COUNTS SHARES_OF_A SHARES_OF_B]]
 *
 * TRAVELS: double or float, the type that CONFIG gives the fields; HELD: that of the models' arrays; without them
 * double. COUNTS: how cells are left out, by files of a share of double for each cell: "shares", the field is put with
 * these; "melting", with shares that are others in each step where they are above 0; "nan", the values of cells with
 * share 0 are NaN; "halo": all count, and the models' arrays are blocks with a halo of one cell; "vector": all count,
 * of two components. The product of the floor is in double, of all cells, in any case.
 *
 * TABLE_OF_A takes the field of B to the cells of A (link_table_read). The floor is what no coupler can do without: the
 * same bytes in both directions by the fastest way, and half of both directions' product, since the two compute at
 * once, by the fastest product that is known, which may be that of the library (link_table.h). The ways: MPI_Sendrecv
 * inside one job, a TCP connection of its own between two jobs, and memory that both share, into which the sender
 * copies and where the product of the receiver reads. With one layer the floor is measured twice, the second time with
 * cells that the sender copies in the order in which the rows of the receiver read them, where that makes the product
 * shorter; the lesser counts, and so does that of the step by hand. The same step is also made by hand (hand_step.h),
 * which pays what the floor leaves out: the layers that change places, the wait for the other process, and a message
 * that stands in the caches of another core. Rounds of h3ou, of the step by hand, of each way, and of the products
 * alternate. A prints one line: set-up in s, peak MB of the process that needs most after the first steps, 0, or 1 when
 * the memory was the fastest way, 2 in the order of the rows, and as median, least, most in ms per step: h3ou, floor,
 * their ratio, the bytes by MPI or TCP, by memory, the product of A, that of B, the step by hand, the ratio of h3ou to
 * it.
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "h3ou.h"
#include "raw/hand_step.h"
#include "raw/link_table.h"
#include "raw/raw_memory.h"
#include "raw/raw_tcp.h"
#include "spread.h"

enum { LINKS = CELL_LINKS, STEP = 60, MOST_ROUNDS = 1000 };

typedef struct side {
    int n;     /* my cells */
    int other; /* the other's */
    int layers;
    double *mine, *theirs, *got; /* what is put; what arrives raw; the interpolated field */
    float *single, *single_got;  /* of a model that holds float: what is put, and got; else NULL */
    double *block, *block_got;   /* in place of mine and got, with a halo; or NULL */
    double *second, *second_got; /* second components of mine and got, which are those of a vector; or NULL */
    int nx, ny;                  /* cells of the block */
    double *share[2];            /* [n] with which it is put, in turns; the same for shares that stay; or NULL */
    size_t size;                 /* of a value on its way */
    link_table table;
    link_table ordered;         /* the same, in the order in which its rows read the other's cells, where that gains */
    hand_order plain, in_order; /* of my cells in a message for the other */
    bool has_order;             /* my rows or the other's read cells in an order of their own */
    int fd, rank; /* of the raw TCP connection, or -1; in MPI_COMM_WORLD */
    raw_memory *memory;
} side;

/* Of each round, in s per step. */
enum { OURS, FLOOR, RATIO, BY_WIRE, BY_MEMORY, PRODUCT_A, PRODUCT_B, BY_HAND, TO_HAND, KINDS };
/* The same in the order of the rows. */
enum { MEMORY_IN_ORDER = KINDS, A_IN_ORDER, B_IN_ORDER, HAND_IN_ORDER, MORE_KINDS };
static double took[MORE_KINDS][MOST_ROUNDS];

static h3ou_ctx *ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void swap_by_wire(side *s)
{
    size_t nout = (size_t)s->n * (size_t)s->layers, nin = (size_t)s->other * (size_t)s->layers;
    if (s->fd >= 0)
        raw_tcp_swap(s->fd, s->mine, s->size * nout, s->theirs, s->size * nin);
    else
        MPI_Sendrecv(s->mine, (int)(s->size * nout), MPI_BYTE, 1 - s->rank, 0, s->theirs, (int)(s->size * nin), MPI_BYTE,
                     1 - s->rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void swap_by_memory(side *s)
{
    raw_memory_swap(s->memory, s->mine, s->size * (size_t)s->n * (size_t)s->layers);
}

static void multiply(side *s)
{
    link_table_apply(&s->table, s->layers, s->theirs, s->got);
}

static void step_by_hand(side *s)
{
    hand_step(&s->table, &s->plain, s->memory, s->layers, s->mine, s->got);
}

static void swap_in_order(side *s)
{
    if (!s->in_order.order) {
        swap_by_memory(s);
        return;
    }
    hand_pack(&s->in_order, s->n, 1, s->mine, raw_memory_room(s->memory));
    raw_memory_pass(s->memory);
}

static void multiply_in_order(side *s)
{
    link_table_apply(&s->ordered, s->layers, s->theirs, s->got);
}

static void step_in_order(side *s)
{
    hand_step(&s->ordered, &s->in_order, s->memory, s->layers, s->mine, s->got);
}

/* Returns the seconds of each of `steps` calls. Both processes call it at the same time, after a first swap. */
static double time_raw(side *s, void (*what)(side *), int steps)
{
    swap_by_memory(s);
    double begin = seconds_now();
    for (int i = 0; i < steps; i++)
        what(s);
    return (seconds_now() - begin) / steps;
}

/* Returns other shares, of the cells that count. */
static double *melted(size_t n, const double share[])
{
    double *other = malloc(sizeof *other * n);
    for (size_t i = 0; i < n; i++)
        other[i] = share[i] <= 0.0 ? 0.0 : share[i] > 0.5 ? share[i] - 0.4375 : share[i] + 0.4375;
    return other;
}

/* Gets and puts; field: of the other; share: with which it is put, or NULL. */
static void get_and_put(const side *s, const char *field, const char *own, const double *share)
{
    int ok;
    h3ou_arrays to = {H3OU_TYPE_FLOAT, 2, {s->n, s->layers}, 1, {s->single_got}, NULL, 0}, given = to;
    h3ou_arrays shared = {H3OU_TYPE_DOUBLE, 2, {s->n, s->layers}, 1, {s->mine}, share, s->n};
    h3ou_arrays block = {H3OU_TYPE_DOUBLE, 3, {s->nx + 2, s->ny + 2, s->layers}, 1, {s->block_got}, NULL, 0};
    given.component[0] = s->single;
    if (s->second) {
        h3ou_arrays pair = {H3OU_TYPE_DOUBLE, 2, {s->n, s->layers}, 2, {s->got, s->second_got}, NULL, 0};
        check_call(h3ou_get_arrays(ctx, field, &pair, &ok));
        pair.component[0] = s->mine;
        pair.component[1] = s->second;
        check_call(h3ou_put_arrays(ctx, own, &pair));
    } else if (s->block) {
        check_call(h3ou_get_arrays(ctx, field, &block, &ok));
        block.component[0] = s->block;
        check_call(h3ou_put_arrays(ctx, own, &block));
    } else if (share) {
        check_call(h3ou_get(ctx, field, s->got, s->n, s->layers, &ok));
        check_call(h3ou_put_arrays(ctx, own, &shared));
    } else if (s->single) {
        check_call(h3ou_get_arrays(ctx, field, &to, &ok));
        check_call(h3ou_put_arrays(ctx, own, &given));
    } else {
        check_call(h3ou_get(ctx, field, s->got, s->n, s->layers, &ok));
        check_call(h3ou_put(ctx, own, s->mine, s->n, s->layers));
    }
}

static void put_initial(const side *s, const char *own)
{
    h3ou_arrays pair = {H3OU_TYPE_DOUBLE, 2, {s->n, s->layers}, s->second ? 2 : 1, {s->mine, s->second}, NULL, 0};
    check_call(h3ou_put_arrays(ctx, own, &pair));
}

static void run_coupled_steps(const side *s, const char *me, int steps, int time[6])
{
    for (int i = 0; i < steps; i++) {
        check_call(h3ou_time_set(ctx, me, time, STEP));
        get_and_put(s, me[0] == 'A' ? "B_v" : "A_v", me[0] == 'A' ? "A_v" : "B_v", s->share[i % 2]);
        check_call(h3ou_time_inc(time, STEP));
    }
    /* A send is completed by later calls only, so both must have received everything before the raw part begins. */
    int word = 0;
    check_call(h3ou_bcast_global(ctx, "A", &word, 1, H3OU_TYPE_INT32));
    check_call(h3ou_bcast_global(ctx, "B", &word, 1, H3OU_TYPE_INT32));
}

/* Gives any centres, of which the directions of vectors follow: the table is given. */
static void give_centres(const side *s, const char *grid)
{
    double *lon = malloc(sizeof *lon * (size_t)s->n), *lat = malloc(sizeof *lat * (size_t)s->n);
    for (int i = 0; i < s->n; i++) {
        lon[i] = 360.0 * (i % 1000) / 1000.0;
        lat[i] = 178.0 * i / s->n - 89.0;
    }
    check_call(h3ou_grid_centres(ctx, grid, lon, lat, "degrees"));
    free(lon);
    free(lat);
}

static double set_up(const side *s, const char *me, int time[6])
{
    int is_a = me[0] == 'A', *index = malloc(sizeof(int) * (size_t)s->n),
        *send = malloc(sizeof(int) * (size_t)s->n * LINKS), *recv = malloc(sizeof(int) * (size_t)s->n * LINKS);
    for (int i = 0; i < s->n; i++)
        index[i] = i + 1;
    for (int i = 0; i < s->n * LINKS; i++) {
        send[i] = s->table.col[i] + 1;
        recv[i] = i / LINKS + 1;
    }
    double begin = seconds_now();
    check_call(h3ou_grid_define(ctx, me, is_a ? "A_g" : "B_g", index, s->n, s->layers));
    if (s->block) {
        check_call(h3ou_grid_block(ctx, is_a ? "A_g" : "B_g", s->nx, s->ny));
        check_call(h3ou_grid_halo(ctx, is_a ? "A_g" : "B_g", (const int[]){1, 1, 1, 1}));
    }
    if (s->second)
        give_centres(s, is_a ? "A_g" : "B_g");
    check_call(h3ou_grid_end(ctx));
    /* Each side gives the table of what it gets. */
    check_call(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 1, is_a ? NULL : send, is_a ? NULL : recv,
                              is_a ? NULL : s->table.coef, is_a ? 0 : (int64_t)s->n * LINKS, 0));
    check_call(h3ou_table_set(ctx, me, "B", "B_g", "A", "A_g", 1, is_a ? send : NULL, is_a ? recv : NULL,
                              is_a ? s->table.coef : NULL, is_a ? (int64_t)s->n * LINKS : 0, 0));
    check_call(h3ou_time_init(ctx, time));
    double seconds = seconds_now() - begin;
    free(index);
    free(send);
    free(recv);
    return seconds;
}

static double peak_mb(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024;
}

/* Finds the order in which my rows read the other's cells, and learns that in which its rows read mine. */
static void find_orders(side *s, int is_a)
{
    const char *other = is_a ? "B" : "A";
    int *order = malloc(sizeof *order * (size_t)s->other), *wanted = malloc(sizeof *wanted * (size_t)s->n),
        n[2] = {0, 0};
    if (!order || !wanted)
        check_call(H3OU_ENOMEM);
    if (s->layers == 1)
        n[0] = link_table_by_reading(&s->table, &s->ordered, order);
    link_table_tune(&s->table, s->layers);
    if (n[0] > 0)
        link_table_tune(&s->ordered, s->layers);
    for (int turn = 0; turn < 2; turn++)
        if (turn == is_a) {
            check_call(h3ou_recv(ctx, other, &n[1], 1, H3OU_TYPE_INT32));
            check_call(h3ou_recv(ctx, other, wanted, n[1], H3OU_TYPE_INT32));
        } else {
            check_call(h3ou_send(ctx, other, &n[0], 1, H3OU_TYPE_INT32));
            check_call(h3ou_send(ctx, other, order, n[0], H3OU_TYPE_INT32));
        }
    if (n[0] == 0)
        s->ordered = s->table;
    s->plain = (hand_order){s->n, NULL};
    s->in_order = n[1] > 0 ? (hand_order){n[1], wanted} : s->plain;
    s->has_order = n[0] > 0 || n[1] > 0;
    free(order);
}

/* Makes what only the raw side needs. */
static void raw_open(side *s, int is_a)
{
    int world;
    size_t most = sizeof(double) * (size_t)s->layers * (size_t)(s->n > s->other ? s->n : s->other);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    s->fd = world == 1 ? raw_tcp_connect(ctx, is_a ? "B" : "A", is_a) : -1;
    s->memory = raw_memory_open(ctx, is_a ? "B" : "A", is_a, most);
    raw_memory_tune(s->memory, s->mine, s->size * (size_t)s->n * (size_t)s->layers);
    s->theirs = aligned_alloc(64, (sizeof(double) * (size_t)s->other * (size_t)s->layers + 63) / 64 * 64);
    if (!s->theirs)
        check_call(H3OU_ENOMEM);
    find_orders(s, is_a);
}

static void raw_close(side *s)
{
    if (s->fd >= 0)
        close(s->fd);
    raw_memory_close(s->memory);
}

static void run_round(side *s, const char *me, int r, int steps, int time[6])
{
    swap_by_memory(s); /* the products of the round before take one of the two longer */
    double begin = seconds_now();
    run_coupled_steps(s, me, steps, time);
    took[OURS][r] = (seconds_now() - begin) / steps;
    took[BY_HAND][r] = time_raw(s, step_by_hand, steps);
    took[BY_WIRE][r] = time_raw(s, swap_by_wire, steps);
    took[BY_MEMORY][r] = time_raw(s, swap_by_memory, steps);
    took[me[0] == 'A' ? PRODUCT_A : PRODUCT_B][r] = time_raw(s, multiply, steps);
    if (!s->has_order)
        return;
    took[HAND_IN_ORDER][r] = time_raw(s, step_in_order, steps);
    took[MEMORY_IN_ORDER][r] = time_raw(s, swap_in_order, steps);
    took[me[0] == 'A' ? A_IN_ORDER : B_IN_ORDER][r] = time_raw(s, multiply_in_order, steps);
}

static double sum_of(const double some[], int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += some[i];
    return sum;
}

/* Takes what was measured in the order of the rows in place of the other, where it is less. Returns whether the floor's
 * is. */
static bool choose_order(int way, int rounds)
{
    double plain =
        sum_of(took[way], rounds) + 0.5 * (sum_of(took[PRODUCT_A], rounds) + sum_of(took[PRODUCT_B], rounds));
    double ordered = sum_of(took[MEMORY_IN_ORDER], rounds) +
                     0.5 * (sum_of(took[A_IN_ORDER], rounds) + sum_of(took[B_IN_ORDER], rounds));
    size_t size = sizeof *took[0] * (size_t)rounds;
    if (sum_of(took[HAND_IN_ORDER], rounds) < sum_of(took[BY_HAND], rounds))
        memcpy(took[BY_HAND], took[HAND_IN_ORDER], size);
    if (ordered >= plain)
        return false;
    memcpy(took[BY_MEMORY], took[MEMORY_IN_ORDER], size);
    memcpy(took[PRODUCT_A], took[A_IN_ORDER], size);
    memcpy(took[PRODUCT_B], took[B_IN_ORDER], size);
    return true;
}

/* Prints what A measured, with the products of B. has_order: all was measured in the order of the rows, too. */
static void print_result(int rounds, double setup, double memory, bool has_order)
{
    double of_b;
    check_call(h3ou_recv(ctx, "B", &of_b, 1, H3OU_TYPE_DOUBLE));
    check_call(h3ou_recv(ctx, "B", took[PRODUCT_B], rounds, H3OU_TYPE_DOUBLE));
    check_call(h3ou_recv(ctx, "B", took[B_IN_ORDER], rounds, H3OU_TYPE_DOUBLE));
    int way = sum_of(took[BY_MEMORY], rounds) < sum_of(took[BY_WIRE], rounds) ? BY_MEMORY : BY_WIRE;
    bool in_order = has_order && choose_order(way, rounds);
    if (in_order)
        way = BY_MEMORY;
    for (int r = 0; r < rounds; r++) {
        took[FLOOR][r] = took[way][r] + 0.5 * (took[PRODUCT_A][r] + took[PRODUCT_B][r]);
        took[RATIO][r] = took[OURS][r] / took[FLOOR][r];
        took[TO_HAND][r] = took[OURS][r] / took[BY_HAND][r];
    }
    printf("%.4f %.1f %d", setup, memory > of_b ? memory : of_b, in_order ? 2 : way == BY_MEMORY);
    for (int k = 0; k < KINDS; k++)
        spread_print(took[k], rounds, k == RATIO || k == TO_HAND ? 1.0 : 1e3);
    printf("\n");
}

static void make_arrays(side *s, bool holds_float)
{
    size_t n = (size_t)s->n * (size_t)s->layers;
    s->mine = malloc(sizeof *s->mine * n);
    s->got = malloc(sizeof *s->got * n);
    s->single = holds_float ? malloc(sizeof *s->single * n) : NULL;
    s->single_got = holds_float ? malloc(sizeof *s->single_got * n) : NULL;
    for (size_t i = 0; i < n; i++) {
        s->mine[i] = (double)i;
        if (holds_float)
            s->single[i] = (float)i;
    }
}

/* Makes arrays of a block that is about as wide as it is high. */
static void make_block(side *s)
{
    for (s->ny = (int)sqrt((double)s->n); s->n % s->ny != 0; s->ny--)
        continue;
    s->nx = s->n / s->ny;
    size_t values = ((size_t)s->nx + 2) * ((size_t)s->ny + 2) * (size_t)s->layers;
    s->block = malloc(sizeof *s->block * values);
    s->block_got = malloc(sizeof *s->block_got * values);
    for (size_t i = 0; i < values; i++)
        s->block[i] = (double)i;
}

/* Reads the shares, or makes values NaN, or arrays with a halo. Returns false without a file. */
static bool leave_out(side *s, const char *how, const char *shares)
{
    size_t values = (size_t)s->n * (size_t)s->layers;
    if (!strcmp(how, "halo")) {
        make_block(s);
        return true;
    }
    if (!strcmp(how, "vector")) {
        s->second = calloc(values, sizeof *s->second);
        s->second_got = malloc(sizeof *s->second_got * values);
        return s->second && s->second_got;
    }
    FILE *f = fopen(shares, "rb");
    size_t n = (size_t)s->n;
    double *share = malloc(sizeof *share * n);
    bool is_read = f && fread(share, sizeof *share, n, f) == n;
    if (f)
        fclose(f);
    if (strcmp(how, "nan")) {
        bool is_melting = !strcmp(how, "melting");
        s->share[0] = is_melting ? melted(n, share) : share;
        s->share[1] = is_melting ? melted(n, s->share[0]) : share;
        return is_read;
    }
    for (size_t i = 0; i < n * (size_t)s->layers && is_read; i++)
        if (share[i % n] <= 0.0)
            s->mine[i] = NAN;
    free(share);
    return is_read;
}

/* Sends A what B has measured. */
static void tell_a(int rounds, double memory)
{
    check_call(h3ou_send(ctx, "A", &memory, 1, H3OU_TYPE_DOUBLE));
    check_call(h3ou_send(ctx, "A", took[PRODUCT_B], rounds, H3OU_TYPE_DOUBLE));
    check_call(h3ou_send(ctx, "A", took[B_IN_ORDER], rounds, H3OU_TYPE_DOUBLE));
}

int main(int argc, char **argv)
{
    if (argc != 8 && argc != 10 && argc != 13)
        return 2;
    const char *me = argv[1];
    int is_a = me[0] == 'A', rounds = atoi(argv[6]), steps = atoi(argv[7]), time[6] = {2000, 1, 1, 0, 0, 0};
    side s = {.layers = atoi(argv[5]), .size = argc > 8 && argv[8][0] == 'f' ? sizeof(float) : sizeof(double)};
    if (rounds < 1 || rounds > MOST_ROUNDS || link_table_read(&s.table, argv[is_a ? 3 : 4]))
        return 2;
    s.n = s.table.target;
    s.other = s.table.source;
    make_arrays(&s, argc > 9 && argv[9][0] == 'f');
    if (argc > 10 && !leave_out(&s, argv[10], argv[is_a ? 11 : 12]))
        return 2;
    check_call(h3ou_open(me, argv[2], 1, &ctx));
    double setup = set_up(&s, me, time);
    put_initial(&s, is_a ? "A_v" : "B_v");
    run_coupled_steps(&s, me, steps, time);
    double memory = peak_mb();
    raw_open(&s, is_a);
    for (int r = -1; r < rounds; r++) /* the first one warms up */
        run_round(&s, me, r < 0 ? 0 : r, steps, time);
    if (is_a)
        print_result(rounds, setup, memory, s.has_order);
    else
        tell_a(rounds, memory);
    raw_close(&s);
    check_call(h3ou_close(ctx, time, 1));
    return 0;
}
