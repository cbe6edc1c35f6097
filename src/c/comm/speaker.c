/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/speaker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/os_clock.h"
#include "os/proc.h"
#include "os/socket.h"

/* Seconds: by which the other ranks let rank 0 go first, between two looks, and for the speaking process to print. */
static const double HEAD_START = 0.4, LOOK_EVERY = 0.02, SPEECH = 0.4;
/* Seconds that the speaking process stays: for the launcher to read what it printed, and at most for the others to ask.
 */
static const double STAY = 0.25, STAY_MOST = 1.2;

static int claim = -1; /* the listening socket; it is never closed, since it is the claim while the process lives */

/* Makes a name of this job on this host from the launcher's process that started it here, and the time that this began.
 */
static bool make_claim_name(char *name, size_t size)
{
    char line[1024];
    unsigned long long began = 0;
    const char *pb = getenv("WAITIO_PBID");
    if (!getenv("PMI_RANK") && !getenv("OMPI_COMM_WORLD_RANK"))
        return false;
    /* The time of the start is field 22 of the line; `after` points to the blank before field 3. */
    const char *after = h3ou__proc_state((int)getppid(), line, sizeof line);
    for (int field = 4; after && field <= 22; field++)
        after = strchr(after + 1, ' ');
    if (!after || sscanf(after, " %llu", &began) != 1)
        return false;
    snprintf(name, size, "h3ou-speaker-%d-%llu-%.10s", (int)getppid(), began, pb ? pb : "");
    return true;
}

static bool is_claimed(const char *name)
{
    int fd;
    if (h3ou__local_connect(name, &fd))
        return false;
    bool is_ours = !h3ou__local_is_foreign(fd);
    close(fd);
    return is_ours;
}

bool h3ou__speaker_claim(int rank)
{
    char name[96];
    bool has_name = make_claim_name(name, sizeof name), is_taken = has_name && is_claimed(name);
    for (double end = h3ou__now() + (rank > 0 ? HEAD_START : 0.0); !is_taken && h3ou__now() < end;) {
        h3ou__sleep(LOOK_EVERY);
        is_taken = has_name && is_claimed(name);
    }
    if (!is_taken && has_name && h3ou__local_listen(name, &claim) == EADDRINUSE)
        is_taken = is_claimed(name);
    if (is_taken)
        h3ou__sleep(SPEECH);
    return !is_taken;
}

/* Returns how many other processes of this job the launcher started on this host, or 0 where it does not say. */
static int count_others(void)
{
    const char *n = getenv("MPI_LOCALNRANKS");
    if (!n)
        n = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return n && atoi(n) > 1 ? atoi(n) - 1 : 0;
}

void h3ou__speaker_stay(void)
{
    double begin = h3ou__now(), most = claim >= 0 ? STAY_MOST : STAY;
    int others = count_others(), asked = 0, fd;
    while (h3ou__now() - begin < STAY || (asked < others && h3ou__now() - begin < most)) {
        while (claim >= 0 && !h3ou__socket_accept(claim, &fd)) {
            close(fd);
            asked++;
        }
        h3ou__sleep(LOOK_EVERY);
    }
}
