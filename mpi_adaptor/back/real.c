/* SPDX-License-Identifier: BSD-3-Clause */
#include PIECE_HEADER

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "mpi_adaptor/hub/back_choice.h"

struct real real;
intptr_t own_of[HUB_PREDEFINED];
extern const struct hub back_table;

static void *library;
static int is_beside; /* the program has loaded the real library itself, and a front that was preloaded stands before it */

void *real_symbol(const char *name)
{
    return dlsym(library, name);
}

void *real_object(const char *name)
{
    return is_beside ? dlsym(RTLD_DEFAULT, name) : real_symbol(name);
}

int real_missing(const char *name)
{
    hub_refuse(name);
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

#define MISSING(name, symbol)                                                                                                                      \
    static int missing_##name(void) { return real_missing(symbol); }
REAL_FUNCTIONS(MISSING)

static void functions_find(void)
{
#define FIND(name, symbol)                                                                                                                         \
    real.name = (__typeof__(real.name))real_symbol(symbol);                                                                          \
    if (!real.name)                                                                                                                        \
        real.name = (__typeof__(real.name))(void (*)(void))missing_##name;
    REAL_FUNCTIONS(FIND)
}

/* The file that a symbol is from, "nothing" if it is nowhere. */
static const char *file_of(void *symbol)
{
    Dl_info info;
    return symbol && dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "nothing";
}

static int same_file(const char *a, const char *b)
{
    char x[PATH_MAX], y[PATH_MAX];
    return realpath(a, x) && realpath(b, y) && strcmp(x, y) == 0;
}

/* Whether telling symbols are those of the real library: asked of it, and for plugins of all that the process has. */
static int symbols_check(const char *path, char *sentence, size_t size)
{
    static const char *telling[] = {REAL_TELLING}, *global[] = {REAL_TELLING_GLOBAL};
    for (size_t i = 0; i < sizeof telling / sizeof *telling && telling[i]; i++) {
        const char *file = file_of(real_symbol(telling[i]));
        if (!same_file(file, path)) {
            snprintf(sentence, size, "%s of %s is that of %s: two MPIs in one process; remove that library from LD_PRELOAD or from what it needs",
                     telling[i], path, file);
            return 1;
        }
    }
    for (size_t i = 0; i < sizeof global / sizeof *global && global[i]; i++) {
        const char *file = file_of(dlsym(RTLD_DEFAULT, global[i]));
        if (!same_file(file, path)) {
            snprintf(sentence, size, "plugins of %s would find %s in %s; a program of this MPI runs on it without the adaptor", path, global[i],
                     file);
            return 1;
        }
    }
    return 0;
}

/* Programs that name `environ` have a copy of the C library's variable, which then is not set itself; but it is what the real library sees,
 * since RTLD_DEEPBIND prefers a library's own needs to the program. It gets the environment of now, in memory that stays. getenv() is not affected. */
static void environment_share(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    char ***hidden = libc ? dlsym(libc, "environ") : NULL;
    if (libc)
        dlclose(libc);
    if (!hidden || hidden == &environ || !environ)
        return;
    size_t n = 0;
    while (environ[n])
        n++;
    char **copy = scratch_get((n + 1) * sizeof *copy);
    memcpy(copy, environ, (n + 1) * sizeof *copy);
    *hidden = copy;
}

__attribute__((visibility("default"))) back_open_function h3ou_mpi_back_open;

const struct hub *h3ou_mpi_back_open(char *sentence, int size)
{
    const char *path = getenv("H3OU_MPI_LIBRARY");
    if (path && *path && *path != '/') {
        snprintf(sentence, (size_t)size, "H3OU_MPI_LIBRARY=%s: it is an absolute path", path);
        return NULL;
    }
    if (!path || !*path)
        path = REAL_LIBRARY;
    is_beside = dlsym(RTLD_DEFAULT, FRONT_BESIDE_NAME) != NULL;
    if (!is_beside)
        environment_share();
    library = dlopen(path, is_beside ? RTLD_NOW | RTLD_NOLOAD : RTLD_NOW | RTLD_DEEPBIND | REAL_SCOPE);
    if (!library) {
        snprintf(sentence, (size_t)size, "%s cannot be opened: %s (H3OU_MPI_LIBRARY names another)", REAL_NAME, dlerror());
        return NULL;
    }
    if (!is_beside && real_symbol("h3ou_adaptor_front")) {
        snprintf(sentence, (size_t)size, "%s is a part of h3ou and no MPI: H3OU_MPI_LIBRARY names the file of the MPI to run on", path);
        return NULL;
    }
    if (!is_beside && symbols_check(path, sentence, (size_t)size))
        return NULL;
    functions_find();
    shortcut_fill();
    predefined_fill(own_of);
    real_prepare(is_beside);
    return &back_table;
}
