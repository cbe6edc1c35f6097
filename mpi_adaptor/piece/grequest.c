/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalised requests and data representations: functions of the user whose state is held by ours. */
#include PIECE_HEADER

struct grequest {
    outer_Grequest_query_function *query;
    outer_Grequest_free_function *free;
    outer_Grequest_cancel_function *cancel;
    void *state;
    int is_fortran; /* MPICH's Fortran library passes the program's functions as they are */
};
static _Thread_local struct grequest *last; /* of this thread's last request */

void grequest_set_fortran(void)
{
    if (last)
        last->is_fortran = 1;
}

static int grequest_query(void *state, inner_Status *status)
{
    const struct grequest *g = state;
    outer_Status outer;
    memset(&outer, 0, sizeof outer);
    int error = 0;
    if (g->is_fortran)
        ((void (*)(void *, outer_Status *, int *))(void *)g->query)(g->state, &outer, &error);
    else
        error = g->query(g->state, &outer);
    status_inner(status, &outer);
    return error_inner(error);
}

static int grequest_free(void *state)
{
    struct grequest *g = state;
    int error = 0;
    if (g->is_fortran)
        ((void (*)(void *, int *))(void *)g->free)(g->state, &error);
    else
        error = g->free(g->state);
    if (last == g)
        last = NULL;
    free(g);
    return error_inner(error);
}

static int grequest_cancel(void *state, int complete)
{
    const struct grequest *g = state;
    int error = 0;
    if (g->is_fortran)
        ((void (*)(void *, int *, int *))(void *)g->cancel)(g->state, &complete, &error);
    else
        error = g->cancel(g->state, complete);
    return error_inner(error);
}

int OUTER(Grequest_start)(outer_Grequest_query_function *query, outer_Grequest_free_function *free_it, outer_Grequest_cancel_function *cancel,
                          void *state, outer_Request *request)
{
    struct grequest *g = scratch_get(sizeof *g);
    inner_Request made = inner_Request_none;
    *g = (struct grequest){query, free_it, cancel, state, 0};
    last = g;
    int error = inner->Grequest_start(grequest_query, grequest_free, grequest_cancel, g, &made);
    if (error == 0)
        *request = Request_outer_new(made);
    else
        last = NULL;
    if (error != 0)
        free(g);
    return error_outer(error);
}
WEAK_NAME(Grequest_start)

/* A data representation is never removed, so neither is this. */
struct datarep {
    outer_Datarep_conversion_function *read, *write;
    outer_Datarep_extent_function *extent;
    void *state;
};

static int datarep_extent(inner_Datatype type, inner_Aint *extent, void *state)
{
    const struct datarep *d = state;
    outer_Aint outer = 0;
    int error = d->extent(Datatype_outer(type), &outer, d->state);
    *extent = (inner_Aint)outer;
    return error_inner(error);
}

static int datarep_read(void *user, inner_Datatype type, int count, void *file, inner_Offset position, void *state)
{
    const struct datarep *d = state;
    return error_inner(d->read(user, Datatype_outer(type), count, file, position, d->state));
}

static int datarep_write(void *user, inner_Datatype type, int count, void *file, inner_Offset position, void *state)
{
    const struct datarep *d = state;
    return error_inner(d->write(user, Datatype_outer(type), count, file, position, d->state));
}

int OUTER(Register_datarep)(const char *name, outer_Datarep_conversion_function *read, outer_Datarep_conversion_function *write,
                            outer_Datarep_extent_function *extent, void *state)
{
    struct datarep *d = scratch_get(sizeof *d);
    *d = (struct datarep){read, write, extent, state};
    int error = inner->Register_datarep(name, read ? datarep_read : NULL, write ? datarep_write : NULL, datarep_extent, d);
    if (error != 0)
        free(d);
    return error_outer(error);
}
WEAK_NAME(Register_datarep)

#ifdef HAS_LARGE_COUNTS
struct datarep_c {
    outer_Datarep_conversion_function_c *read, *write;
    outer_Datarep_extent_function *extent;
    void *state;
};

static int datarep_extent_c(inner_Datatype type, inner_Aint *extent, void *state)
{
    const struct datarep_c *d = state;
    outer_Aint outer = 0;
    int error = d->extent(Datatype_outer(type), &outer, d->state);
    *extent = (inner_Aint)outer;
    return error_inner(error);
}

static int datarep_read_c(void *user, inner_Datatype type, inner_Count count, void *file, inner_Offset position, void *state)
{
    const struct datarep_c *d = state;
    return error_inner(d->read(user, Datatype_outer(type), count, file, position, d->state));
}

static int datarep_write_c(void *user, inner_Datatype type, inner_Count count, void *file, inner_Offset position, void *state)
{
    const struct datarep_c *d = state;
    return error_inner(d->write(user, Datatype_outer(type), count, file, position, d->state));
}

int OUTER(Register_datarep_c)(const char *name, outer_Datarep_conversion_function_c *read, outer_Datarep_conversion_function_c *write,
                              outer_Datarep_extent_function *extent, void *state)
{
    struct datarep_c *d = scratch_get(sizeof *d);
    *d = (struct datarep_c){read, write, extent, state};
    int error = inner->Register_datarep_c(name, read ? datarep_read_c : NULL, write ? datarep_write_c : NULL, datarep_extent_c, d);
    if (error != 0)
        free(d);
    return error_outer(error);
}
WEAK_NAME(Register_datarep_c)
#endif
