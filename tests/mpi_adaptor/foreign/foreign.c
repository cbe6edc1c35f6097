/* SPDX-License-Identifier: BSD-3-Clause */
/* FOREIGN_BACK: the file of h3ou's back that does the work. FOREIGN_PLAIN: statuses and error codes are the hub's. FOREIGN_ABI: the version
 * of the ABI. */
#include "foreign.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi_adaptor/hub/back_choice.h"

struct real real;
int is_plain;
const struct hub *hub __attribute__((visibility("hidden")));
extern const struct hub back_table;

static const struct hub *back_open(char *sentence, int size)
{
    const char *file = getenv("FOREIGN_BACK"), *library = getenv("H3OU_MPI_LIBRARY");
    char *kept = library ? strdup(library) : NULL;
    void *back = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    back_open_function *open = back ? (back_open_function *)dlsym(back, BACK_OPEN) : NULL;
    unsetenv("H3OU_MPI_LIBRARY"); /* which names this library */
    const struct hub *table = open ? open(sentence, size) : NULL;
    if (kept)
        setenv("H3OU_MPI_LIBRARY", kept, 1);
    free(kept);
    return table;
}

__attribute__((constructor)) static void foreign_load(void)
{
    char sentence[1024] = "no FOREIGN_BACK";
    const struct hub *table = back_open(sentence, sizeof sentence);
    if (!table) {
        fprintf(stderr, "foreign: %s\n", sentence);
        _Exit(1);
    }
    is_plain = getenv("FOREIGN_PLAIN") != NULL;
#define COPY(name, symbol) real.name = table->name;
    REAL_FUNCTIONS(COPY)
    hub = &back_table;
}

#pragma GCC visibility push(default)
int PMPI_Pcontrol(int level, ...);
int PMPI_Pcontrol(int level, ...)
{
    (void)level;
    return ABI_SUCCESS;
}
__typeof__(PMPI_Pcontrol) MPI_Pcontrol __attribute__((weak, alias("PMPI_Pcontrol")));

int PMPI_Abi_get_version(int *major, int *minor);
int PMPI_Abi_get_version(int *major, int *minor)
{
    const char *asked = getenv("FOREIGN_ABI");
    *major = asked ? atoi(asked) : 1;
    *minor = 0;
    return ABI_SUCCESS;
}
__typeof__(PMPI_Abi_get_version) MPI_Abi_get_version __attribute__((weak, alias("PMPI_Abi_get_version")));
#pragma GCC visibility pop
