/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <link.h>

#ifndef FRONT_BESIDE
/* The MPI whose types and values the functions of this process have, for libraries that are made for one MPI, as backends of h3ou are. */
__attribute__((visibility("default"))) const char h3ou_adaptor_front[] = "openmpi";

#include "mpi_adaptor/front/openmpi.h"
#include "mpi_adaptor/hub/back_choice.h"

const struct hub *hub;
intptr_t own_of[HUB_PREDEFINED];
struct objects objects_of_program, objects_of_library;

/* What Fortran's mpi_status_ignore is for MPI_Status_f2c; the Fortran library sets it. */
__attribute__((visibility("default"))) MPI_Fint *MPI_F_STATUS_IGNORE;
__attribute__((visibility("default"))) MPI_Fint *MPI_F_STATUSES_IGNORE;

static void objects_extend(struct objects *objects, uintptr_t at)
{
    enum { LARGEST = 1024 };
    if (!objects->bytes) {
        *objects = (struct objects){at, LARGEST};
    } else if (at < objects->first) {
        objects->bytes += objects->first - at;
        objects->first = at;
    } else if (at + LARGEST > objects->first + objects->bytes) {
        objects->bytes = at + LARGEST - objects->first;
    }
}

/* Only what a program names is copied there; everything else stays in this library. */
__attribute__((constructor)) static void front_load(void)
{
    Dl_info mine, that;
    predefined_fill(own_of);
    dladdr((void *)&front_load, &mine);
    for (int i = 0; i < HUB_PREDEFINED; i++) {
        if (i < Op_first || !own_of[i])
            continue;
        int here = dladdr((void *)own_of[i], &that) && that.dli_fbase == mine.dli_fbase;
        objects_extend(here ? &objects_of_library : &objects_of_program, (uintptr_t)own_of[i]);
    }
    hub = back_choose("openmpi");
    shortcut_take();
}
#endif
