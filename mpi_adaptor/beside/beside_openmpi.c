/* SPDX-License-Identifier: BSD-3-Clause */
/* A front that is preloaded before Open MPI's own library: predefined handles are that library's objects, of which the program has copies of those that it
 * names. */
#include <dlfcn.h>

#include "mpi_adaptor/front/openmpi.h"
#include "mpi_adaptor/hub/back_choice.h"

const struct hub *hub;
intptr_t own_of[HUB_PREDEFINED];
struct object_places places_of_program, places_of_library;
__attribute__((visibility("default"))) const char h3ou_adaptor_front[] = "openmpi";

static void places_extend(struct objects *objects, uintptr_t at)
{
    if (!objects->bytes) {
        *objects = (struct objects){at, sizeof(intptr_t)};
    } else if (at < objects->first) {
        objects->bytes += objects->first - at;
        objects->first = at;
    } else if (at + sizeof(intptr_t) > objects->first + objects->bytes) {
        objects->bytes = at + sizeof(intptr_t) - objects->first;
    }
}

static struct object_places *places_of(intptr_t own, const Dl_info *library)
{
    Dl_info that;
    int there = dladdr((void *)own, &that) && that.dli_fbase == library->dli_fbase;
    return there ? &places_of_library : &places_of_program;
}

/* Types that stand for others come later in the table: the first name of an object counts. */
static void places_fill(const Dl_info *library)
{
    for (int i = Op_first; i < HUB_PREDEFINED; i++)
        if (own_of[i])
            places_extend(&places_of(own_of[i], library)->at, (uintptr_t)own_of[i]);
    places_of_program.hub = calloc(places_of_program.at.bytes / sizeof(intptr_t) + 1, sizeof(uint16_t));
    places_of_library.hub = calloc(places_of_library.at.bytes / sizeof(intptr_t) + 1, sizeof(uint16_t));
    if (!places_of_program.hub || !places_of_library.hub)
        hub_end("no memory for the table of predefined handles");
    for (int i = Op_first; i < HUB_PREDEFINED; i++) {
        struct object_places *places = own_of[i] ? places_of(own_of[i], library) : NULL;
        uint16_t *entry = places ? &places->hub[((uintptr_t)own_of[i] - places->at.first) / sizeof(intptr_t)] : NULL;
        if (entry && !*entry)
            *entry = (uint16_t)i;
    }
}

__attribute__((constructor)) static void front_load(void)
{
    Dl_info library;
    void *send = dlsym(RTLD_NEXT, "PMPI_Send");
    if (!send || !dladdr(send, &library))
        hub_end("there is no Open MPI behind the library that was preloaded");
    predefined_fill(own_of);
    places_fill(&library);
    hub = back_choose("openmpi");
    shortcut_take();
}
