/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/stop/stop_wish.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "os/os_clock.h"

static const double LOOKS_EVERY = 0.1; /* seconds */

static struct {
    bool is_begun, is_possible, is_there;
    char file[4096]; /* "": there is no run's folder */
    double looked;
    volatile sig_atomic_t was_told;
} wish;

static void handle_signal(int number)
{
    (void)number;
    wish.was_told = 1;
}

/* Returns the number of "USR1" or "SIGUSR1", or 0. */
static int signal_number(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } known[] = {{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"TERM", SIGTERM}, {"INT", SIGINT}, {"HUP", SIGHUP}, {"XCPU", SIGXCPU}};
    name += strncmp(name, "SIG", 3) ? 0 : 3;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name))
            return known[i].number;
    return 0;
}

/* Takes the signals of a list of names with commas. */
static int take_signals(const char *said)
{
    char names[256], *rest = names;
    if (snprintf(names, sizeof names, "%s", said) >= (int)sizeof names)
        return h3ou__fail(H3OU__EENV, "H3OU_STOP_SIGNAL is longer than %zu characters", sizeof names - 1);
    for (char *name = strtok_r(names, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_RESTART};
        int number = signal_number(name);
        sigemptyset(&action.sa_mask);
        if (!number || sigaction(number, &action, NULL))
            return h3ou__fail(H3OU__EENV, "H3OU_STOP_SIGNAL=%s: '%s' is none of USR1, USR2, TERM, INT, HUP, XCPU", said, name);
    }
    return H3OU__OK;
}

int h3ou__stop_wish_begin(bool *possible)
{
    const char *signals = getenv("H3OU_STOP_SIGNAL"), *folder = getenv("H3OU_RUN_DIRECTORY");
    int err = H3OU__OK;
    if (!wish.is_begun) {
        wish.is_begun = true;
        if (signals && *signals) {
            err = take_signals(signals);
            wish.is_possible = true;
        }
        if (folder && *folder && snprintf(wish.file, sizeof wish.file, "%s/stop", folder) < (int)sizeof wish.file)
            wish.is_possible = true;
    }
    *possible = wish.is_possible;
    return err;
}

bool h3ou__stop_wish_is_there(void)
{
    wish.is_there |= wish.was_told;
    if (wish.is_there || !*wish.file || h3ou__now() - wish.looked < LOOKS_EVERY)
        return wish.is_there;
    wish.looked = h3ou__now();
    wish.is_there = !access(wish.file, F_OK);
    return wish.is_there;
}

void h3ou__stop_wish_end(void)
{
    if (*wish.file)
        unlink(wish.file);
}
