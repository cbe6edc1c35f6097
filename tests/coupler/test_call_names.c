/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors name the calls of the interface that the program uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "h3ou.h"

/* What two calls of h3ou.h say outside a run, in a program of each interface. */
static void a_state_error_names_the_calls_of_the_face(void **state)
{
    static const struct {
        const char *time, *put;
    } said[] = {
        [H3OU_FACE_C] = {"h3ou_time_init comes before h3ou_open, or after the end",
                         "h3ou_put_vector comes before h3ou_open, or after the end"},
        [H3OU_FACE_FORTRAN] = {"h3ou_init_time comes before h3ou_init, or after the end",
                               "h3ou_put_data comes before h3ou_init, or after the end"},
        [H3OU_FACE_H3OUC] = {"h3ouc_init_time comes before h3ouc_init, or after the end",
                             "h3ouc_put_data_1d/25d comes before h3ouc_init, or after the end"},
        [H3OU_FACE_PYTHON] = {"h3ou_init_time comes before h3ou_init, or after the end",
                              "h3ou_put_data_1d/25d comes before h3ou_init, or after the end"},
    };
    int time[6] = {2000, 1, 1, 0, 0, 0};
    double value = 1.0;
    (void)state;
    for (int face = H3OU_FACE_C; face <= H3OU_FACE_PYTHON; face++) {
        h3ou_face(face);
        assert_int_equal(h3ou_time_init(NULL, time), H3OU_ESTATE);
        assert_string_equal(h3ou_error(), said[face].time);
        assert_int_equal(h3ou_put_vector(NULL, "wind", &value, &value, 1, 1), H3OU_ESTATE);
        assert_string_equal(h3ou_error(), said[face].put);
    }
    h3ou_face(H3OU_FACE_C);
}

/* Checks that the last error begins with the name of a call and a blank. */
static void assert_begins_with(const char *call)
{
    char begin[80] = "";
    strncpy(begin, h3ou_error(), sizeof begin - 1);
    begin[strcspn(begin, " ")] = 0;
    assert_string_equal(begin, call);
}

/* Several calls of one interface may be one call of another one. */
static void calls_beside_the_exchange_have_the_names_of_the_face(void **state)
{
    static const struct {
        const char *bcast, *send, *isend;
    } said[] = {
        [H3OU_FACE_C] = {"h3ou_bcast_global", "h3ou_send", "h3ou_isend_model"},
        [H3OU_FACE_FORTRAN] = {"h3ou_bcast_global", "h3ou_send/send_array", "h3ou_isend_model_int/real/double"},
        [H3OU_FACE_H3OUC] = {"h3ouc_bcast_global_int/float/double", "h3ouc_send_TYPE/TYPE_array/array_TYPE",
                             "h3ouc_isend_model_int/float/double"},
        [H3OU_FACE_PYTHON] = {"h3ou_bcast_global_int/real/double/string", "h3ou_send_scalar/array", "h3ou_isend_model"},
    };
    int one = 1;
    (void)state;
    for (int face = H3OU_FACE_C; face <= H3OU_FACE_PYTHON; face++) {
        h3ou_face(face);
        assert_int_equal(h3ou_bcast_global(NULL, "ocean", &one, 1, H3OU_TYPE_INT32), H3OU_ESTATE);
        assert_begins_with(said[face].bcast);
        assert_int_equal(h3ou_send(NULL, "ocean", &one, 1, H3OU_TYPE_INT32), H3OU_ESTATE);
        assert_begins_with(said[face].send);
        assert_int_equal(h3ou_isend_model(NULL, "ocean", 0, &one, 1, H3OU_TYPE_INT32), H3OU_ESTATE);
        assert_begins_with(said[face].isend);
    }
    h3ou_face(H3OU_FACE_C);
}

/* Fortran's calls of three components are calls of these functions, as are those of one and two. */
static void arrays_of_three_components_have_a_name_of_their_own_in_fortran(void **state)
{
    double value[3] = {0};
    int ok;
    h3ou_arrays a = {.type = H3OU_TYPE_DOUBLE, .rank = 1, .extent = {1}, .component = {value, value + 1, value + 2}};
    (void)state;
    for (a.count = 1; a.count <= 3; a.count++) {
        h3ou_face(H3OU_FACE_FORTRAN);
        assert_int_equal(h3ou_put_arrays(NULL, "wind", &a), H3OU_ESTATE);
        assert_begins_with(a.count == 3 ? "h3ou_put_data_xyz" : "h3ou_put_data");
        assert_int_equal(h3ou_get_arrays(NULL, "wind", &a, &ok), H3OU_ESTATE);
        assert_begins_with(a.count == 3 ? "h3ou_get_data_xyz" : "h3ou_get_data");
        h3ou_face(H3OU_FACE_C);
        assert_int_equal(h3ou_put_arrays(NULL, "wind", &a), H3OU_ESTATE);
        assert_begins_with("h3ou_put_arrays");
        assert_int_equal(h3ou_get_arrays(NULL, "wind", &a, &ok), H3OU_ESTATE);
        assert_begins_with("h3ou_get_arrays");
    }
}

static void the_name_of_the_first_call_is_open_in_c(void **state)
{
    h3ou_ctx *ctx = NULL;
    (void)state;
    h3ou_face(-1); /* no face: nothing changes */
    assert_int_equal(h3ou_open("", "none.conf", 1, &ctx), H3OU_EARG);
    assert_string_equal(h3ou_error(), "h3ou_open: component name '' must have 1 to 64 characters");
    assert_int_equal(h3ou_close(ctx, NULL, -1), H3OU_OK);
}

static void other_words_stay(void **state)
{
    (void)state;
    assert_int_equal(h3ou_wrong("h3ou_init_timer, my_h3ou_init and h3ou_def_grid: 5%s"), H3OU_EARG);
    assert_string_equal(h3ou_error(), "h3ou_init_timer, my_h3ou_init and h3ou_grid_define: 5%s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_error_names_the_calls_of_the_face),
        cmocka_unit_test(calls_beside_the_exchange_have_the_names_of_the_face),
        cmocka_unit_test(arrays_of_three_components_have_a_name_of_their_own_in_fortran),
        cmocka_unit_test(the_name_of_the_first_call_is_open_in_c),
        cmocka_unit_test(other_words_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
