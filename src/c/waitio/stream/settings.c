/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"

static int read_required(const char *name, const char *meaning)
{
    const char *value = getenv(name);
    if (!value || !*value)
        return h3ou__fail(H3OU__EENV, "%s is not set: give every job %s (%s)", name, name, meaning);
    return H3OU__OK;
}

static int read_number(const char *name, const char *meaning, int64_t least, int64_t most, int *out)
{
    int64_t value = 0;
    int code = read_required(name, meaning);
    if (!code)
        code = h3ou__env_int(name, least, most, least, &value);
    *out = (int)value;
    return code;
}

static int read_master(waitio__settings *s)
{
    int code = read_required("WAITIO_MASTER_HOST", "the host on which rank 0 of the job with WAITIO_PBID=0 runs");
    if (!code)
        code = read_number("WAITIO_MASTER_PORT", "a free TCP port of that host", 1, 65535, &s->port);
    if (code)
        return code;
    snprintf(s->host, sizeof s->host, "%s", getenv("WAITIO_MASTER_HOST"));
    const char *run = getenv("COUPLER_JOB_ID");
    snprintf(s->run, sizeof s->run, "%s", run ? run : "");
    code = h3ou__address_resolve(s->host, s->port, s->master, WAITIO__MASTERS, &s->nmaster);
    return code ? h3ou__fail_in(code, "WAITIO_MASTER_HOST") : code;
}

void waitio__settings_default(waitio__settings *s)
{
    memset(s, 0, sizeof *s);
    s->npb = 1;
    s->eager = 65536;
    s->patience = 3600;
    s->route[0] = &waitio__shm;
    s->route[1] = &waitio__unix;
    s->route[2] = &waitio__tcp;
    s->hybrid = UINT64_MAX;
    s->single_copy = 65536;
    s->streams = 1;
    s->connections_most = 1024;
    s->credit = 1 << 20;
    s->unexpected = 64 << 20;
    s->conduit.file_most = 16 << 20;
}

static const waitio__conduit *find_route(const char *word, size_t length)
{
    char name[16];
    if (length >= sizeof name)
        return NULL;
    memcpy(name, word, length);
    name[length] = 0;
    const waitio__conduit *c = waitio__conduit_find(name);
    return c == &waitio__inproc ? NULL : c;
}

/* Reads names of conduits with commas or blanks between them. */
static int read_routes(waitio__settings *s, const char *list)
{
    const char separators[] = ", ", *word = list + strspn(list, separators);
    int n = 0;
    for (size_t length; (length = strcspn(word, separators)) > 0; word += strspn(word, separators)) {
        const waitio__conduit *c = find_route(word, length);
        if (!c)
            return h3ou__fail(H3OU__EENV, "WAITIO_ROUTES=%s: \"%.*s\" is none of shm, unix, tcp, file", list, (int)length,
                              word);
        if (n == WAITIO__ROUTES)
            return h3ou__fail(H3OU__EENV, "WAITIO_ROUTES=%s has more than %d routes: name each one once", list,
                              WAITIO__ROUTES);
        s->route[n++] = c;
        word += length;
    }
    s->route[n] = NULL;
    return n ? H3OU__OK : h3ou__fail(H3OU__EENV, "WAITIO_ROUTES=%s names no route", list);
}

static int read_scratch(waitio__settings *s, const char *why)
{
    const char *folder = getenv("WAITIO_SCRATCH_DIR");
    int64_t most;
    int code = read_required("WAITIO_SCRATCH_DIR", "a folder that all processes of all jobs can write");
    if (code)
        return h3ou__fail_in(code, "%s", why);
    if (strlen(folder) > 400)
        return h3ou__fail(H3OU__EENV, "WAITIO_SCRATCH_DIR is longer than 400 bytes: %s", folder);
    snprintf(s->conduit.scratch, sizeof s->conduit.scratch, "%s", folder);
    code = h3ou__env_int("WAITIO_MAXFILE_SIZE_PER_PROC", 65536, INT64_MAX, (int64_t)s->conduit.file_most, &most);
    s->conduit.file_most = (uint64_t)most;
    int64_t polls = 0;
    if (!code)
        code = h3ou__env_int("WAITIO_FILE_POLL", 0, 1, 0, &polls);
    s->conduit.file_polls = polls != 0;
    return code;
}

