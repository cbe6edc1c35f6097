/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: made, compared, freed; their names, hints, attributes and error handlers. Messages are not needed. */
#include <stdio.h>
#include <string.h>

#include "universe_case.h"

static void check_place(MPI_Comm comm, int rank, int size)
{
    int got = -1;
    CALL(MPI_Comm_rank(comm, &got));
    EQUAL(got, rank);
    CALL(MPI_Comm_size(comm, &got));
    EQUAL(got, size);
}

/* The rank in MPI_COMM_WORLD of a member. */
static int world_rank_of(MPI_Comm comm, int rank)
{
    MPI_Group group, world;
    int found = -1;
    CALL(MPI_Comm_group(comm, &group));
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Group_translate_ranks(group, 1, &rank, world, &found));
    CALL(MPI_Group_free(&group));
    CALL(MPI_Group_free(&world));
    return found;
}

static void check_same(MPI_Comm a, MPI_Comm b, int expected)
{
    int result = -1;
    CALL(MPI_Comm_compare(a, b, &result));
    EQUAL(result, expected);
}

CASE(comm_dup)
{
    MPI_Comm dup, again;
    int flag = -1, length = -1, result = -1;
    char name[MPI_MAX_OBJECT_NAME];
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    check_place(dup, my_rank, world_size);
    check_same(dup, MPI_COMM_WORLD, MPI_CONGRUENT);
    check_same(dup, dup, MPI_IDENT);
    CALL(MPI_Comm_test_inter(dup, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Comm_get_name(MPI_COMM_WORLD, name, &length));
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
    CALL(MPI_Comm_set_name(dup, "twin"));
    CALL(MPI_Comm_get_name(dup, name, &length));
    CHECK(strcmp(name, "twin") == 0 && length == 4);
    CALL(MPI_Comm_dup(dup, &again));
    CALL(MPI_Comm_free(&dup));
    CHECK(dup == MPI_COMM_NULL);
    CALL(MPI_Comm_compare(again, MPI_COMM_SELF, &result));
    EQUAL(result, MPI_UNEQUAL);
    CALL(MPI_Comm_disconnect(&again));
    CHECK(again == MPI_COMM_NULL);
}

CASE(comm_info)
{
    MPI_Info info, got;
    MPI_Comm dup;
    CALL(MPI_Info_create(&info));
    CALL(MPI_Info_set(info, "h3ou_test_hint", "7"));
    CALL(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &dup));
    check_place(dup, my_rank, world_size);
    CALL(MPI_Comm_set_info(dup, info));
    CALL(MPI_Comm_get_info(dup, &got));
    CHECK(got != MPI_INFO_NULL);
    CALL(MPI_Info_free(&got));
#ifndef OPEN_MPI /* 4.1 has it not; at the others the plain form makes the same calls */
    MPI_Comm other;
    MPI_Request request;
    CALL(MPI_Comm_idup_with_info(dup, info, &other, &request));
#else
    MPI_Comm other;
    MPI_Request request;
    CALL(MPI_Comm_idup(dup, &other, &request));
#endif
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_place(other, my_rank, world_size);
    CALL(MPI_Barrier(other));
    CALL(MPI_Comm_free(&other));
    CALL(MPI_Info_free(&info));
    CALL(MPI_Comm_free(&dup));
}

CASE(comm_split)
{
    MPI_Comm reversed, parts, none;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank, &reversed));
    check_place(reversed, world_size - 1 - my_rank, world_size);
    check_same(reversed, MPI_COMM_WORLD, world_size > 1 ? MPI_SIMILAR : MPI_CONGRUENT);
    EQUAL(world_rank_of(reversed, 0), world_size - 1);
    CALL(MPI_Comm_split(reversed, my_rank % 2, 0, &parts)); /* ties are broken by the rank in `reversed` */
    int last = world_size - 1, greatest = last % 2 == my_rank % 2 ? last : last - 1;
    check_place(parts, (greatest - my_rank) / 2, greatest / 2 + 1);
    EQUAL(world_rank_of(parts, 0), greatest);
    CALL(MPI_Comm_split(MPI_COMM_WORLD, my_rank == 0 ? MPI_UNDEFINED : 5, 0, &none));
    CHECK((none == MPI_COMM_NULL) == (my_rank == 0));
    if (none != MPI_COMM_NULL) {
        check_place(none, my_rank - 1, world_size - 1);
        CALL(MPI_Comm_free(&none));
    }
    CALL(MPI_Comm_free(&parts));
    CALL(MPI_Comm_free(&reversed));
}

