/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the user that have no argument for a state of ours: reductions and error handlers. libffi makes one function of the inner MPI's
 * kind for each of the outer's; it is kept until the process ends, because requests may still use a reduction that was freed. */
#include PIECE_HEADER

#include <ffi.h>
#include <pthread.h>

typedef void (*any_function)(void);

struct user_function {
    struct user_function *next;
    any_function function;
    void (*call)(ffi_cif *cif, void *result, void **arguments, void *user);
    void *code;
};

static struct user_function *known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void reduction_call(ffi_cif *cif, void *result, void **arguments, void *user)
{
    typedef void reduction(void *in, void *inout, void *length, outer_Datatype *datatype);
    const struct user_function *f = user;
    outer_Datatype datatype = Datatype_outer(**(inner_Datatype **)arguments[3]);
    (void)cif;
    (void)result;
    ((reduction *)f->function)(*(void **)arguments[0], *(void **)arguments[1], *(void **)arguments[2], &datatype);
}

#define HANDLER_CALL(C)                                                                                                                    \
    static void C##_handler_call(ffi_cif *cif, void *result, void **arguments, void *user)                                                 \
    {                                                                                                                                      \
        typedef void handler(outer_##C *object, int *code, ...);                                                                           \
        const struct user_function *f = user;                                                                                              \
        outer_##C object = C##_outer(**(inner_##C **)arguments[0]);                                                                        \
        int code = error_outer(**(int **)arguments[1]);                                                                                    \
        (void)cif;                                                                                                                         \
        (void)result;                                                                                                                      \
        ((handler *)f->function)(&object, &code);                                                                                          \
    }
HANDLER_CALL(Comm)
HANDLER_CALL(Win)
HANDLER_CALL(File)

static struct user_function *user_function_create(any_function function, void (*call)(ffi_cif *, void *, void **, void *), unsigned arguments)
{
    static ffi_cif cifs[2];
    static ffi_type *types[4] = {&ffi_type_pointer, &ffi_type_pointer, &ffi_type_pointer, &ffi_type_pointer};
    ffi_cif *cif = &cifs[arguments == 4];
    struct user_function *f = calloc(1, sizeof *f);
    void *code = NULL;
    ffi_closure *closure = f ? ffi_closure_alloc(sizeof *closure, &code) : NULL;
    if (!closure || ffi_prep_cif(cif, FFI_DEFAULT_ABI, arguments, &ffi_type_void, types) != FFI_OK ||
        ffi_prep_closure_loc(closure, cif, call, f, code) != FFI_OK)
        hub_end("no memory that can be executed, for a function that is called by MPI");
    *f = (struct user_function){known, function, call, code};
    return f;
}

static void *user_function_get(any_function function, void (*call)(ffi_cif *, void *, void **, void *), unsigned arguments)
{
    pthread_mutex_lock(&lock);
    struct user_function *f = known;
    while (f && (f->function != function || f->call != call))
        f = f->next;
    if (!f)
        f = known = user_function_create(function, call, arguments);
    pthread_mutex_unlock(&lock);
    return f->code;
}

int OUTER(Op_create)(outer_User_function *function, int commute, outer_Op *op)
{
    inner_Op made = inner_Op_none;
    int error = inner->Op_create((inner_User_function *)user_function_get((any_function)function, reduction_call, 4), commute, &made);
    if (error == 0)
        *op = Op_outer_new(made);
    return error_outer(error);
}
WEAK_NAME(Op_create)

#ifdef HAS_LARGE_COUNTS
int OUTER(Op_create_c)(outer_User_function_c *function, int commute, outer_Op *op)
{
    inner_Op made = inner_Op_none;
    int error = inner->Op_create_c((inner_User_function_c *)user_function_get((any_function)function, reduction_call, 4), commute, &made);
    if (error == 0)
        *op = Op_outer_new(made);
    return error_outer(error);
}
WEAK_NAME(Op_create_c)
#endif

#define HANDLER_CREATE(C)                                                                                                                  \
    int OUTER(C##_create_errhandler)(outer_##C##_errhandler_function *function, outer_Errhandler *handler)                                 \
    {                                                                                                                                      \
        inner_Errhandler made = inner_Errhandler_none;                                                                                     \
        void *code = user_function_get((any_function)function, C##_handler_call, 2);                                                       \
        int error = inner->C##_create_errhandler((inner_##C##_errhandler_function *)code, &made);                                          \
        if (error == 0)                                                                                                                    \
            *handler = Errhandler_outer_new(made);                                                                                         \
        return error_outer(error);                                                                                                         \
    }                                                                                                                                      \
    WEAK_NAME(C##_create_errhandler)
HANDLER_CREATE(Comm)
HANDLER_CREATE(Win)
HANDLER_CREATE(File)
#ifdef HAS_SESSIONS
HANDLER_CALL(Session)
HANDLER_CREATE(Session)
#endif
