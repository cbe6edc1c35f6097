/* SPDX-License-Identifier: BSD-3-Clause */
/* The standard ABI leaves open where a status holds its count and whether it was cancelled, so the real MPI's functions
 * are asked, unless it holds them as the hub does. */
#include PIECE_HEADER

static abi_Datatype byte_type(void)
{
    return (abi_Datatype)ABI_BYTE;
}

/* The functions for large counts have two names, of which MPI-4.1 deprecates the first. */
static void *either(const char *name, const char *other)
{
    void *found = real_symbol(name);
    return found ? found : real_symbol(other);
}

static int count_get(const abi_Status *native, abi_Count *count)
{
    int small = 0, error;
    int (*get)(const abi_Status *, abi_Datatype, abi_Count *) = either("MPI_Get_elements_x", "MPI_Get_elements_c");
    if (get)
        return get(native, byte_type(), count);
    error = real.Get_elements(native, byte_type(), &small);
    *count = small;
    return error;
}

static int count_set(abi_Status *native, abi_Count count)
{
    int (*set)(abi_Status *, abi_Datatype, abi_Count) =
        either("MPI_Status_set_elements_x", "MPI_Status_set_elements_c");
    if (set)
        return set(native, byte_type(), count);
    return real.Status_set_elements(native, byte_type(), (int)count);
}

static void hub_fill(abi_Status *to, abi_Count count, int cancelled)
{
    memset(to->MPI_internal, 0, sizeof to->MPI_internal);
    to->MPI_internal[0] = (int)(uint32_t)count;
    to->MPI_internal[1] = (int)((uint32_t)(count >> 32) << 1 | (cancelled != 0));
}

/* Whether the real MPI writes what the hub would. It is asked when MPI is initialised, since the functions may not be
 * called before. */
static int layout_is_hub(void)
{
    static int answer = -1;
    const abi_Count count = ((abi_Count)0x1234 << 32) | 0x56789abc;
    abi_Status native, hub;
    if (answer >= 0)
        return answer;
    memset(&native, 0, sizeof native);
    memset(&hub, 0, sizeof hub);
    hub_fill(&hub, count, 1);
    answer = count_set(&native, count) == 0 && real.Status_set_cancelled(&native, 1) == 0 &&
             memcmp(native.MPI_internal, hub.MPI_internal, sizeof hub.MPI_internal) == 0;
    hub_note(answer ? "statuses pass as they are" : "statuses are converted by the functions of the real MPI");
    return answer;
}

void status_outer(abi_Status *to, const abi_Status *from)
{
    abi_Count count = 0;
    int cancelled = 0;
    if (layout_is_hub()) {
        if (to != from)
            *to = *from;
        return;
    }
    if (count_get(from, &count) != 0 || count < 0)
        count = 0;
    real.Test_cancelled(from, &cancelled);
    if (to != from)
        *to = *from;
    hub_fill(to, count, cancelled);
}

void status_inner(abi_Status *to, const abi_Status *from)
{
    abi_Count low = (abi_Count)(uint32_t)from->MPI_internal[0],
              high = (abi_Count)((uint32_t)from->MPI_internal[1] >> 1);
    int cancelled = from->MPI_internal[1] & 1;
    *to = *from;
    if (layout_is_hub())
        return;
    memset(to->MPI_internal, 0, sizeof to->MPI_internal);
    count_set(to, low | high << 32);
    real.Status_set_cancelled(to, cancelled);
}

const abi_Status *status_known(const abi_Status *status, abi_Status *room)
{
    if (!status || layout_is_hub())
        return status;
    status_inner(room, status);
    return room;
}
