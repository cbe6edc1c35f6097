/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/append.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *h3ou__run_folder(bool *is_run)
{
    const char *folder = getenv("H3OU_RUN_DIRECTORY");
    bool has = folder && *folder;
    if (is_run)
        *is_run = has;
    return has ? folder : ".";
}

/* Makes the folders of a path that ends in a file's name, from byte `from` on. */
static int make_folders(char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int code = mkdir(path, 0777) && errno != EEXIST ? errno : 0;
        *slash = '/';
        if (code)
            return code;
    }
    return 0;
}

int h3ou__append_open(const char *folder, const char *part, const char *name, char path[4096])
{
    if (snprintf(path, 4096, "%s/%s/%s", folder, part, name) >= 4096) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int code = make_folders(path, strlen(folder) + 1);
    if (code) {
        errno = code;
        return -1;
    }
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/* Writes all bytes; returns 0 or errno. */
static int write_all(int fd, const unsigned char *bytes, size_t n, int64_t at)
{
    while (n > 0) {
        ssize_t done = pwrite(fd, bytes, n, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : ENOSPC;
        bytes += done;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

void h3ou__size_signal_block(sigset_t *before)
{
    sigset_t limit;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, before);
}

void h3ou__size_signal_restore(const sigset_t *before)
{
    const struct timespec at_once = {0, 0};
    sigset_t limit, waiting;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    if (!sigismember(before, SIGXFSZ) && !sigpending(&waiting) && sigismember(&waiting, SIGXFSZ))
        sigtimedwait(&limit, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

int h3ou__append(int fd, const void *bytes, size_t n, int64_t *length)
{
    sigset_t before;
    h3ou__size_signal_block(&before);
    int code = write_all(fd, bytes, n, *length);
    if (code && ftruncate(fd, (off_t)*length))
        code = code ? code : errno;
    h3ou__size_signal_restore(&before);
    *length += code ? 0 : (int64_t)n;
    return code;
}
