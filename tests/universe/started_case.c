/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that do not block: several at a time, completed in different orders, all functions, persistent, with large counts. */
#include "communicators.h"

#include <stdlib.h>
#include <string.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

enum { MOST = 8, LONG = 40000, CALLS = 20 };

#ifdef OPEN_MPI /* 4.1 has the persistent calls as an extension, and none of large counts */
#define INIT(name) MPIX_##name##_init
#define LARGE_FORM(name) MPI_##name
typedef int number;
typedef int place;
#else
#define INIT(name) MPI_##name##_init
#define LARGE_FORM(name) MPI_##name##_c
typedef MPI_Count number;
typedef MPI_Aint place;
#endif

/* What the calls work on. Member r has value(r, i) at i. */
typedef struct {
    const members *m;
    int root, one[MOST * MOST], parts[MOST * MOST], counts[MOST], places[MOST], units[MOST], steps[MOST], bytes[MOST];
    number large_counts[MOST], large_units[MOST];
    place large_places[MOST], large_steps[MOST], large_bytes[MOST];
    int got[CALLS][MOST * MOST];
    MPI_Datatype ints[MOST];
    int *many;
    MPI_Op op;
    MPI_Request request[CALLS];
} works;

static int value(int rank, int i)
{
    return 100 * rank + i;
}

