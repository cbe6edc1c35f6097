/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_adaptor/hub/back_choice.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_adaptor/hub/complaint.h"

#ifdef FRONT_BESIDE
__attribute__((visibility("default"))) extern const char h3ou_adaptor_beside;
const char h3ou_adaptor_beside = 1;
#define FRONT_FOLDERS 1
#define BACK_FOLDER "mpi_adaptor/back"
#else
#define FRONT_FOLDERS 2
#define BACK_FOLDER "back"
#endif

/* The directory of the backs: ../back from the library that this is a part of, mpi_adaptor/back from one that is preloaded. */
static void back_path(char *path, size_t size, const char *name)
{
    Dl_info info;
    char real[PATH_MAX];
    if (!dladdr((void *)&back_choose, &info) || !info.dli_fname || !realpath(info.dli_fname, real))
        hub_end("the library that presents MPI cannot find where it stands itself");
    for (int up = 0; up < FRONT_FOLDERS; up++) {
        char *slash = strrchr(real, '/');
        if (slash)
            *slash = '\0';
    }
    snprintf(path, size, "%s/" BACK_FOLDER "/libh3ou_back_%s.so", real, name);
}

static const char *launcher(void)
{
    if (getenv("OMPI_COMM_WORLD_SIZE"))
        return "openmpi";
    return getenv("PMI_RANK") || getenv("PMI_FD") || getenv("PMI_PORT") ? "mpich" : NULL;
}

static const char *installed(const char *front)
{
    static const char *names[] = {"mpich", "openmpi"};
    char path[PATH_MAX + 64];
    for (int i = 0; i < 2; i++) {
        back_path(path, sizeof path, names[i]);
        if (strcmp(names[i], front) != 0 && access(path, R_OK) == 0)
            return names[i];
    }
    return front;
}

/* Ends the process if another MPI's library stands before the front: the program would call that one for what both
 * have. Tools that stand between define MPI_Init and the like, but not these. */
static void check_front(const char *front)
{
    static const char *const telling[] = {"PMPI_Init", "PMPI_Comm_rank", "PMPI_Send", "PMPI_Wait"};
    Dl_info mine, that;
    if (!dladdr((void *)&back_choose, &mine))
        return;
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
        void *symbol = dlsym(RTLD_DEFAULT, telling[i]);
        if (symbol && dladdr(symbol, &that) && that.dli_fbase != mine.dli_fbase)
            hub_end("%s of this program, which has the ABI of %s, is that of %s: two MPIs in one process; remove that "
                    "library from LD_PRELOAD or "
                    "from what the program needs",
                    telling[i], front, that.dli_fname);
    }
}

static const char *back_name(const char *front)
{
#ifdef FRONT_BESIDE
    (void)launcher;
    (void)installed;
    return front;
#else
    const char *name = getenv("H3OU_MPI_BACK");
    if (!name || !*name)
        name = launcher();
    return name ? name : installed(front);
#endif
}

/* A world of several jobs stands between the front and the back (universe/layer.c): H3OU_UNIVERSE says so. */
static const struct hub *universe_open(const struct hub *back)
{
#ifndef FRONT_BESIDE
    const char *wanted = getenv("H3OU_UNIVERSE");
    if (!wanted || !*wanted || strcmp(wanted, "0") == 0)
        return back;
#endif
    char path[PATH_MAX + 64];
    back_path(path, sizeof path, "universe");
    char *name = strstr(path, "h3ou_back_universe");
    memmove(name, "h3ou_universe.so", sizeof "h3ou_universe.so");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        hub_end("%s", dlerror());
    universe_open_function *open = (universe_open_function *)dlsym(library, "h3ou_universe_open");
    if (!open)
        hub_end("%s has no h3ou_universe_open", path);
    return open(back);
}

const struct hub *back_choose(const char *front)
{
    check_front(front);
    const char *name = back_name(front);
    if (strchr(name, '/'))
        hub_end("H3OU_MPI_BACK=%s: it is a name, such as mpich or openmpi", name);
    char path[PATH_MAX + 64], sentence[1024] = "";
    back_path(path, sizeof path, name);
    if (access(path, R_OK) != 0)
        hub_end("no adaptor to the MPI %s: there is no %s (H3OU_MPI_BACK chooses another)", name, path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        hub_end("%s", dlerror());
    back_open_function *open = (back_open_function *)dlsym(library, BACK_OPEN);
    if (!open)
        hub_end("%s is not an adaptor: it has no %s", path, BACK_OPEN);
    const struct hub *table = open(sentence, sizeof sentence);
    if (!table)
        hub_end("%s", sentence);
    hub_note("program: ABI of %s; runs on %s", front, name);
    return universe_open(table);
}
