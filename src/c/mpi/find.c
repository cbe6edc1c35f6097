/* SPDX-License-Identifier: BSD-3-Clause */
/* Which MPI does this process run? Asked of the process itself, not of the build: one library serves them all. */
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

enum { VERSION = 8192, PATHS = 4096 };

typedef int version_call(char *text, int *length);

/* What an MPI calls itself, and the backend for it. */
static const struct {
    const char *sign, *name;
} known[] = {
    {"Open MPI", "openmpi"}, {"FUJITSU", "fujitsu"}, {"Intel", "intel"}, {"MVAPICH", "mvapich"}, {"MPICH", "mpich"}};

/* A Python module may have loaded its MPI out of the global scope: look through all loaded objects. */
static int look_at_object(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    const char *file = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    if (!file || (strncmp(file, "/libmpi.so", 10) != 0 && strncmp(file, "/libmpich.so", 12) != 0))
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

static const char *name_of(const char *version)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(version, known[i].sign))
            return known[i].name;
    return "default";
}

/* The directory of libwaitio, where the backends are installed too. */
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

/* The backend brings its MPI along where the process has none yet, for all to see: MPIs load plug-ins that look for it.
 */
static const h3ou__mpi_ops *try_backend(const char *dir, const char *name)
{
    char file[PATHS + 64];
    snprintf(file, sizeof file, "%s/libh3ou_mpi_%s.so", dir, name);
    void *handle = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    return handle ? dlsym(handle, "h3ou__mpi_backend") : NULL;
}

/* A model that calls no MPI itself is often linked without it (--as-needed), though an mpirun started it: then the
 * launcher's environment says whose. NULL: none started it. */
static const char *launcher_name(void)
{
    if (getenv("OMPI_COMM_WORLD_SIZE"))
        return "Open MPI, by its launcher";
    return getenv("PMI_SIZE") ? "MPICH, by its launcher" : NULL;
}

/* A backend that brought another MPI into the process would be worse than none. */
static int check_backend(const h3ou__mpi_ops *ops, const char *version)
{
    char theirs[VERSION] = "";
    if (ops->abi != H3OU__MPI_ABI)
        return h3ou__fail(H3OU__ENOBACKEND,
                          "backend %s is of version %d, this library needs %d: install both from one build", ops->name,
                          ops->abi, H3OU__MPI_ABI);
    int err = ops->version(theirs, sizeof theirs);
    if (!err && strcmp(name_of(theirs), name_of(version)) != 0)
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
    const h3ou__mpi_ops *ops = try_backend(dir, name_of(version));
    if (!ops)
        ops = try_backend(dir, "default");
    if (!ops)
        return h3ou__fail(H3OU__ENOBACKEND,
                          "this process runs %.*s, but %s has no libh3ou_mpi_%s.so: build h3ou where this "
                          "MPI's mpicc is found (as mpicc.%s or mpicc), or set H3OU_MPI_BACKEND_DIR",
                          (int)strcspn(version, "\n,"), version, dir, name_of(version), name_of(version));
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
            return h3ou__fail(H3OU__EMPI, "MPI_Get_library_version failed");
        if (!call && launcher_name())
            snprintf(version, sizeof version, "%s", launcher_name());
        int err = *version ? load_backend(version, call != NULL, &ops) : H3OU__OK;
        if (err)
            return err;
        h3ou__log(H3OU__LOG_LOUD, "mpi", "backend=%s", ops->name);
        found = ops;
    }
    *out = found;
    return H3OU__OK;
}

/* The launcher's own protocol (PMI-1), of which one line is enough. Open MPI's launcher sees that a process has ended
 * with an exit code other than 0 and needs no word. */
void h3ou__mpi_abort_unstarted(int code)
{
    char line[64];
    const char *descriptor = getenv("PMI_FD");
    if (!descriptor || atoi(descriptor) <= STDERR_FILENO)
        return;
    int n = snprintf(line, sizeof line, "cmd=abort exitcode=%d\n", code < 0 ? -code : code);
    if (write(atoi(descriptor), line, (size_t)n) == n)
        sleep(1); /* the launcher ends this process, too; one that exits first could be taken for the cause */
}
