/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding which MPI this process runs. The process is examined at run time, since one library serves all MPIs. */
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "mpi/mpi.h"

enum { VERSION = 8192, PATHS = 4096, MPI_TEXT = 128 };

typedef int version_call(char *text, int *length);

/* A word of what MPI_Get_library_version returns, and the name of the backend for that MPI. */
static const struct {
    const char *sign, *name;
} known[] = {
    {"Open MPI", "openmpi"}, {"FUJITSU", "fujitsu"}, {"Intel", "intel"}, {"MVAPICH", "mvapich"}, {"MPICH", "mpich"}};

/* Looks for MPI_Get_library_version in a loaded object, since a Python module may have loaded its MPI outside the
 * global scope. */
static int look_at_object(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    const char *file = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    if (!file || (strncmp(file, "/libmpi.so", 10) != 0 && strncmp(file, "/libmpich.so", 12) != 0 &&
                  strncmp(file, "/libmpi_abi.so", 14) != 0))
        return 0;
    void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    if (handle)
        *(void **)found = dlsym(handle, "MPI_Get_library_version");
    return *(void **)found != NULL;
}

static version_call *find_version_call(void)
{
    void *found = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
    if (!found)
        dl_iterate_phdr(look_at_object, &found);
    version_call *call = NULL;
    memcpy(&call, &found, sizeof call);
    return call;
}

static const char *find_backend_name(const char *version)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(version, known[i].sign))
            return known[i].name;
    return "default";
}

/* Returns the name of the backend whose calls this process understands. By the MPI adaptor a program of one MPI runs on another, which
 * names itself, but the functions are those of the program's MPI, and say so. A library of the MPI standard ABI names what MPI it is. */
