/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/identity/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { DIGITS = 2 * WAITIO__KEY, PATH = 4096, LONGEST = 65536 };

static int sodium_prepare(void)
{
    return sodium_init() < 0 ? h3ou__fail(H3OU__EOS, "libsodium finds no source of random numbers") : H3OU__OK;
}

void waitio__random(void *bytes, size_t n)
{
    sodium_prepare();
    randombytes_buf(bytes, n);
}

int waitio__secret_random(waitio__key *secret)
{
    int code = sodium_prepare();
    if (!code)
        randombytes_buf(secret->byte, sizeof secret->byte);
    return code;
}

static int find_path(char path[PATH], char folder[PATH])
{
    const char *given = getenv("WAITIO_SECRET_FILE"), *home = getenv("HOME");
    *folder = 0;
    if (given && *given) {
        snprintf(path, PATH, "%s", given);
        return H3OU__OK;
    }
    if (!home || !*home) {
        struct passwd *me = getpwuid(getuid());
        home = me ? me->pw_dir : NULL;
    }
    if (!home || !*home || strlen(home) > PATH - 64)
        return h3ou__fail(H3OU__EENV, "HOME is not set: set WAITIO_SECRET_FILE to a file of at least 16 random bytes, "
                                      "the same for all jobs, that only you can read");
    snprintf(folder, PATH, "%s/.waitio", home);
    snprintf(path, PATH, "%s/.waitio/secret", home);
    return H3OU__OK;
}

/* Several processes may do this at once: the first link wins, all read the same afterwards. */
static int secret_make(const char *path, const char *folder)
{
    char fresh[PATH + 64], digits[DIGITS + 2];
    unsigned char bytes[WAITIO__KEY], tail[8];
    if (mkdir(folder, 0700) && errno != EEXIST)
        return h3ou__fail(H3OU__EFILE, "%s: %s; or set WAITIO_SECRET_FILE", folder, strerror(errno));
    waitio__random(bytes, sizeof bytes);
    waitio__random(tail, sizeof tail);
    sodium_bin2hex(digits, sizeof digits, bytes, sizeof bytes);
    digits[DIGITS] = '\n';
    snprintf(fresh, sizeof fresh, "%s.%02x%02x%02x%02x%02x%02x%02x%02x", path, tail[0], tail[1], tail[2], tail[3],
             tail[4], tail[5], tail[6], tail[7]);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int failed = fd < 0 ? errno : 0;
    if (!failed && (write(fd, digits, DIGITS + 1) != DIGITS + 1 || fsync(fd)))
        failed = errno ? errno : EIO;
    if (fd >= 0)
        close(fd);
    if (!failed && link(fresh, path) && errno != EEXIST)
        failed = errno;
    if (fd >= 0)
        unlink(fresh);
    sodium_memzero(bytes, sizeof bytes);
    sodium_memzero(digits, sizeof digits);
    return failed ? h3ou__fail(H3OU__EFILE, "the secret %s cannot be made: %s; or set WAITIO_SECRET_FILE", path,
                               strerror(failed))
                  : H3OU__OK;
}

static int fail_special(const char *path)
{
    return h3ou__fail(H3OU__EFILE, "the secret %s is no ordinary file", path);
}

static int secret_check(int fd, const char *path)
{
    struct stat s;
    if (fstat(fd, &s))
        return h3ou__fail(H3OU__EFILE, "%s: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode))
        return fail_special(path);
    if (s.st_uid != geteuid())
        return h3ou__fail(H3OU__EFILE,
                          "the secret %s belongs to another user: make one of your own, and name it by "
                          "WAITIO_SECRET_FILE",
                          path);
    if (s.st_mode & 077)
        return h3ou__fail(H3OU__EFILE, "the secret %s can be read or written by others: chmod 600 it", path);
    return H3OU__OK;
}

/* The remedy depends on who makes the file: this library, or the user who named it. */
static int fail_short(const char *path, ssize_t n, bool is_named)
{
    return h3ou__fail(H3OU__EFILE, "the secret %s has %zd bytes; 16 are the least: %s", path, n,
                      is_named ? "write at least 16 random bytes into it, the same for all jobs (WAITIO_SECRET_FILE "
                                 "names it)"
                               : "remove it, and a good one is made");
}

static int read_from(int fd, const char *path, bool is_named, waitio__key *secret)
{
    unsigned char *bytes = malloc(LONGEST);
    if (!bytes)
        return h3ou__fail(H3OU__ENOMEM, "no memory to read the secret %s", path);
    ssize_t n = read(fd, bytes, LONGEST);
    int code = H3OU__OK;
    while (n > 0 && (bytes[n - 1] == '\n' || bytes[n - 1] == '\r'))
        n--;
    if (n < 0)
        code = h3ou__fail(H3OU__EFILE, "the secret %s cannot be read: %s", path, strerror(errno));
    else if (n < 16)
        code = fail_short(path, n, is_named);
    else
        crypto_generichash(secret->byte, sizeof secret->byte, bytes, (size_t)n, NULL, 0);
    sodium_memzero(bytes, LONGEST);
    free(bytes);
    return code;
}

/* O_NONBLOCK: opening a pipe would wait until somebody writes to it. ENXIO: it is a socket. */
static int open_file(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int waitio__secret_read(waitio__key *secret)
{
    char path[PATH], folder[PATH];
    int code = sodium_prepare();
    if (!code)
        code = find_path(path, folder);
    if (code)
        return code;
    int fd = open_file(path);
    if (fd < 0 && errno == ENOENT && *folder) {
        code = secret_make(path, folder);
        fd = code ? -1 : open_file(path);
    }
    if (code)
        return code;
    if (fd < 0 && errno == ENXIO)
        return fail_special(path);
    if (fd < 0)
        return h3ou__fail(H3OU__EFILE, "the secret %s: %s%s", path, strerror(errno),
                          *folder ? "" : " (WAITIO_SECRET_FILE names it)");
    code = secret_check(fd, path);
    if (!code)
        code = read_from(fd, path, !*folder, secret);
    close(fd);
    return code;
}

void waitio__key_derive(const waitio__key *from, const char *purpose, uint64_t number, waitio__key *out)
{
    unsigned char digits[8];
    for (int i = 0; i < 8; i++)
        digits[i] = (unsigned char)(number >> 8 * i);
    waitio__key_mac(from, purpose, strlen(purpose) + 1, digits, sizeof digits, NULL, 0, out->byte);
}

uint64_t waitio__key_number(const waitio__key *from, const char *purpose)
{
    unsigned char mac[WAITIO__KEY];
    uint64_t number = 0;
    waitio__key_mac(from, purpose, strlen(purpose) + 1, NULL, 0, NULL, 0, mac);
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)mac[i] << 8 * i;
    return number ? number : 1;
}

void waitio__key_mac(const waitio__key *key, const void *a, size_t na, const void *b, size_t nb, const void *c,
                     size_t nc, unsigned char mac[WAITIO__KEY])
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, key->byte, sizeof key->byte, WAITIO__KEY);
    crypto_generichash_update(&state, a, na);
    if (nb)
        crypto_generichash_update(&state, b, nb);
    if (nc)
        crypto_generichash_update(&state, c, nc);
    crypto_generichash_final(&state, mac, WAITIO__KEY);
}

int waitio__key_same(const unsigned char a[WAITIO__KEY], const unsigned char b[WAITIO__KEY])
{
    return sodium_memcmp(a, b, WAITIO__KEY) == 0;
}
