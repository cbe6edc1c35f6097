/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/share.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

static const char folder[] = "/dev/shm/";

static int segment_map(int fd, size_t bytes, void **base)
{
    *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*base != MAP_FAILED)
        return 0;
    *base = NULL;
    return errno;
}

/* Creates the segment. Its maker holds a shared lock from the beginning, so that a name without a lock is known as
 * stale. */
static int segment_make(const char *name, size_t bytes, int *fd)
{
    *fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (*fd < 0)
        return errno;
    int failed = flock(*fd, LOCK_SH) ? errno : ftruncate(*fd, (off_t)bytes) ? errno : 0;
    /* Allocate all pages now, so that a full /dev/shm is an error here and not a SIGBUS later. */
    if (!failed)
        failed = posix_fallocate(*fd, 0, (off_t)bytes);
    if (failed) {
        shm_unlink(name);
        close(*fd);
        *fd = -1;
    }
    return failed;
}

/* Opens another process's segment, whose name may exist before it has its size. */
static int segment_take(const char *name, size_t bytes, int *fd)
{
    struct stat s;
    *fd = shm_open(name, O_RDWR | O_CLOEXEC, 0);
    if (*fd < 0)
        return errno;
    int failed = flock(*fd, LOCK_SH) ? errno : 0;
    for (int tries = 0; !failed && tries < 2000; tries++) {
        if (fstat(*fd, &s))
            failed = errno;
        else if (s.st_uid != geteuid() || s.st_nlink == 0)
            failed = EPERM;
        else if ((size_t)s.st_size == bytes)
            return 0;
        else if (s.st_size)
            failed = EINVAL;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    close(*fd);
    *fd = -1;
    return failed ? failed : ETIMEDOUT;
}

int h3ou__share_open(const char *name, size_t bytes, bool *made, int *fd, void **base)
{
    int failed = segment_make(name, bytes, fd);
    *made = !failed;
    *base = NULL;
    if (failed == EEXIST)
        failed = segment_take(name, bytes, fd);
    if (!failed)
        failed = segment_map(*fd, bytes, base);
    if (!failed)
        return H3OU__OK;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    if (*made)
        shm_unlink(name);
    return h3ou__fail(H3OU__EOS, "shared memory %s of %zu bytes: %s", name, bytes, strerror(failed));
}

int h3ou__share_find(const char *name, size_t bytes, int *fd, void **base)
{
    *base = NULL;
    int failed = segment_take(name, bytes, fd);
    if (!failed && (failed = segment_map(*fd, bytes, base)) != 0) {
        close(*fd);
        *fd = -1;
    }
    return failed ? h3ou__fail(H3OU__EOS, "shared memory %s of %zu bytes: %s", name, bytes, strerror(failed)) : H3OU__OK;
}

void h3ou__share_hide(const char *name, int fd)
{
    shm_unlink(name);
    close(fd);
}

void h3ou__share_close(const char *name, int fd, void *base, size_t bytes)
{
    munmap(base, bytes);
    /* The last process that closes the segment removes the name. */
    if (!flock(fd, LOCK_EX | LOCK_NB))
        shm_unlink(name);
    close(fd);
}

static void sweep_segment(const char *entry)
{
    char name[300];
    struct stat s;
    snprintf(name, sizeof name, "/%s", entry);
    int fd = shm_open(name, O_RDWR, 0);
    if (fd < 0)
        return;
    bool is_old = !fstat(fd, &s) && s.st_uid == geteuid() && time(NULL) - s.st_mtime > 60;
    if (is_old && !flock(fd, LOCK_EX | LOCK_NB))
        shm_unlink(name);
    close(fd);
}

void h3ou__share_sweep(const char *begin)
{
    DIR *d = opendir(folder);
    struct dirent *e;
    while (d && (e = readdir(d)) != NULL)
        if (!strncmp(e->d_name, begin, strlen(begin)))
            sweep_segment(e->d_name);
    if (d)
        closedir(d);
}

int h3ou__share_new(size_t bytes, int *fd, void **base)
{
    *base = NULL;
    *fd = memfd_create("waitio", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int failed = *fd < 0 ? errno : ftruncate(*fd, (off_t)bytes) ? errno : segment_map(*fd, bytes, base);
    if (!failed && fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL))
        failed = errno;
    if (!failed)
        return H3OU__OK;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return h3ou__fail(H3OU__EOS, "shared memory of %zu bytes: %s", bytes, strerror(failed));
}

int h3ou__share_map(int fd, size_t bytes, void **base)
{
    struct stat s;
    /* Without this seal the maker could shrink the memory, and a process that reads beyond the end gets SIGBUS. */
    int seals = fcntl(fd, F_GET_SEALS);
    int failed = seals < 0                   ? errno
                 : !(seals & F_SEAL_SHRINK)  ? EPERM
                 : fstat(fd, &s)             ? errno
                 : (size_t)s.st_size < bytes ? EINVAL
                                             : segment_map(fd, bytes, base);
    return failed ? h3ou__fail(H3OU__EOS, "shared memory of %zu bytes: %s", bytes, strerror(failed)) : H3OU__OK;
}

void h3ou__share_unmap(void *base, size_t bytes)
{
    if (base)
        munmap(base, bytes);
}
