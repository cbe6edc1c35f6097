/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/message/parcel.h"

#include <stdlib.h>

#include "base/error.h"

enum { KEPT = 4, LINE = 64 }; /* parcels that are kept; bytes of a cache line */

static void parcel_free(h3ou__parcel *p)
{
    if (!p)
        return;
    free(p->req);
    free(p->data);
    free(p);
}

static h3ou__parcel *parcel_create(int npartner)
{
    h3ou__parcel *p = calloc(1, sizeof *p);
    if (p && !(p->req = calloc((size_t)npartner + 1, sizeof *p->req))) {
        parcel_free(p);
        return NULL;
    }
    return p;
}

static bool make_room(h3ou__parcel *p, int64_t numbers)
{
    if (p->data && p->room >= numbers && numbers > 0)
        return true;
    free(p->data);
    p->data = NULL;
    p->room = 0;
    if (numbers == 0) /* all messages stand where their receivers read them */
        return true;
    p->data = aligned_alloc(LINE, (sizeof *p->data * (size_t)numbers / LINE + 1) * LINE);
    p->room = p->data ? numbers : 0;
    return p->data != NULL;
}

h3ou__parcel *h3ou__parcel_take(h3ou__parcels *all, int64_t numbers)
{
    h3ou__parcel *p = all->free ? all->free : parcel_create(all->npartner);
    if (all->free) {
        all->free = p->next;
        all->nfree--;
    }
    if (!p || !make_room(p, numbers)) {
        parcel_free(p);
        return NULL;
    }
    p->next = NULL;
    p->n = 0;
    all->newest = numbers;
    return p;
}

void h3ou__parcel_depart(h3ou__parcels *all, h3ou__parcel *p)
{
    if (all->last)
        all->last->next = p;
    else
        all->first = p;
    all->last = p;
    all->n++;
}

h3ou__parcel *h3ou__parcel_begin(h3ou__parcels *all, int64_t numbers)
{
    h3ou__parcel *p = h3ou__parcel_take(all, numbers);
    if (p)
        h3ou__parcel_depart(all, p);
    return p;
}

int h3ou__parcel_await(h3ou__parcels *all)
{
    h3ou__parcel *p = all->first;
    int err = h3ou__waitall(all->world, p->n, p->req);
    if (err)
        return err;
    all->first = p->next;
    if (!all->first)
        all->last = NULL;
    all->n--;
    if (all->nfree == KEPT) {
        parcel_free(p);
        return H3OU__OK;
    }
    if (all->newest == 0) /* that of the first messages, before their receivers had a place for them */
        make_room(p, 0);
    p->next = all->free;
    all->free = p;
    all->nfree++;
    return H3OU__OK;
}

int h3ou__parcel_progress(h3ou__parcels *all)
{
    while (all->first) {
        for (int k = 0; k < all->first->n; k++) {
            bool done;
            int err = h3ou__test(all->world, &all->first->req[k], &done);
            if (err || !done)
                return err;
        }
        int err = h3ou__parcel_await(all);
        if (err)
            return err;
    }
    return H3OU__OK;
}

void h3ou__parcel_give_back(h3ou__parcels *all)
{
    for (h3ou__parcel *p = all->free; p; p = p->next)
        make_room(p, 0);
    all->newest = 0; /* nor is the memory kept of those that have yet to arrive */
}

static void list_free(h3ou__parcel *p)
{
    while (p) {
        h3ou__parcel *next = p->next;
        parcel_free(p);
        p = next;
    }
}

void h3ou__parcel_free_all(h3ou__parcels *all)
{
    list_free(all->first);
    list_free(all->free);
    all->first = all->last = all->free = NULL;
}
