/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/call_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "h3ou.h"

enum { FACES = H3OU_FACE_PYTHON + 1 };

#define PUT           "h3ou_put_data", "h3ouc_put_data_1d/25d", "h3ou_put_data_1d/25d"
#define GET           "h3ou_get_data", "h3ouc_get_data_1d/25d", "h3ou_get_data_1d/25d"
#define GRID          "h3ou_def_grid", "h3ouc_def_grid", "h3ou_def_grid"
#define SAME(name)    name, NULL, name /* in Fortran and Python; h3ouc.h has no such call */
#define TYPED(name)   name "_int/real/double"
#define TYPED_C(name) name "_int/float/double"
#define SENT(name)    "h3ouc_" name "_TYPE/TYPE_array/array_TYPE"

/* A row for each call of h3ou.h that has another name elsewhere, in the order of enum h3ou_face. */
static const char *const calls[][FACES] = {
    {"h3ou_open", "h3ou_init", "h3ouc_init", "h3ou_init"},
    {"h3ou_open_in", SAME("h3ou_init")},
    {"h3ou_find", SAME("h3ou_select")},
    {"h3ou_close", "h3ou_coupling_end", "h3ouc_coupling_end", "h3ou_coupling_end"},
    {"h3ou_local", "h3ou_get_my_comm/size/rank", "h3ouc_get_my_comm/size/rank", "h3ou_get_my_comm/size/rank"},
    {"h3ou_local_named", "h3ou_get_mpi_parameter", "h3ouc_get_mpi_parameter", "h3ou_get_mpi_parameter"},
    {"h3ou_my_name", SAME("h3ou_get_my_name")},
    {"h3ou_component_id", SAME("h3ou_get_model_id")},
    {"h3ou_target_name", SAME("h3ou_get_target_name")},
    {"h3ou_pair_cells", SAME("h3ou_get_num_of_send_grid, h3ou_get_num_of_recv_grid")},
    {"h3ou_grid_define", GRID},
    {"h3ou_grid_centres", GRID},
    {"h3ou_grid_corners", GRID},
    {"h3ou_grid_mask", GRID},
    {"h3ou_grid_area", GRID},
    {"h3ou_grid_angle", GRID},
    {"h3ou_grid_shape", GRID},
    {"h3ou_grid_edges", GRID},
    {"h3ou_grid_block", GRID},
    {"h3ou_grid_halo", GRID},
    {"h3ou_grid_positions", GRID},
    {"h3ou_grid_end", "h3ou_end_grid_def", "h3ouc_end_grid_def", "h3ou_end_grid_def"},
    {"h3ou_table_set", "h3ou_set_interpolation_table", "h3ouc_set_interpolation_table", "h3ou_set_interpolation_table"},
    {"h3ou_table_set_rotated", SAME("h3ou_set_interpolation_table")},
    {"h3ou_time_init", "h3ou_init_time", "h3ouc_init_time", "h3ou_init_time"},
    {"h3ou_time_set", "h3ou_set_time", "h3ouc_set_time", "h3ou_set_time"},
    {"h3ou_time_pass", SAME("h3ou_set_time")},
    {"h3ou_send_now", SAME("h3ou_send_data_immediately")},
    {"h3ou_recv_now", SAME("h3ou_recv_data_immediately")},
    {"h3ou_time_set_seconds", SAME("h3ou_set_time_seconds")},
    {"h3ou_time_set_months", SAME("h3ou_set_time_months")},
    {"h3ou_time_add_months", SAME("h3ou_inc_months")},
    {"h3ou_time_add", "h3ou_inc_time", "h3ouc_inc_calendar", "h3ou_inc_time"},
    {"h3ou_put", PUT},
    {"h3ou_put_vector", PUT},
    {"h3ou_put_share", PUT},
    {"h3ou_put_vector_share", PUT},
    {"h3ou_put_arrays", PUT},
    {"h3ou_put_arrays", SAME("h3ou_put_data_xyz")}, /* of three arrays */
    {"h3ou_put_xyz", SAME("h3ou_put_data_xyz")},
    {"h3ou_field_put", PUT},
    {"h3ou_field_put_arrays", PUT},
    {"h3ou_field_put_arrays", SAME("h3ou_put_data_xyz")}, /* of three arrays */
    {"h3ou_get", GET},
    {"h3ou_get_vector", GET},
    {"h3ou_get_arrays", GET},
    {"h3ou_get_arrays", SAME("h3ou_get_data_xyz")}, /* of three arrays */
    {"h3ou_get_xyz", SAME("h3ou_get_data_xyz")},
    {"h3ou_field_get", GET},
    {"h3ou_field_get_arrays", GET},
    {"h3ou_field_get_arrays", SAME("h3ou_get_data_xyz")}, /* of three arrays */
    {"h3ou_missing", NULL, NULL, "h3ou_get_data_1d/25d/xyz"},
    {"h3ou_put_name", "h3ou_get_put_data_name", "h3ouc_get_put_data_name", "h3ou_get_put_data_name"},
    {"h3ou_get_name", "h3ou_get_get_data_name", "h3ouc_get_get_data_name", "h3ou_get_get_data_name"},
    {"h3ou_layers", SAME("h3ou_get_vlayer")},
    {"h3ou_members", SAME("h3ou_get_members")},
    {"h3ou_bcast_global", "h3ou_bcast_global", TYPED_C("h3ouc_bcast_global"), TYPED("h3ou_bcast_global") "/string"},
    {"h3ou_bcast_model", "h3ou_bcast_model", TYPED_C("h3ouc_bcast_model"), TYPED("h3ou_bcast_model")},
    {"h3ou_bcast_local", "h3ou_bcast_local", NULL, TYPED("h3ou_bcast_local")},
    {"h3ou_op_create", "h3ou_op_create_int/long/real/double/char", NULL, "h3ou_op_create"},
    {"h3ou_send", "h3ou_send/send_array", SENT("send"), "h3ou_send_scalar/array"},
    {"h3ou_recv", "h3ou_recv/recv_array", SENT("recv"), "h3ou_recv_scalar/array"},
    {"h3ou_send_model", "h3ou_send_model", TYPED_C("h3ouc_send_model"), TYPED("h3ou_send_model")},
    {"h3ou_recv_model", "h3ou_recv_model", TYPED_C("h3ouc_recv_model"), TYPED("h3ou_recv_model")},
    {"h3ou_send_local", "h3ou_send_local/local_all", NULL, TYPED("h3ou_send_local")},
    {"h3ou_recv_local", "h3ou_recv_local/local_all", NULL, TYPED("h3ou_recv_local")},
    {"h3ou_isend_model", TYPED("h3ou_isend_model"), TYPED_C("h3ouc_isend_model"), NULL},
    {"h3ou_irecv_model", TYPED("h3ou_irecv_model"), TYPED_C("h3ouc_irecv_model"), NULL},
    {"h3ou_isend_waitall", "h3ou_isend_waitall", "h3ouc_isend_waitall", NULL},
    {"h3ou_irecv_waitall", "h3ou_irecv_waitall", "h3ouc_irecv_waitall", NULL},
};
enum { CALLS = sizeof calls / sizeof *calls };

