/* SPDX-License-Identifier: BSD-3-Clause */
#include PIECE_HEADER

/* Until a back's was taken all requests are as if memory were kept for them, and nothing has a shortcut. */
static const int closed = 1;
struct shortcut shortcut = {.kept_count = &closed};
int shortcut_ranks[1 - SHORTCUT_LEAST], shortcut_tags[1 - SHORTCUT_LEAST];
intptr_t shortcut_request_null;

int error_of_real(int result)
{
    return error_own(shortcut.error_hub(result));
}

#ifdef FRONT_BESIDE
void shortcut_take(void)
{
    if (hub->shortcut && hub->shortcut->inside)
        shortcut = *hub->shortcut;
}

int inside_failed(MPI_Comm comm, int result, const char *function)
{
    return error_own(shortcut.inside->failed((intptr_t)Comm_hub(comm), shortcut.error_hub(result), function));
}

int inside_completion_failed(int result, MPI_Status *statuses, int n, const char *function)
{
    int code = shortcut.error_hub(result);
    if (code == ABI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE)
        for (int i = 0; i < n; i++)
            statuses[i].MPI_ERROR = error_own(shortcut.error_hub(statuses[i].MPI_ERROR));
    return error_own(shortcut.inside->failed(0, code, function));
}
#else
void shortcut_take(void)
{
    if (!hub->shortcut || hub->shortcut->inside)
        return;
    shortcut = *hub->shortcut;
    for (int i = -1; i >= SHORTCUT_LEAST; i--) {
        shortcut_ranks[-i] = shortcut.rank_own(rank_hub(i));
        shortcut_tags[-i] = shortcut.tag_own(tag_hub(i));
    }
    shortcut_request_null = shortcut.own_of[Request_first];
    for (int i = Op_first; i < HUB_PREDEFINED; i++)
        if (own_of[i])
            predefined_take(i, shortcut.own_of[i]);
}
#endif