/* Many communicators, some of them at the same time, and some inside a job. */
CASE(comm_split_often)
{
    MPI_Comm kept[8];
    for (int i = 0; i < 8; i++) {
        MPI_Comm job;
        CALL(MPI_Comm_split(i ? kept[i - 1] : MPI_COMM_WORLD, 1, my_rank, &kept[i]));
        check_place(kept[i], my_rank, world_size);
        CALL(MPI_Comm_split(kept[i], job_of(my_rank), my_rank, &job));
        int rank = -1;
        CALL(MPI_Comm_rank(job, &rank));
        EQUAL(world_rank_of(job, rank), my_rank);
        CALL(MPI_Barrier(job));
        CALL(MPI_Comm_free(&job));
    }
    for (int i = 0; i < 8; i++)
        CALL(MPI_Comm_free(&kept[i]));
}

CASE(comm_split_type)
{
    MPI_Comm shared, none;
    int size = -1, rank = -1;
    CALL(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, my_rank, MPI_INFO_NULL, &shared));
    CALL(MPI_Comm_size(shared, &size));
    CALL(MPI_Comm_rank(shared, &rank));
    CHECK(size >= 1 && size <= world_size);
    for (int r = 0; r < size; r++)
        EQUAL(job_of(world_rank_of(shared, r)), job_of(my_rank));
    EQUAL(world_rank_of(shared, rank), my_rank);
    CALL(MPI_Comm_free(&shared));
    CALL(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none));
    CHECK(none == MPI_COMM_NULL);
}

CASE(comm_create)
{
    MPI_Group world, odd, none = MPI_GROUP_EMPTY;
    MPI_Comm comm, group_comm;
    int range[1][3] = {{world_size - 1, 0, -2}}, n = (world_size + 1) / 2, rank = -2;
    CALL(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CALL(MPI_Group_range_incl(world, 1, range, &odd));
    CALL(MPI_Group_rank(odd, &rank));
    CALL(MPI_Comm_create(MPI_COMM_WORLD, odd, &comm));
    bool is_member = (world_size - 1 - my_rank) % 2 == 0;
    CHECK((comm != MPI_COMM_NULL) == is_member);
    if (is_member) {
        check_place(comm, (world_size - 1 - my_rank) / 2, n);
        EQUAL(rank, (world_size - 1 - my_rank) / 2);
        CALL(MPI_Comm_create_group(MPI_COMM_WORLD, odd, 17, &group_comm)); /* collective over the members only */
        check_place(group_comm, (world_size - 1 - my_rank) / 2, n);
        check_same(comm, group_comm, MPI_CONGRUENT);
        CALL(MPI_Comm_free(&group_comm));
        CALL(MPI_Comm_free(&comm));
    }
    CALL(MPI_Comm_create(MPI_COMM_WORLD, none, &comm));
    CHECK(comm == MPI_COMM_NULL);
    CALL(MPI_Comm_create(MPI_COMM_WORLD, world, &comm));
    check_same(comm, MPI_COMM_WORLD, MPI_CONGRUENT);
    CALL(MPI_Comm_free(&comm));
    CALL(MPI_Comm_create_group(MPI_COMM_WORLD, world, 18, &comm));
    check_same(comm, MPI_COMM_WORLD, MPI_CONGRUENT);
    CALL(MPI_Comm_free(&comm));
    CALL(MPI_Group_free(&odd));
    CALL(MPI_Group_free(&world));
}

static int copies, deletions;
static MPI_Comm handle_seen;

static int copy_plus_one(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)keyval;
    handle_seen = comm;
    copies += *(int *)state;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_count(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)keyval;
    (void)value;
    handle_seen = comm;
    deletions += *(int *)state;
    return MPI_SUCCESS;
}

CASE(comm_attribute)
{
    static int state = 1;
    static char base[4];
    int key = MPI_KEYVAL_INVALID, dup_key, null_key, flag = -1;
    void *value = NULL;
    MPI_Comm dup;
    copies = deletions = 0;
    CALL(MPI_Comm_create_keyval(copy_plus_one, delete_count, &key, &state));
    CALL(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_key, NULL));
    CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_count, &null_key, &state));
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, key, base));
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, dup_key, base + 2));
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, null_key, base + 3));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    EQUAL(copies, 1);
    CHECK(handle_seen == MPI_COMM_WORLD);
    CALL(MPI_Comm_get_attr(dup, key, &value, &flag));
    CHECK(flag && value == base + 1);
    CALL(MPI_Comm_get_attr(dup, dup_key, &value, &flag));
    CHECK(flag && value == base + 2);
    CALL(MPI_Comm_get_attr(dup, null_key, &value, &flag));
    EQUAL(flag, 0);
    int kept = key;
    CALL(MPI_Comm_free_keyval(&key)); /* the attributes stay */
    EQUAL(key, MPI_KEYVAL_INVALID);
    MPI_Comm was = dup;
    CALL(MPI_Comm_free(&dup));
    EQUAL(deletions, 1);
    CHECK(handle_seen == was);
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, null_key, base)); /* the old value is deleted */
    EQUAL(deletions, 2);
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, kept));
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, dup_key));
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, null_key));
    EQUAL(deletions, 4);
    CHECK(handle_seen == MPI_COMM_WORLD);
    CALL(MPI_Comm_free_keyval(&dup_key));
    CALL(MPI_Comm_free_keyval(&null_key));
}