static int program_face = H3OU_FACE_C;

void h3ou_face(int face)
{
    if (face >= 0 && face < FACES)
        program_face = face;
}

static bool is_name(const char *name, const char *word, size_t length)
{
    return name && strlen(name) == length && !memcmp(name, word, length);
}

/* Returns the name, in the interface that the program uses, of the call that `word` names, or NULL if `word` names
 * none. */
static const char *find_name(const char *word, size_t length)
{
    for (int i = 0; i < CALLS; i++)
        if (is_name(calls[i][program_face], word, length))
            return NULL;
    for (int i = 0; i < CALLS; i++)
        for (int face = 0; face < FACES; face++)
            if (is_name(calls[i][face], word, length))
                return calls[i][program_face];
    return NULL;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

char *h3ou__call_names(const char *sentence, char *out, size_t size)
{
    size_t used = 0;
    while (*sentence && used + 1 < size) {
        size_t length = word_length(sentence);
        const char *name = length ? find_name(sentence, length) : NULL;
        size_t wide = name ? strlen(name) : length ? length : 1;
        wide = wide < size - 1 - used ? wide : size - 1 - used;
        memcpy(out + used, name ? name : sentence, wide);
        used += wide;
        sentence += length ? length : 1;
    }
    out[used] = 0;
    return out;
}
