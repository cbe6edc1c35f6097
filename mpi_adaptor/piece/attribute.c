/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes: functions of the user that copy and delete them have a state, in which ours holds the user's. */
#include PIECE_HEADER

#include <pthread.h>

/* One set of functions and state; equal ones share it, and it is kept until the process ends, because attributes outlive their keyval. */
struct keyval {
    struct keyval *next;
    void *copy, *delete, *state;
    void *copy_proxy, *delete_proxy; /* what MPICH's Fortran library has its functions called by, or NULL */
};
static _Thread_local struct keyval *last; /* of this thread's last keyval */

static struct keyval *keyvals;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct keyval *keyval_get(void *copy, void *delete, void *state)
{
    pthread_mutex_lock(&lock);
    struct keyval *k = keyvals;
    while (k && (k->copy != copy || k->delete != delete || k->state != state))
        k = k->next;
    if (!k) {
        k = scratch_get(sizeof *k);
        *k = (struct keyval){keyvals, copy, delete, state, NULL, NULL};
        keyvals = k;
    }
    pthread_mutex_unlock(&lock);
    last = k;
    return k;
}

void keyval_set_proxy(void *copy, void *delete)
{
    if (last) {
        last->copy_proxy = copy;
        last->delete_proxy = delete;
    }
}

enum { VALUE_IS_ADDRESS = 1 }; /* MPIR_ATTR_AINT */
typedef int copy_proxy(void *user, int object, int number, void *state, int kind, void *in, void *out, int *flag);
typedef int delete_proxy(void *user, int object, int number, int kind, void *value, void *state);

/* One kind of objects that have attributes: C is the type of the handle, NAME what the functions are called by. */
#define ATTRIBUTES(C, NAME, KIND)                                                                                                          \
    static int NAME##_copy(inner_##C object, int number, void *state, void *in, void *out, int *flag)                                      \
    {                                                                                                                                      \
        typedef int copy(outer_##C object, int number, void *state, void *in, void *out, int *flag);                                       \
        const struct keyval *k = state;                                                                                                    \
        *flag = k->copy == outer_dup(KIND);                                                                                                \
        if (*flag)                                                                                                                         \
            *(void **)out = in;                                                                                                            \
        if (*flag || k->copy == outer_null_copy(KIND))                                                                                     \
            return 0;                                                                                                                      \
        if (k->copy_proxy)                                                                                                                 \
            return error_inner(((copy_proxy *)k->copy_proxy)(k->copy, (int)(intptr_t)C##_outer(object), keyval_outer(number), k->state,    \
                                                             VALUE_IS_ADDRESS, in, out, flag));                                            \
        return error_inner(((copy *)k->copy)(C##_outer(object), keyval_outer(number), k->state, in, out, flag));                           \
    }                                                                                                                                      \
                                                                                                                                           \
    static int NAME##_delete(inner_##C object, int number, void *value, void *state)                                                       \
    {                                                                                                                                      \
        typedef int delete(outer_##C object, int number, void *value, void *state);                                                        \
        const struct keyval *k = state;                                                                                                    \
        if (k->delete == outer_null_delete(KIND))                                                                                          \
            return 0;                                                                                                                      \
        if (k->delete_proxy)                                                                                                               \
            return error_inner(((delete_proxy *)k->delete_proxy)(k->delete, (int)(intptr_t)C##_outer(object), keyval_outer(number),        \
                                                                 VALUE_IS_ADDRESS, value, k->state));                                      \
        return error_inner(((delete *)k->delete)(C##_outer(object), keyval_outer(number), value, k->state));                               \
    }                                                                                                                                      \
                                                                                                                                           \
    int OUTER(NAME##_create_keyval)(outer_##NAME##_copy_attr_function * copy, outer_##NAME##_delete_attr_function * delete, int *number,   \
                                    void *state)                                                                                           \
    {                                                                                                                                      \
        int error = inner->NAME##_create_keyval(NAME##_copy, NAME##_delete, number, keyval_get((void *)copy, (void *)delete, state));      \
        if (error == 0)                                                                                                                    \
            *number = keyval_outer(*number);                                                                                               \
        return error_outer(error);                                                                                                         \
    }                                                                                                                                      \
    WEAK_NAME(NAME##_create_keyval)

ATTRIBUTES(Comm, Comm, COMM)
ATTRIBUTES(Datatype, Type, TYPE)
ATTRIBUTES(Win, Win, WIN)

/* A predefined attribute is a pointer to a number of the inner MPI; the program gets one to the outer MPI's, from a list that never moves. */
static int *number_kept(int value)
{
    enum { MOST = 64 };
    static int kept[MOST], count;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < count && kept[i] != value)
        i++;
    if (i == count && count < MOST)
        kept[count++] = value;
    if (i == MOST)
        kept[i = MOST - 1] = value; /* MPI_LASTUSEDCODE alone has so many values */
    pthread_mutex_unlock(&lock);
    return &kept[i];
}

static void value_convert(int hub_number, void *attribute)
{
    int **value = attribute;
    if (hub_number == ABI_HOST || hub_number == ABI_IO)
        *value = number_kept(rank_outer(**value));
    else if (hub_number == ABI_LASTUSEDCODE)
        *value = number_kept(**value <= inner_lastcode ? outer_lastcode : error_outer(**value));
    else if (hub_number == ABI_WIN_CREATE_FLAVOR)
        *value = number_kept(flavor_outer(**value));
    else if (hub_number == ABI_WIN_MODEL)
        *value = number_kept(model_outer(**value));
}

int OUTER(Comm_get_attr)(outer_Comm comm, int number, void *value, int *flag)
{
    int error = inner->Comm_get_attr(Comm_inner(comm), keyval_inner(number), value, flag);
    if (error == 0 && *flag)
        value_convert(keyval_to_hub(number), value);
    return error_outer(error);
}
WEAK_NAME(Comm_get_attr)

int OUTER(Win_get_attr)(outer_Win win, int number, void *value, int *flag)
{
    int error = inner->Win_get_attr(Win_inner(win), keyval_inner(number), value, flag);
    if (error == 0 && *flag)
        value_convert(keyval_to_hub(number), value);
    return error_outer(error);
}
WEAK_NAME(Win_get_attr)