CASE(comm_predefined)
{
    int *value = NULL, flag = 0;
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *value >= 32767);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
    if (flag && jobs > 1)
        EQUAL(*value, 0);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
    CHECK(flag && *value >= MPI_ERR_LASTCODE);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
    if (flag)
        CHECK(*value >= 1);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
    if (flag)
        EQUAL(*value, job_of(my_rank));
}

static int errors_seen, code_seen;

static void note_error(MPI_Comm *comm, int *code, ...)
{
    handle_seen = *comm;
    errors_seen++;
    MPI_Error_class(*code, &code_seen);
}

CASE(comm_errhandler)
{
    MPI_Errhandler handler, got, predefined;
    MPI_Comm dup, child;
    errors_seen = 0;
    for (int i = 0; i < 4; i++) { /* Open MPI frees a predefined one that is freed more often than it was asked for */
        CALL(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &predefined));
        CHECK(predefined == MPI_ERRORS_ARE_FATAL);
        CALL(MPI_Errhandler_free(&predefined));
        CHECK(predefined == MPI_ERRHANDLER_NULL);
    }
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CALL(MPI_Comm_create_errhandler(note_error, &handler));
    CALL(MPI_Comm_set_errhandler(dup, handler));
    CALL(MPI_Comm_get_errhandler(dup, &got));
    CHECK(got == handler);
    CALL(MPI_Errhandler_free(&got));
    CALL(MPI_Errhandler_free(&handler)); /* it stays with the communicator */
    CHECK(handler == MPI_ERRHANDLER_NULL);
    CALL(MPI_Comm_get_errhandler(dup, &handler));
    CALL(MPI_Comm_call_errhandler(dup, MPI_ERR_TAG));
    EQUAL(errors_seen, 1);
    EQUAL(code_seen, MPI_ERR_TAG);
    CHECK(handle_seen == dup);
    CALL(MPI_Comm_dup(dup, &child)); /* inherits it */
    int dims = 0;
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(child, &dims));
    EQUAL(errors_seen, 2);
    EQUAL(code_seen, MPI_ERR_TOPOLOGY);
    CHECK(handle_seen == child);
    CALL(MPI_Comm_free(&child));
    CALL(MPI_Comm_split(dup, job_of(my_rank), 0, &child)); /* also when it is inside a job; MPICH itself forgets it */
    if (jobs == 1)
        CALL(MPI_Comm_set_errhandler(child, handler));
    CALL(MPI_Comm_call_errhandler(child, MPI_ERR_RANK));
    EQUAL(errors_seen, 3);
    EQUAL(code_seen, MPI_ERR_RANK);
    CHECK(handle_seen == child);
    CALL(MPI_Comm_free(&child));
    CALL(MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN));
    int seen = errors_seen;
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(dup, &dims));
    EQUAL(errors_seen, seen);
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Comm_free(&dup));
}

/* An error in a call without a communicator, and in a call on MPI_COMM_NULL, goes to the handler of MPI_COMM_WORLD or MPI_COMM_SELF. */
CASE(comm_errhandler_of_world)
{
    MPI_Errhandler handler;
    int size = 0;
    errors_seen = 0;
    CALL(MPI_Comm_create_errhandler(note_error, &handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    FAILS(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &size));
    EQUAL(errors_seen, 1);
    EQUAL(code_seen, MPI_ERR_TYPE);
    FAILS(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &size));
    EQUAL(errors_seen, 2);
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    CALL(MPI_Errhandler_free(&handler));
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first, while the world still stands, then those of MPI_COMM_WORLD. */
static int delete_at_end(MPI_Comm comm, int keyval, void *value, void *state)
{
    int rank = -1, size = -1;
    (void)keyval;
    (void)state;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == my_rank && size == world_size && comm == (value ? MPI_COMM_WORLD : MPI_COMM_SELF))
        printf("rank %d of %d: attribute %d deleted\n", rank, size, value != NULL);
    fflush(stdout);
    return MPI_SUCCESS;
}

CASE(comm_attribute_at_end)
{
    int key;
    CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_at_end, &key, NULL));
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &my_rank));
    CALL(MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
    CALL(MPI_Comm_free_keyval(&key));
}
