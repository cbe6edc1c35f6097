/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the user that are written in Fortran, and attributes, which are integers there. */
#include "fortran_call.h"

#include <ffi.h>
#include <stdint.h>
#include <string.h>

typedef void procedure(void);

/* Functions without an extra state of their own: one C function is made for each of Fortran, and kept until the process ends, since an MPI
 * does not say when it needs a function no longer. */
typedef struct {
    ffi_cif cif;
    ffi_type *arguments[4];
    procedure *user;
} made_function;

static procedure *make_function(procedure *user, unsigned n, void (*body)(ffi_cif *, void *, void **, void *))
{
    void *code = NULL;
    made_function *made = calloc(1, sizeof *made);
    ffi_closure *closure = made ? ffi_closure_alloc(sizeof *closure, &code) : NULL;
    if (!closure) {
        free(made);
        return NULL;
    }
    for (unsigned i = 0; i < n; i++)
        made->arguments[i] = &ffi_type_pointer;
    made->user = user;
    if (ffi_prep_cif(&made->cif, FFI_DEFAULT_ABI, n, &ffi_type_void, made->arguments) != FFI_OK ||
        ffi_prep_closure_loc(closure, &made->cif, body, made, code) != FFI_OK)
        return NULL;
    procedure *function;
    memcpy(&function, &code, sizeof function);
    return function;
}

static void reduce(ffi_cif *cif, void *result, void **arguments, void *of)
{
    (void)cif;
    (void)result;
    typedef void user_op(void *, void *, MPI_Fint *, MPI_Fint *);
    MPI_Fint type = PMPI_Type_c2f(**(MPI_Datatype **)arguments[3]);
    ((user_op *)((made_function *)of)->user)(*(void **)arguments[0], *(void **)arguments[1], *(int **)arguments[2], &type);
}

typedef void user_handler(MPI_Fint *, MPI_Fint *);

static void handle_comm(ffi_cif *cif, void *result, void **arguments, void *of)
{
    (void)cif;
    (void)result;
    MPI_Fint comm = PMPI_Comm_c2f(**(MPI_Comm **)arguments[0]);
    ((user_handler *)((made_function *)of)->user)(&comm, *(int **)arguments[1]);
}

static void handle_win(ffi_cif *cif, void *result, void **arguments, void *of)
{
    (void)cif;
    (void)result;
    MPI_Fint win = PMPI_Win_c2f(**(MPI_Win **)arguments[0]);
    ((user_handler *)((made_function *)of)->user)(&win, *(int **)arguments[1]);
}

static void handle_file(ffi_cif *cif, void *result, void **arguments, void *of)
{
    (void)cif;
    (void)result;
    MPI_Fint file = PMPI_File_c2f(**(MPI_File **)arguments[0]);
    ((user_handler *)((made_function *)of)->user)(&file, *(int **)arguments[1]);
}

H3OU_NAMES(op_create, OP_CREATE, Op_create)
void pmpi_op_create_(procedure *user, MPI_Fint *commutes, MPI_Fint *op, MPI_Fint *ierr)
{
    MPI_Op made = MPI_OP_NULL;
    procedure *function = make_function(user, 4, reduce);
    int err = function ? PMPI_Op_create((MPI_User_function *)function, *commutes, &made) : MPI_ERR_NO_MEM;
    if (!err)
        *op = PMPI_Op_c2f(made);
    finish(ierr, err);
}

static void give_handler(MPI_Errhandler made, MPI_Fint *to, int err, MPI_Fint *ierr)
{
    if (!err)
        *to = PMPI_Errhandler_c2f(made);
    finish(ierr, err);
}

H3OU_NAMES(comm_create_errhandler, COMM_CREATE_ERRHANDLER, Comm_create_errhandler)
void pmpi_comm_create_errhandler_(procedure *user, MPI_Fint *handler, MPI_Fint *ierr)
{
    MPI_Errhandler made = MPI_ERRHANDLER_NULL;
    procedure *function = make_function(user, 2, handle_comm);
    int err = function ? PMPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)function, &made) : MPI_ERR_NO_MEM;
    give_handler(made, handler, err, ierr);
}

H3OU_NAMES(win_create_errhandler, WIN_CREATE_ERRHANDLER, Win_create_errhandler)
void pmpi_win_create_errhandler_(procedure *user, MPI_Fint *handler, MPI_Fint *ierr)
{
    MPI_Errhandler made = MPI_ERRHANDLER_NULL;
    procedure *function = make_function(user, 2, handle_win);
    int err = function ? PMPI_Win_create_errhandler((MPI_Win_errhandler_function *)function, &made) : MPI_ERR_NO_MEM;
    give_handler(made, handler, err, ierr);
}

