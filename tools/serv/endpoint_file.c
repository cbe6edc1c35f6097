/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/serv/endpoint_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Returns whether the id may be a part of a file's name: short, and without '/'. */
static bool is_job_id(const char *id)
{
    size_t n = strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    return !id[n] && n <= 64;
}

static int find_folder(place *out)
{
    const char *scratch = getenv("WAITIO_SCRATCH_DIR"), *home = getenv("HOME");
    struct stat s;
    out->is_own = !scratch || !*scratch;
    if (out->is_own && (!home || !*home))
        return h3ou__fail(H3OU__EENV, "neither WAITIO_SCRATCH_DIR nor HOME is set: set WAITIO_SCRATCH_DIR to a folder "
                                      "that all jobs see");
    int n = snprintf(out->folder, sizeof out->folder, out->is_own ? "%s/.waitio" : "%s", out->is_own ? home : scratch);
    if (n >= (int)sizeof out->folder)
        return h3ou__fail(H3OU__EENV, "%s is longer than any folder's name",
                          out->is_own ? "HOME" : "WAITIO_SCRATCH_DIR");
    if (out->is_own)
        return H3OU__OK;
    if (stat(out->folder, &s) != 0)
        return h3ou__fail(H3OU__EENV, "WAITIO_SCRATCH_DIR=%s: %s: make it, or name another folder that all jobs see",
                          out->folder, strerror(errno));
    if (!S_ISDIR(s.st_mode))
        return h3ou__fail(H3OU__EENV, "WAITIO_SCRATCH_DIR=%s is no folder: name one that all jobs see", out->folder);
    return H3OU__OK;
}

int place_find(place *out)
{
    const char *id = getenv("COUPLER_JOB_ID");
    int code = find_folder(out);
    if (code)
        return code;
    if (id && !is_job_id(id))
        return h3ou__fail(
            H3OU__EENV, "COUPLER_JOB_ID=%.80s: it becomes a part of a file's name: up to 64 letters, digits and . _ -",
            id);
    snprintf(out->file, sizeof out->file, "%s/.waitio-master%s%s", out->folder, id && *id ? "-" : "", id ? id : "");
    return H3OU__OK;
}

static int cannot_write(const place *p)
{
    return h3ou__fail(H3OU__EFILE,
                      "%s cannot be written: %s: set WAITIO_SCRATCH_DIR to a folder with room that all jobs see and "
                      "this one may write to",
                      p->file, strerror(errno));
}

static int write_text(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t k = write(fd, text, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return -1;
        text += k;
        n -= (size_t)k;
    }
    return fsync(fd); /* a full disk may be reported only here */
}

int place_write(const place *p, const waitio_address *a)
{
    char text[WAITIO_ADDRESS_MOST], draft[3300];
    if (p->is_own && mkdir(p->folder, 0700) != 0 && errno != EEXIST)
        return h3ou__fail(H3OU__EFILE, "%s cannot be made: %s: set WAITIO_SCRATCH_DIR to a folder that all jobs see",
                          p->folder, strerror(errno));
    size_t n = waitio_address_print(a, text);
    snprintf(draft, sizeof draft, "%s.XXXXXX", p->file);
    int fd = mkostemp(draft, O_CLOEXEC); /* mode 0600 */
    if (fd < 0)
        return cannot_write(p);
    bool is_bad = write_text(fd, text, n) != 0;
    int why = errno;
    if (close(fd) != 0 && !is_bad) {
        is_bad = true;
        why = errno;
    }
    if (!is_bad && rename(draft, p->file) == 0)
        return H3OU__OK;
    errno = is_bad ? why : errno;
    int code = cannot_write(p);
    unlink(draft);
    return code;
}

/* Opens the folder, so that a network file system, which caches for a while that a name does not exist, looks again. */
static void refresh_folder(const place *p)
{
    DIR *d = opendir(p->folder);
    if (d)
        closedir(d);
}

static int check_owner(const place *p, int fd)
{
    struct stat s;
    const char *why = NULL;
    if (fstat(fd, &s) != 0)
        return h3ou__fail(H3OU__EFILE, "%s: %s", p->file, strerror(errno));
    if (!S_ISREG(s.st_mode))
        why = "is no plain file";
    else if (s.st_uid != geteuid())
        why = "belongs to another user";
    else if (s.st_mode & (S_IWGRP | S_IWOTH))
        why = "may be written by others";
    return why ? h3ou__fail(H3OU__EFILE,
                            "%s %s, and is not used: remove it, or set WAITIO_SCRATCH_DIR to a folder of your own",
                            p->file, why)
               : H3OU__OK;
}

int place_read(const place *p, waitio_address *out)
{
    char text[WAITIO_ADDRESS_MOST + 1];
    const char *why;
    size_t n = 0;
    refresh_folder(p);
    int fd = open(p->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return PLACE_EMPTY;
    if (fd < 0)
        return h3ou__fail(H3OU__EFILE, "%s cannot be read: %s", p->file,
                          errno == ELOOP ? "it is a symbolic link" : strerror(errno));
    int code = check_owner(p, fd);
    while (!code && n < sizeof text) {
        ssize_t k = read(fd, text + n, sizeof text - n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            code = h3ou__fail(H3OU__EFILE, "%s cannot be read: %s", p->file, strerror(errno));
        if (k <= 0)
            break;
        n += (size_t)k;
    }
    close(fd);
    if (!code && waitio_address_parse(text, n, out, &why) != 0)
        code = h3ou__fail(
            H3OU__EFILE,
            "%s holds no address: %s: remove it, and run 'waitio-serv -d -m HOST' in the job of PBID 0 again", p->file,
            why);
    return code;
}

int place_remove(const place *p)
{
    if (unlink(p->file) == 0 || errno == ENOENT)
        return H3OU__OK;
    return h3ou__fail(H3OU__EFILE, "%s cannot be removed: %s", p->file, strerror(errno));
}
