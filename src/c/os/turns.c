/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/turns.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

static const size_t STACK = 8 << 20; /* the system gives memory only to the part that is used */

typedef struct place { /* where a function goes on */
    ucontext_t context;
    void *stack; /* lowest address, without the page below it that nobody may touch */
    size_t size;
    void *fake; /* of the address sanitizer */
    bool is_done;
    int result;
} place;

typedef struct game {
    int n, now;
    void *const *user;
    int (*body)(void *user);
    void (*resumed)(void *user);
    place *all; /* [n + 1]: the last is the caller of h3ou__turns_run */
} game;

static _Thread_local game *current;

/* Leaves the place that goes on now for another one, and returns when it goes on again. */
static void move_to(game *g, int next)
{
    place *from = &g->all[g->now], *to = &g->all[next];
    g->now = next;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(from->is_done ? NULL : &from->fake, to->stack, to->size);
#endif
    swapcontext(&from->context, &to->context);
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(from->fake, NULL, NULL);
#endif
    if (g->now < g->n)
        g->resumed(g->user[g->now]);
}

/* Returns the next body that has not returned; the one that goes on now, or n, when there is no other. */
static int next_of(const game *g)
{
    for (int k = 1; k <= g->n; k++) {
        int i = (g->now + k) % g->n;
        if (!g->all[i].is_done)
            return i;
    }
    return g->n;
}

static void run_body(void)
{
    game *g = current;
    place *me = &g->all[g->now];
#ifdef __SANITIZE_ADDRESS__
    const void *stack;
    size_t size;
    __sanitizer_finish_switch_fiber(NULL, &stack, &size);
    if (!g->all[g->n].stack) { /* the first body is begun by the caller of h3ou__turns_run */
        g->all[g->n].stack = (void *)(uintptr_t)stack;
        g->all[g->n].size = size;
    }
#endif
    g->resumed(g->user[g->now]);
    me->result = g->body(g->user[g->now]);
    me->is_done = true;
    move_to(g, me->result ? g->n : next_of(g));
}

static int place_begin(place *p)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, STACK + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) || getcontext(&p->context)) {
        if (memory != MAP_FAILED)
            munmap(memory, STACK + page);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a stack");
    }
    p->stack = memory + page;
    p->size = STACK;
    p->context.uc_stack.ss_sp = p->stack;
    p->context.uc_stack.ss_size = p->size;
    p->context.uc_link = NULL;
    makecontext(&p->context, run_body, 0);
    return H3OU__OK;
}

static void place_end(place *p)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap((char *)p->stack - page, p->size + page);
}

int h3ou__turns_run(int n, void *const user[], int (*body)(void *user), void (*resumed)(void *user))
{
    game g = {.n = n, .now = n, .user = user, .body = body, .resumed = resumed};
    int err = (g.all = calloc((size_t)n + 1, sizeof *g.all)) ? H3OU__OK
                                                             : h3ou__fail(H3OU__ENOMEM, "out of memory for a stack");
    for (int i = 0; i < n && !err; i++)
        err = place_begin(&g.all[i]);
    if (!err && n > 0) {
        current = &g;
        move_to(&g, 0);
        current = NULL;
    }
    for (int i = 0; i < n && !err; i++)
        err = g.all[i].result;
    for (int i = 0; i < n && !err; i++) /* after an error messages that are under way may still use the stacks */
        place_end(&g.all[i]);
    free(g.all);
    return err;
}

void h3ou__turns_pass(void)
{
    int next = current ? next_of(current) : 0;
    if (current && next != current->now)
        move_to(current, next);
}

bool h3ou__turns_are_taken(void)
{
    return current != NULL;
}