H3OU_NAMES(file_create_errhandler, FILE_CREATE_ERRHANDLER, File_create_errhandler)
void pmpi_file_create_errhandler_(procedure *user, MPI_Fint *handler, MPI_Fint *ierr)
{
    MPI_Errhandler made = MPI_ERRHANDLER_NULL;
    procedure *function = make_function(user, 2, handle_file);
    int err = function ? PMPI_File_create_errhandler((MPI_File_errhandler_function *)function, &made) : MPI_ERR_NO_MEM;
    give_handler(made, handler, err, ierr);
}

/* Attributes. The functions of a key and its extra state; as Fortran passes them, the values are of address size, or INTEGERs in the
 * deprecated calls. */
typedef struct {
    procedure *copy, *delete;
    MPI_Aint extra;
    int is_short;
} key_functions;

static int copy_attribute(MPI_Fint handle, int key, key_functions *k, void *in, void *out, int *flag)
{
    MPI_Fint number = key, logical = 0, err = MPI_SUCCESS;
    MPI_Aint value = (MPI_Aint)(intptr_t)in, copy = 0;
    if (k->is_short) {
        typedef void user_copy(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *);
        MPI_Fint extra = (MPI_Fint)k->extra, short_value = (MPI_Fint)value, short_copy = 0;
        ((user_copy *)k->copy)(&handle, &number, &extra, &short_value, &short_copy, &logical, &err);
        copy = short_copy;
    } else {
        typedef void user_copy(MPI_Fint *, MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Aint *, MPI_Fint *, MPI_Fint *);
        ((user_copy *)k->copy)(&handle, &number, &k->extra, &value, &copy, &logical, &err);
    }
    *flag = logical != 0;
    if (logical)
        *(void **)out = (void *)(intptr_t)copy;
    return err;
}

static int delete_attribute(MPI_Fint handle, int key, key_functions *k, void *value)
{
    MPI_Fint number = key, err = MPI_SUCCESS;
    MPI_Aint kept = (MPI_Aint)(intptr_t)value;
    if (k->is_short) {
        typedef void user_delete(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *);
        MPI_Fint extra = (MPI_Fint)k->extra, short_value = (MPI_Fint)kept;
        ((user_delete *)k->delete)(&handle, &number, &short_value, &extra, &err);
    } else {
        typedef void user_delete(MPI_Fint *, MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Fint *);
        ((user_delete *)k->delete)(&handle, &number, &kept, &k->extra, &err);
    }
    return err;
}

/* The keys' functions are kept until the process ends: a key that was freed is still used by what has its attribute. */
static key_functions *keep_functions(procedure *copy, procedure *delete, MPI_Aint extra, int is_short)
{
    key_functions *k = malloc(sizeof *k);
    if (k)
        *k = (key_functions){copy, delete, extra, is_short};
    return k;
}