/* The sum over ranks 0 to last of value(rank, i). */
static int sum(int last, int i)
{
    return 50 * last * (last + 1) + (last + 1) * i;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void works_open(works *w, const members *m, int root)
{
    *w = (works){.m = m, .root = root, .many = malloc(LONG * sizeof *w->many)};
    memset(w->got, -1, sizeof w->got);
    for (int i = 0; i < LONG; i++)
        w->many[i] = m->rank == root ? value(root, i) : -1;
    for (int i = 0; i < MOST * MOST; i++)
        w->one[i] = value(m->rank, i);
    for (int r = 0, at = 0; r < m->size; at += ++r) {
        w->counts[r] = (int)(w->large_counts[r] = r + 1);
        w->places[r] = (int)(w->large_places[r] = at);
        w->bytes[r] = (int)(w->large_bytes[r] = r * (int)sizeof(int));
        w->units[r] = (int)(w->large_units[r] = 1);
        w->steps[r] = (int)(w->large_steps[r] = r);
        w->ints[r] = MPI_INT;
        for (int i = 0; i <= r; i++) /* what the root scatters: to each its own values */
            w->parts[at + i] = value(r, i);
    }
    CALL(MPI_Op_create(add, 1, &w->op));
}

static void works_close(works *w)
{
    free(w->many);
}

/* Counts what is wrong in n values that begin with value(rank, first). */
static int differ(const int got[], int rank, int first, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != value(rank, first + i);
    return wrong;
}

static int differ_sum(const int got[], int last, int first, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != sum(last, first + i);
    return wrong;
}

/* Checks the results, which all forms of the calls leave at the same numbers. */
static void works_check(const works *w)
{
    const members *m = w->m;
    int n = m->size, me = m->rank, last = n - 1;
    bool is_root = me == w->root;
    EQUAL(differ(w->many, w->root, 0, LONG), 0);
    EQUAL(is_root ? differ_sum(w->got[2], last, 0, 3) : 0, 0);
    EQUAL(differ_sum(w->got[3], last, 0, 5), 0);
    EQUAL(differ_sum(w->got[4], last, w->places[me], me + 1), 0);
    EQUAL(differ_sum(w->got[5], last, 2 * me, 2), 0);
    EQUAL(differ_sum(w->got[6], me, 0, 4), 0);
    EQUAL(me ? differ_sum(w->got[7], me - 1, 0, 4) : w->got[7][0] != -1, 0);
    for (int r = 0; r < n; r++) {
        EQUAL(is_root ? differ(w->got[8] + 2 * r, r, 0, 2) : 0, 0);
        EQUAL(is_root ? differ(w->got[9] + w->places[r], r, 0, r + 1) : 0, 0);
        EQUAL(differ(w->got[12] + 2 * r, r, 0, 2), 0);
        EQUAL(differ(w->got[13] + w->places[r], r, 0, r + 1), 0);
        EQUAL(w->got[14][r], value(r, me));
        EQUAL(w->got[15][r], value(r, me));
        EQUAL(w->got[16][r], value(r, me));
    }
    EQUAL(w->got[10][0], w->parts[me]);
    EQUAL(differ(w->got[11], me, 0, me + 1), 0);
}

/* All calls; s is the prefix of the arrays of numbers. */
#define ALL_CALLS(X, s)                                                                                                                    \
    X(1, Bcast, bcast, w->many, LONG, MPI_INT, w->root, c)                                                                                 \
    X(2, Reduce, reduce, w->one, w->got[2], 3, MPI_INT, w->op, w->root, c)                                                                 \
    X(3, Allreduce, allreduce, w->one, w->got[3], 5, MPI_INT, MPI_SUM, c)                                                                  \
    X(4, Reduce_scatter, reduce_scatter, w->one, w->got[4], w->s##counts, MPI_INT, w->op, c)                                               \
    X(5, Reduce_scatter_block, reduce_scatter_block, w->one, w->got[5], 2, MPI_INT, MPI_SUM, c)                                            \
    X(6, Scan, scan, w->one, w->got[6], 4, MPI_INT, MPI_SUM, c)                                                                            \
    X(7, Exscan, exscan, w->one, w->got[7], 4, MPI_INT, w->op, c)                                                                          \
    X(8, Gather, gather, w->one, 2, MPI_INT, w->got[8], 2, MPI_INT, w->root, c)                                                            \
    X(9, Gatherv, gatherv, w->one, w->m->rank + 1, MPI_INT, w->got[9], w->s##counts, w->s##places, MPI_INT, w->root, c)                    \
    X(10, Scatter, scatter, w->parts, 1, MPI_INT, w->got[10], 1, MPI_INT, w->root, c)                                                      \
    X(11, Scatterv, scatterv, w->parts, w->s##counts, w->s##places, MPI_INT, w->got[11], w->m->rank + 1, MPI_INT, w->root, c)              \
    X(12, Allgather, allgather, w->one, 2, MPI_INT, w->got[12], 2, MPI_INT, c)                                                             \
    X(13, Allgatherv, allgatherv, w->one, w->m->rank + 1, MPI_INT, w->got[13], w->s##counts, w->s##places, MPI_INT, c)                     \
    X(14, Alltoall, alltoall, w->one, 1, MPI_INT, w->got[14], 1, MPI_INT, c)                                                               \
    X(15, Alltoallv, alltoallv, w->one, w->s##units, w->s##steps, MPI_INT, w->got[15], w->s##units, w->s##steps, MPI_INT, c)               \
    X(16, Alltoallw, alltoallw, w->one, w->s##units, w->s##bytes, w->ints, w->got[16], w->s##units, w->s##bytes, w->ints, c)
#define START(i, Name, name, ...) CALL(MPI_I##name(__VA_ARGS__, &w->request[i]));
#define MAKE(i, Name, name, ...) CALL(INIT(Name)(__VA_ARGS__, MPI_INFO_NULL, &w->request[i]));
#define RUN_LARGE(i, Name, name, ...) CALL(LARGE_FORM(Name)(__VA_ARGS__));
enum { NCALL = 17 };

static void start_all(works *w)
{
    MPI_Comm c = w->m->comm;
    CALL(MPI_Ibarrier(c, &w->request[0]));
    ALL_CALLS(START, )
    /* The calls go on when the program has freed the operation. */
    CALL(MPI_Op_free(&w->op));
    CHECK(w->op == MPI_OP_NULL);
}

static void make_all(works *w)
{
    MPI_Comm c = w->m->comm;
    CALL(INIT(Barrier)(c, MPI_INFO_NULL, &w->request[0]));
    ALL_CALLS(MAKE, )
}

static void run_all_large(works *w)
{
    MPI_Comm c = w->m->comm;
    ALL_CALLS(RUN_LARGE, large_)
}

/* Each process completes in an order of its own. */
static void complete_all(works *w)
{
    MPI_Request *r = w->request;
    int done = 0, index, n, some[CALLS];
    switch (w->m->rank % 4) {
    case 0:
        for (int i = 0; i < NCALL; i++)
            CALL(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
        break;
    case 1:
        for (int i = NCALL - 1; i >= 0; i--)
            CALL(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
        break;
    case 2:
        for (n = 0; n < NCALL; n++) {
            CALL(MPI_Waitany(NCALL, r, &index, MPI_STATUS_IGNORE));
            CHECK(index >= 0 && index < NCALL);
        }
        break;
    default:
        for (n = 0; n < NCALL && done != MPI_UNDEFINED; n += done)
            CALL(MPI_Testsome(NCALL, r, &done, some, MPI_STATUSES_IGNORE));
        EQUAL(n, NCALL);
    }
}

static void started(const members *m)
{
    works first, second;
    works_open(&first, m, 0);
    works_open(&second, m, m->size - 1);
    start_all(&first);
    start_all(&second);
    complete_all(&second);
    complete_all(&first);
    works_check(&first);
    works_check(&second);
    works_close(&first);
    works_close(&second);
}

static void persistent(const members *m)
{
    works w;
    works_open(&w, m, m->size / 2);
    make_all(&w);
    for (int turn = 0; turn < 2; turn++) {
        memset(w.got, -1, sizeof w.got);
        for (int i = 0; i < LONG && m->rank != w.root; i++)
            w.many[i] = -1;
        CALL(MPI_Startall(NCALL, w.request));
        turn ? complete_all(&w) : (void)CALL(MPI_Waitall(NCALL, w.request, MPI_STATUSES_IGNORE));
        works_check(&w);
    }
    for (int i = 0; i < NCALL; i++)
        CALL(MPI_Request_free(&w.request[i]));
    CALL(MPI_Op_free(&w.op));
    works_close(&w);
}

static void large(const members *m)
{
    works w;
    works_open(&w, m, m->size - 1);
    run_all_large(&w);
    works_check(&w);
    CALL(MPI_Op_free(&w.op));
    works_close(&w);
}

/* A process that waits for a message moves on the calls that others complete before they send it. */
static void progress(const members *m)
{
    int mine = m->rank + 1, all = -1, got = -1, last = m->size - 1;
    MPI_Request request;
    CALL(MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, m->comm, &request));
    if (m->rank == 0)
        CALL(MPI_Recv(&got, 1, MPI_INT, last, 3, m->comm, MPI_STATUS_IGNORE));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(all, m->size * (m->size + 1) / 2);
    if (m->rank == last)
        CALL(MPI_Send(&all, 1, MPI_INT, 0, 3, m->comm));
    EQUAL(got, m->rank ? -1 : all);
}

CASE(started_calls)
{
    on_communicators(started);
}

/* MPICH 4.0.2 itself leaves wrong values when a persistent call is started again. */
CASE(started_persistent)
{
#ifdef MPICH
    if (jobs == 1)
        return;
#endif
    on_communicators(persistent);
}

CASE(started_progress)
{
    on_communicators(progress);
}

CASE(collective_large_counts)
{
    on_communicators(large);
}

static int copies;

static int refuse_copy(MPI_Datatype type, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)type, (void)keyval, (void)state, (void)in, (void)out;
    copies++;
    *flag = 0;
    return MPI_ERR_OTHER;
}

/* A call that goes on after its beginning keeps its types without copying their attributes. */
CASE(started_type_with_attribute)
{
    int keyval = MPI_KEYVAL_INVALID, value = my_rank == 0 ? 77 : -1;
    MPI_Datatype type;
    MPI_Request request;
    CALL(MPI_Type_create_keyval(refuse_copy, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL));
    CALL(MPI_Type_contiguous(1, MPI_INT, &type));
    CALL(MPI_Type_commit(&type));
    CALL(MPI_Type_set_attr(type, keyval, &value));
    CALL(MPI_Ibcast(&value, 1, type, 0, MPI_COMM_WORLD, &request));
    CALL(MPI_Type_free(&type));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL(value, 77);
    EQUAL(copies, 0);
    CALL(MPI_Type_free_keyval(&keyval));
}