static int read_type(waitio__settings *s)
{
    const char *type = getenv("WAITIO_COMM_TYPE"), *routes = getenv("WAITIO_ROUTES");
    int64_t limit = 0;
    int code = routes && *routes ? read_routes(s, routes) : H3OU__OK;
    if (code || !type || !*type) {
        bool by_file = false;
        for (int i = 0; s->route[i]; i++)
            by_file = by_file || s->route[i] == &waitio__file;
        return code || !by_file ? code : read_scratch(s, "WAITIO_ROUTES has file");
    }
    if (!strcmp(type, "socket") || !strcmp(type, "hybrid")) {
        s->route[0] = &waitio__tcp;
        s->route[1] = NULL;
    } else if (!strcmp(type, "file")) {
        s->route[0] = &waitio__file;
        s->route[1] = NULL;
    } else {
        return h3ou__fail(H3OU__EENV,
                          "WAITIO_COMM_TYPE=%s: must be socket, file or hybrid, or unset (the library chooses)", type);
    }
    if (!strcmp(type, "socket"))
        return H3OU__OK;
    if (!strcmp(type, "hybrid")) {
        const char *published = getenv("WAITIO_HYBRID_THRESHOULD");
        code = h3ou__env_int(published && *published ? "WAITIO_HYBRID_THRESHOULD" : "WAITIO_HYBRID_THRESHOLD", 0,
                             INT64_MAX, 1 << 20, &limit);
        s->hybrid = (uint64_t)limit;
        /* Messages that go by file are announced first, so that the receiver knows where they go. */
        if (s->eager > s->hybrid)
            s->eager = s->hybrid;
    }
    return code ? code : read_scratch(s, type[0] == 'f' ? "WAITIO_COMM_TYPE=file" : "WAITIO_COMM_TYPE=hybrid");
}

static int read_waiting(waitio__settings *s)
{
    static const char *const names[] = {"adaptive", "spin", "block", "thread"};
    const char *value = getenv("WAITIO_PROGRESS");
    if (!value || !*value)
        return H3OU__OK;
    for (int i = 0; i < 4; i++)
        if (!strcmp(value, names[i])) {
            s->waiting = (enum waitio__progress_mode)i;
            return H3OU__OK;
        }
    return h3ou__fail(H3OU__EENV, "WAITIO_PROGRESS=%s: must be adaptive, spin, block or thread", value);
}

static int read_size(const char *name, int64_t least, int64_t most, uint64_t *value)
{
    int64_t number;
    int code = h3ou__env_int(name, least, most, (int64_t)*value, &number);
    *value = (uint64_t)number;
    return code;
}

static int read_switches(waitio__settings *s)
{
    uint64_t streams = (uint64_t)s->streams, most = (uint64_t)s->connections_most, seals = 0, checks = 0;
    int code = read_size("WAITIO_STREAMS", 1, WAITIO__STREAMS_MOST, &streams);
    if (!code)
        code = read_size("WAITIO_MAX_CONNECTIONS", 1, 1 << 20, &most);
    if (!code)
        code = read_size("WAITIO_SINGLE_COPY", 0, INT64_MAX, &s->single_copy);
    if (!code)
        code = read_size("WAITIO_CREDIT", 4096, (int64_t)1 << 40, &s->credit);
    if (!code)
        code = read_size("WAITIO_UNEXPECTED_LIMIT", 65536, (int64_t)1 << 50, &s->unexpected);
    if (!code)
        code = read_size("WAITIO_ENCRYPT", 0, 1, &seals);
    if (!code)
        code = read_size("WAITIO_CHECKSUM", 0, 1, &checks);
    s->streams = (int)streams;
    s->connections_most = (int)most;
    s->encrypts = seals;
    s->checks = checks;
    return code ? code : read_waiting(s);
}

int waitio__settings_read(waitio__settings *s)
{
    waitio__settings_default(s);
    int code = read_size("WAITIO_EAGER_LIMIT", 0, WAITIO__PAYLOAD_MOST, &s->eager);
    if (!code)
        code = h3ou__env_real("WAITIO_PATIENCE", 3600, &s->patience);
    if (!code)
        code = read_number("WAITIO_NPB", "how many jobs take part", 1, WAITIO__PBS_MOST, &s->npb);
    if (!code)
        code = read_number("WAITIO_PBID", "the job's number, 0 to WAITIO_NPB - 1; 0 is the master", 0, INT32_MAX,
                           &s->pbid);
    if (!code && s->npb == 1 && s->pbid)
        code = h3ou__fail(H3OU__EENV, "WAITIO_PBID=%d, but WAITIO_NPB=1: give all jobs the number of jobs", s->pbid);
    if (!code)
        code = read_type(s);
    if (!code)
        code = read_switches(s);
    /* A job alone needs no master. The master checks as well that PBID is below NPB, so that every job learns of it. */
    if (!code && s->npb > 1)
        code = read_master(s);
    return code;
}

int waitio__settings_address(const waitio__settings *s, waitio__address *out)
{
    const char *address = getenv("WAITIO_ADDRESS"), *device = getenv("WAITIO_DEVICE");
    h3ou__address found;
    int n, code = H3OU__OK;
    if (address && *address) {
        code = h3ou__address_resolve(address, 0, &found, 1, &n);
        if (code)
            h3ou__fail_in(code, "WAITIO_ADDRESS");
    } else if (device && *device) {
        code = h3ou__address_of_device(device, &found);
        if (code)
            h3ou__fail_in(code, "WAITIO_DEVICE");
    } else if (s->nmaster) {
        code = h3ou__address_towards(&s->master[0], &found);
        if (code)
            h3ou__fail_in(code, "WAITIO_MASTER_HOST=%s", s->host);
    } else {
        code = h3ou__address_resolve("127.0.0.1", 0, &found, 1, &n);
    }
    if (!code)
        *out = found;
    return code;
}