static const char *find_called_name(const char *version)
{
    const char *front = dlsym(RTLD_DEFAULT, "h3ou_adaptor_front");
    void *standard = front ? NULL : dlopen("libmpi_abi.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (standard)
        dlclose(standard);
    return front ? front : standard ? "abi" : find_backend_name(version);
}

void h3ou__mpi_describe(const char *version, char *text, int size)
{
    static const struct {
        const char *front, *title;
    } titles[] = {{"openmpi", "Open MPI"}, {"mpich", "MPICH"}, {"abi", "the MPI standard ABI"}};
    const char *front = dlsym(RTLD_DEFAULT, "h3ou_adaptor_front"), *title = front;
    for (size_t i = 0; front && i < sizeof titles / sizeof *titles; i++)
        if (strcmp(front, titles[i].front) == 0)
            title = titles[i].title;
    snprintf(text, (size_t)size, "%.*s%s%s", (int)strcspn(version, "\n,"), version,
             front ? " by the MPI adaptor, program built with " : "", front ? title : "");
    for (char *tab = strchr(text, '\t'); tab; tab = strchr(tab, '\t'))
        *tab = ' ';
}

bool h3ou__mpi_is_universe(void)
{
    const char *asked = getenv("H3OU_UNIVERSE");
    return dlsym(RTLD_DEFAULT, "h3ou_adaptor_beside") || (asked && strcmp(asked, "1") == 0 && dlsym(RTLD_DEFAULT, "h3ou_adaptor_front"));
}

/* Finds the directory of libwaitio, where the backends are installed, too. */
static void own_directory(char *dir, size_t size)
{
    Dl_info info;
    static const char here; /* an object of this library */
    if (!dladdr(&here, &info) || !info.dli_fname || !strrchr(info.dli_fname, '/')) {
        snprintf(dir, size, ".");
        return;
    }
    snprintf(dir, size, "%.*s", (int)(strrchr(info.dli_fname, '/') - info.dli_fname), info.dli_fname);
}

/* Loads a backend, and with it its MPI if the process has none yet; into the global scope, because an MPI loads
 * plug-ins that need its symbols. */
static const h3ou__mpi_ops *try_backend(const char *dir, const char *name)
{
    char file[PATHS + 64];
    snprintf(file, sizeof file, "%s/libh3ou_mpi_%s.so", dir, name);
    void *handle = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    return handle ? dlsym(handle, "h3ou__mpi_backend") : NULL;
}

/* Returns the MPI of the mpirun that started this process, by its environment variables, or NULL. A model that does not
 * call MPI itself is often linked without it (--as-needed). */
static const char *launcher_name(void)
{
    if (getenv("OMPI_COMM_WORLD_SIZE"))
        return "Open MPI, by its launcher";
    return getenv("PMI_SIZE") ? "MPICH, by its launcher" : NULL;
}

/* Refuses a backend of another version, or one that was built for another MPI than this process runs. */
static int check_backend(const h3ou__mpi_ops *ops, const char *version)
{
    char theirs[VERSION] = "";
    if (ops->abi != H3OU__MPI_ABI)
        return h3ou__fail(H3OU__ENOBACKEND,
                          "backend %s is of version %d, this library needs %d: install both from one build", ops->name,
                          ops->abi, H3OU__MPI_ABI);
    int err = ops->version(theirs, sizeof theirs);
    if (!err && strcmp(find_backend_name(theirs), find_backend_name(version)) != 0)
        err =
            h3ou__fail(H3OU__ENOBACKEND, "backend %s was built for another MPI (%.60s) than this process runs (%.60s)",
                       ops->name, theirs, version);
    return err;
}

static int load_backend(const char *version, bool is_loaded, const h3ou__mpi_ops **out)
{
    char own[PATHS];
    const char *chosen = getenv("H3OU_MPI_BACKEND_DIR");
    own_directory(own, sizeof own);
    const char *dir = chosen && *chosen ? chosen : own;
    const char *name = find_called_name(version);
    const h3ou__mpi_ops *ops = try_backend(dir, name);
    if (!ops)
        ops = try_backend(dir, "default");
    if (!ops)
        return h3ou__fail(H3OU__ENOBACKEND,
                          "this process runs %.*s, but %s has no libh3ou_mpi_%s.so: build h3ou where this "
                          "MPI's mpicc is found (as mpicc.%s or mpicc), or set H3OU_MPI_BACKEND_DIR",
                          (int)strcspn(version, "\n,"), version, dir, name, name);
    *out = ops;
    return is_loaded ? check_backend(ops, version) : H3OU__OK;
}

int h3ou__mpi_find(const h3ou__mpi_ops **out)
{
    static const h3ou__mpi_ops *found;
    if (!found) {
        char version[VERSION] = "";
        int length = 0;
        version_call *call = find_version_call();
        const h3ou__mpi_ops *ops = &h3ou__mpi_self;
        if (call && call(version, &length) != 0)
            return h3ou__fail(H3OU__EMPI, "MPI_Get_library_version failed: which MPI this process runs is not known");
        if (!call && launcher_name())
            snprintf(version, sizeof version, "%s", launcher_name());
        int err = *version ? load_backend(version, call != NULL, &ops) : H3OU__OK;
        if (err)
            return err;
        char text[MPI_TEXT];
        h3ou__mpi_describe(version, text, sizeof text);
        h3ou__log(H3OU__LOG_LOUD, "mpi", "backend=%s library=\"%s\"", ops->name, text);
        found = ops;
    }
    *out = found;
    return H3OU__OK;
}

/* Sends the one line of the launcher's protocol (PMI-1) that aborts the job. Open MPI's launcher needs none, since it
 * notices a process that ends with an exit code other than 0. */
void h3ou__mpi_abort_unstarted(int code)
{
    char line[64];
    const char *descriptor = getenv("PMI_FD");
    if (!descriptor || atoi(descriptor) <= STDERR_FILENO)
        return;
    int n = snprintf(line, sizeof line, "cmd=abort exitcode=%d\n", code < 0 ? -code : code);
    if (write(atoi(descriptor), line, (size_t)n) == n)
        sleep(1); /* wait for the launcher to end this process, too: if it exited first, it could be taken for the cause
                   */
}
