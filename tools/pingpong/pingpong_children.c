/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/pingpong/pingpong_children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "tools/harness/player.h"

enum { LINE = 1024, GRACE_MS = 3000, STEP_MS = 10 };

int pingpong_children_begin(pingpong_children *c, int most)
{
    int end[2];
    *c = (pingpong_children){.in = -1, .out = -1, .pid = calloc((size_t)most, sizeof *c->pid)};
    if (!c->pid)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for %d processes", most);
    if (pipe2(end, O_CLOEXEC) != 0)
        return h3ou__fail(H3OU__EOS, "a pipe: %s", strerror(errno));
    c->out = end[0];
    c->in = end[1];
    return H3OU__OK;
}

pid_t pingpong_children_fork(pingpong_children *c)
{
    pid_t pid = player_fork();
    if (pid > 0)
        c->pid[c->n++] = pid;
    if (pid != 0)
        return pid;
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    close(c->out);
    return 0;
}

static void keep_output(pingpong_children *c, const char *line)
{
    size_t used = strlen(c->said);
    if (line[strspn(line, " -=*\r\t")] && used + 4 < sizeof c->said)
        snprintf(c->said + used, sizeof c->said - used, "%s%s", used ? " | " : "", line);
}

static void cut_lines(pingpong_children *c, char text[LINE], size_t *used, pingpong_line *line, void *user)
{
    char *begin = text, *newline;
    while ((newline = memchr(begin, '\n', *used - (size_t)(begin - text))) != NULL) {
        *newline = 0;
        if (!line(user, begin))
            keep_output(c, begin);
        begin = newline + 1;
    }
    *used -= (size_t)(begin - text);
    memmove(text, begin, *used);
    if (*used == LINE - 1) /* longer than any line that a child writes for this program */
        *used = 0;
}

int pingpong_children_read(pingpong_children *c, double patience, pingpong_line *line, void *user)
{
    char text[LINE];
    size_t used = 0;
    close(c->in);
    c->in = -1;
    for (;;) {
        struct pollfd p = {.fd = c->out, .events = POLLIN};
        int ready = poll(&p, 1, (int)(1e3 * patience));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return h3ou__fail(H3OU__ETIMEOUT, "nothing was measured for %g s (--patience waits longer)", patience);
        ssize_t k = read(c->out, text + used, sizeof text - 1 - used);
        if (k == 0)
            return H3OU__OK;
        if (k < 0)
            return h3ou__fail(H3OU__EOS, "a pipe: %s", strerror(errno));
        used += (size_t)k;
        cut_lines(c, text, &used, line, user);
    }
}

/* Collects the children that have ended; returns how many have not. */
static int reap_children(pingpong_children *c)
{
    int left = 0;
    for (int i = 0; i < c->n; i++) {
        int status = 0;
        if (c->pid[i] == 0)
            continue;
        if (waitpid(c->pid[i], &status, WNOHANG) == c->pid[i]) {
            c->pid[i] = 0;
            c->is_bad = c->is_bad || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
        } else {
            left++;
        }
    }
    return left;
}

static bool wait_for_end(pingpong_children *c)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    for (int ms = 0; ms < GRACE_MS; ms += STEP_MS) {
        if (reap_children(c) == 0)
            return true;
        nanosleep(&step, NULL);
    }
    return false;
}

static void signal_all(pingpong_children *c, int number)
{
    for (int i = 0; i < c->n; i++)
        if (c->pid[i])
            kill(c->pid[i], number);
}

bool pingpong_children_end(pingpong_children *c)
{
    if (c->in >= 0)
        close(c->in);
    if (!wait_for_end(c)) {
        c->is_bad = true;
        signal_all(c, SIGTERM); /* on SIGTERM an mpirun ends its processes */
        if (!wait_for_end(c)) {
            signal_all(c, SIGKILL);
            wait_for_end(c);
        }
    }
    if (c->out >= 0)
        close(c->out);
    free(c->pid);
    c->pid = NULL;
    return !c->is_bad;
}