/* The calls of one kind of object. A value that Fortran has set is the pointer itself in C. */
#define ATTRIBUTES(Kind, kind, KIND, Handle, Convert)                                                                                        \
    static int copy_of_##kind(Handle handle, int key, void *k, void *in, void *out, int *flag)                                               \
    {                                                                                                                                        \
        return copy_attribute(PMPI_##Convert##_c2f(handle), key, k, in, out, flag);                                                          \
    }                                                                                                                                        \
    static int delete_of_##kind(Handle handle, int key, void *value, void *k)                                                                \
    {                                                                                                                                        \
        return delete_attribute(PMPI_##Convert##_c2f(handle), key, k, value);                                                                \
    }                                                                                                                                        \
    H3OU_NAMES(kind##_create_keyval, KIND##_CREATE_KEYVAL, Kind##_create_keyval)                                                             \
    void pmpi_##kind##_create_keyval_(procedure *copy, procedure *delete, MPI_Fint *key, MPI_Aint *extra, MPI_Fint *ierr)                    \
    {                                                                                                                                        \
        key_functions *k = keep_functions(copy, delete, *extra, 0);                                                                          \
        finish(ierr, k ? PMPI_##Kind##_create_keyval(copy_of_##kind, delete_of_##kind, key, k) : MPI_ERR_NO_MEM);                            \
    }                                                                                                                                        \
    H3OU_NAMES(kind##_set_attr, KIND##_SET_ATTR, Kind##_set_attr)                                                                            \
    void pmpi_##kind##_set_attr_(MPI_Fint *handle, MPI_Fint *key, MPI_Aint *value, MPI_Fint *ierr)                                           \
    {                                                                                                                                        \
        finish(ierr, PMPI_##Kind##_set_attr(PMPI_##Convert##_f2c(*handle), *key, (void *)(intptr_t)*value));                                 \
    }                                                                                                                                        \
    H3OU_NAMES(kind##_get_attr, KIND##_GET_ATTR, Kind##_get_attr)                                                                            \
    void pmpi_##kind##_get_attr_(MPI_Fint *handle, MPI_Fint *key, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierr)                           \
    {                                                                                                                                        \
        void *kept = NULL;                                                                                                                   \
        int err = PMPI_##Kind##_get_attr(PMPI_##Convert##_f2c(*handle), *key, &kept, flag);                                                  \
        if (!err && *flag)                                                                                                                   \
            *value = kind##_value(*key, kept);                                                                                               \
        if (!err)                                                                                                                            \
            *flag = *flag != 0;                                                                                                              \
        finish(ierr, err);                                                                                                                   \
    }

/* In C predefined attributes are pointers to integers, in Fortran the integers. */
static MPI_Aint comm_value(int key, void *kept)
{
    const int predefined[] = {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_APPNUM, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE};
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (key == predefined[i])
            return *(int *)kept;
    return (MPI_Aint)(intptr_t)kept;
}

static MPI_Aint type_value(int key, void *kept)
{
    (void)key;
    return (MPI_Aint)(intptr_t)kept;
}

static MPI_Aint win_value(int key, void *kept)
{
    if (key == MPI_WIN_SIZE)
        return *(MPI_Aint *)kept;
    if (key == MPI_WIN_DISP_UNIT || key == MPI_WIN_CREATE_FLAVOR || key == MPI_WIN_MODEL)
        return *(int *)kept;
    return (MPI_Aint)(intptr_t)kept;
}

ATTRIBUTES(Comm, comm, COMM, MPI_Comm, Comm)
ATTRIBUTES(Type, type, TYPE, MPI_Datatype, Type)
ATTRIBUTES(Win, win, WIN, MPI_Win, Win)

H3OU_NAMES(keyval_create, KEYVAL_CREATE, Keyval_create)
void pmpi_keyval_create_(procedure *copy, procedure *delete, MPI_Fint *key, MPI_Fint *extra, MPI_Fint *ierr)
{
    key_functions *k = keep_functions(copy, delete, *extra, 1);
    finish(ierr, k ? PMPI_Comm_create_keyval(copy_of_comm, delete_of_comm, key, k) : MPI_ERR_NO_MEM);
}

H3OU_NAMES(attr_put, ATTR_PUT, Attr_put)
void pmpi_attr_put_(MPI_Fint *comm, MPI_Fint *key, MPI_Fint *value, MPI_Fint *ierr)
{
    finish(ierr, PMPI_Comm_set_attr(PMPI_Comm_f2c(*comm), *key, (void *)(intptr_t)*value));
}

H3OU_NAMES(attr_get, ATTR_GET, Attr_get)
void pmpi_attr_get_(MPI_Fint *comm, MPI_Fint *key, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierr)
{
    MPI_Aint large = 0;
    MPI_Fint err = MPI_SUCCESS;
    pmpi_comm_get_attr_(comm, key, &large, flag, &err);
    if (!err && *flag)
        *value = (MPI_Fint)large;
    finish(ierr, err);
}

/* The predefined functions of keys, as Fortran passes them. */
#define KEY_FUNCTIONS(name, NAME, Value)                                                                                                     \
    void mpi_##name##dup_fn_(MPI_Fint *handle, MPI_Fint *key, Value *extra, Value *in, Value *out, MPI_Fint *flag, MPI_Fint *ierr)           \
    {                                                                                                                                        \
        (void)handle;                                                                                                                        \
        (void)key;                                                                                                                           \
        (void)extra;                                                                                                                         \
        *out = *in;                                                                                                                          \
        *flag = 1;                                                                                                                           \
        *ierr = MPI_SUCCESS;                                                                                                                 \
    }                                                                                                                                        \
    void mpi_##name##null_copy_fn_(MPI_Fint *handle, MPI_Fint *key, Value *extra, Value *in, Value *out, MPI_Fint *flag, MPI_Fint *ierr)     \
    {                                                                                                                                        \
        (void)handle;                                                                                                                        \
        (void)key;                                                                                                                           \
        (void)extra;                                                                                                                         \
        (void)in;                                                                                                                            \
        (void)out;                                                                                                                           \
        *flag = 0;                                                                                                                           \
        *ierr = MPI_SUCCESS;                                                                                                                 \
    }                                                                                                                                        \
    void mpi_##name##null_delete_fn_(MPI_Fint *handle, MPI_Fint *key, Value *value, Value *extra, MPI_Fint *ierr)                            \
    {                                                                                                                                        \
        (void)handle;                                                                                                                        \
        (void)key;                                                                                                                           \
        (void)value;                                                                                                                         \
        (void)extra;                                                                                                                         \
        *ierr = MPI_SUCCESS;                                                                                                                 \
    }

KEY_FUNCTIONS(, , MPI_Fint)
KEY_FUNCTIONS(comm_, COMM_, MPI_Aint)
KEY_FUNCTIONS(type_, TYPE_, MPI_Aint)
KEY_FUNCTIONS(win_, WIN_, MPI_Aint)

/* Generalised requests. */
typedef struct {
    procedure *query, *free, *cancel;
    MPI_Aint *extra;
} request_functions;

static int query_request(void *of, MPI_Status *status)
{
    typedef void user_query(MPI_Aint *, MPI_Status *, MPI_Fint *);
    request_functions *r = of;
    MPI_Fint err = MPI_SUCCESS;
    ((user_query *)r->query)(r->extra, status, &err);
    return err;
}

static int free_request(void *of)
{
    typedef void user_free(MPI_Aint *, MPI_Fint *);
    request_functions *r = of;
    MPI_Fint err = MPI_SUCCESS;
    ((user_free *)r->free)(r->extra, &err);
    free(r);
    return err;
}

static int cancel_request(void *of, int complete)
{
    typedef void user_cancel(MPI_Aint *, MPI_Fint *, MPI_Fint *);
    request_functions *r = of;
    MPI_Fint err = MPI_SUCCESS, logical = complete != 0;
    ((user_cancel *)r->cancel)(r->extra, &logical, &err);
    return err;
}

H3OU_NAMES(grequest_start, GREQUEST_START, Grequest_start)
void pmpi_grequest_start_(procedure *query, procedure *on_free, procedure *cancel, MPI_Aint *extra, MPI_Fint *request, MPI_Fint *ierr)
{
    MPI_Request made = MPI_REQUEST_NULL;
    request_functions *r = malloc(sizeof *r);
    int err = MPI_ERR_NO_MEM;
    if (r) {
        *r = (request_functions){query, on_free, cancel, extra};
        err = PMPI_Grequest_start(query_request, free_request, cancel_request, r, &made);
    }
    if (!err)
        *request = PMPI_Request_c2f(made);
    else
        free(r);
    finish(ierr, err);
}

/* Data representations of the user. */
typedef struct {
    procedure *read, *write, *extent;
    MPI_Aint *extra;
} datarep_functions;

typedef void user_conversion(void *, MPI_Fint *, MPI_Fint *, void *, MPI_Offset *, MPI_Aint *, MPI_Fint *);

static int convert(procedure *user, void *in_memory, MPI_Datatype type, int count, void *in_file, MPI_Offset position, MPI_Aint *extra)
{
    MPI_Fint number = PMPI_Type_c2f(type), n = count, err = MPI_SUCCESS;
    ((user_conversion *)user)(in_memory, &number, &n, in_file, &position, extra, &err);
    return err;
}

static int read_values(void *in_memory, MPI_Datatype type, int count, void *in_file, MPI_Offset position, void *of)
{
    datarep_functions *d = of;
    return convert(d->read, in_memory, type, count, in_file, position, d->extra);
}

static int write_values(void *in_memory, MPI_Datatype type, int count, void *in_file, MPI_Offset position, void *of)
{
    datarep_functions *d = of;
    return convert(d->write, in_memory, type, count, in_file, position, d->extra);
}

static int extent_in_file(MPI_Datatype type, MPI_Aint *extent, void *of)
{
    typedef void user_extent(MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Fint *);
    datarep_functions *d = of;
    MPI_Fint number = PMPI_Type_c2f(type), err = MPI_SUCCESS;
    ((user_extent *)d->extent)(&number, extent, d->extra, &err);
    return err;
}

/* Never called: its address says that nothing is to be converted. */
void mpi_conversion_fn_null_(void *in_memory, MPI_Fint *type, MPI_Fint *count, void *in_file, MPI_Offset *position, MPI_Aint *extra, MPI_Fint *ierr)
{
    (void)in_memory;
    (void)type;
    (void)count;
    (void)in_file;
    (void)position;
    (void)extra;
    *ierr = MPI_ERR_INTERN;
}

H3OU_NAMES(register_datarep, REGISTER_DATAREP, Register_datarep)
void pmpi_register_datarep_(char *name, procedure *on_read, procedure *on_write, procedure *extent, MPI_Aint *extra, MPI_Fint *ierr, int length)
{
    char *text = text_to_c(name, length);
    datarep_functions *d = malloc(sizeof *d);
    procedure *none = (procedure *)mpi_conversion_fn_null_;
    int err = MPI_ERR_NO_MEM;
    if (text && d) {
        *d = (datarep_functions){on_read, on_write, extent, extra};
        err = PMPI_Register_datarep(text, on_read == none ? MPI_CONVERSION_FN_NULL : read_values,
                                    on_write == none ? MPI_CONVERSION_FN_NULL : write_values, extent_in_file, d);
    }
    free(text);
    if (err)
        free(d);
    finish(ierr, err);
}
