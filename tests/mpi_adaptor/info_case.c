/* SPDX-License-Identifier: BSD-3-Clause */
/* Infos: keys and values, their order, what is missing. */
#include "mpi_case.h"

#include <string.h>

static void keep_values(void)
{
    MPI_Info info, copy;
    char value[MPI_MAX_INFO_VAL + 1] = "", key[MPI_MAX_INFO_KEY + 1] = "", longest[MPI_MAX_INFO_KEY + 1];
    int flag = -1, n = -1, length = -1;
    CALL(MPI_Info_create(&info));
    CALL(MPI_Info_set(info, "first", "1"));
    CALL(MPI_Info_set(info, "second", "the second value"));
    CALL(MPI_Info_set(info, "first", "one"));
    CALL(MPI_Info_get_nkeys(info, &n));
    EQUAL(n, 2);
    CALL(MPI_Info_get_nthkey(info, 0, key));
    CHECK(strcmp(key, "first") == 0);
    CALL(MPI_Info_get(info, "first", MPI_MAX_INFO_VAL, value, &flag));
    CHECK(flag && strcmp(value, "one") == 0);
    CALL(MPI_Info_get_valuelen(info, "second", &length, &flag));
    CHECK(flag && length == 16);
    CALL(MPI_Info_get(info, "third", MPI_MAX_INFO_VAL, value, &flag));
    EQUAL(flag, 0);
    CALL(MPI_Info_dup(info, &copy));
    CALL(MPI_Info_delete(info, "second"));
    CALL(MPI_Info_get_nkeys(info, &n));
    EQUAL(n, 1);
    CALL(MPI_Info_get(copy, "second", MPI_MAX_INFO_VAL, value, &flag));
    CHECK(flag && strcmp(value, "the second value") == 0);
    memset(longest, 'k', sizeof longest); /* as long as both MPIs have keys: 35 letters with Open MPI */
    longest[35] = 0;
    CALL(MPI_Info_set(copy, longest, "v"));
    CALL(MPI_Info_get(copy, longest, MPI_MAX_INFO_VAL, value, &flag));
    CHECK(flag && strcmp(value, "v") == 0);
    CALL(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL);
    CALL(MPI_Info_free(&copy));
}

static void ask_environment(void)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int flag = -1;
    CALL(MPI_Info_get(MPI_INFO_ENV, "no such key", MPI_MAX_INFO_VAL, value, &flag));
    EQUAL(flag, 0);
}

const mpi_case info_cases[] = {{"info_values", keep_values}, {"info_environment", ask_environment}, {NULL, NULL}};
