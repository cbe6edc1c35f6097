/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

typedef struct members { /* the list that is made */
    h3ou__component *component;
    int n;
} members;

/* The records of one name: one for each job that started it. */
typedef struct family {
    const h3ou__component *first;
    int njob, nunsaid, said; /* jobs; of them, those that do not say how many members they hold; the others' sum */
} family;

static bool is_first_of_name(const h3ou__world *w, int i)
{
    for (int j = 0; j < i; j++)
        if (!strcmp(w->component[j].base, w->component[i].base))
            return false;
    return true;
}

static int fail_two_jobs(const h3ou__component *a, const h3ou__component *b)
{
    return h3ou__fail(H3OU__EJOIN,
                      "component '%s' is started in two jobs, WAITIO_PBID %d and %d: a component is one job or a part of "
                      "one; the members of an ensemble give h3ou_init their number (nensemble)",
                      a->base, a->job, b->job);
}

static int count_family(const h3ou__world *w, int first, family *f)
{
    *f = (family){.first = &w->component[first]};
    for (int i = first; i < w->ncomponent; i++) {
        const h3ou__component *c = &w->component[i];
        if (strcmp(c->base, f->first->base) != 0)
            continue;
        if (c->nmember != f->first->nmember)
            return h3ou__fail(H3OU__EJOIN,
                              "component '%s' has nensemble=%d in job %d and %d in job %d: give h3ou_init the number of all "
                              "members everywhere",
                              c->base, f->first->nmember, f->first->job, c->nmember, c->job);
        if (f->njob++ > 0 && c->nmember == 1)
            return fail_two_jobs(f->first, c);
        f->nunsaid += c->held == 0;
        f->said += c->held;
    }
    return H3OU__OK;
}

/* Sets *each to the members that every job holds which does not say how many it does. */
static int share_members(const family *f, int *each)
{
    int n = f->first->nmember, rest = n - f->said;
    *each = f->nunsaid > 0 && rest > 0 ? rest / f->nunsaid : 0;
    if (f->nunsaid > 0 ? *each > 0 && *each * f->nunsaid == rest : rest == 0)
        return H3OU__OK;
    if (f->said == 0)
        return h3ou__fail(H3OU__EJOIN,
                          "component '%s' has nensemble=%d, and %d jobs started it: that is no whole number of members a job; "
                          "say in each job's environment how many it holds: H3OU_MEMBERS",
                          f->first->base, n, f->njob);
    return h3ou__fail(H3OU__EJOIN,
                      "component '%s' has nensemble=%d, but %d members by H3OU_MEMBERS in %d of the %d jobs that started it",
                      f->first->base, n, f->said, f->njob - f->nunsaid, f->njob);
}

/* Copies the runs of ranks that hold `count` processes from process `begin` of a component on. */
static int copy_runs(const h3ou__component *from, int begin, int count, h3ou__component *to)
{
    to->size = count;
    to->run = malloc(sizeof *to->run * (size_t)(2 * from->nrun + 1));
    if (!to->run)
        return h3ou__no_memory("the list of components");
    for (int i = 0; i < from->nrun && count > 0; i++) {
        int length = from->run[2 * i + 1], skip = begin < length ? begin : length;
        int take = length - skip < count ? length - skip : count;
        begin -= skip;
        if (take == 0)
            continue;
        to->run[2 * to->nrun] = from->run[2 * i] + skip;
        to->run[2 * to->nrun++ + 1] = take;
        count -= take;
    }
    return H3OU__OK;
}

/* Adds the members that one job holds; the processes are shared out as evenly as they can be. */
static int add_members(members *all, const h3ou__component *from, int first, int count)
{
    if (from->size < count)
        return h3ou__fail(H3OU__EJOIN, "component '%s': job %d holds %d members, but has only %d processes of it", from->base,
                          from->job, count, from->size);
    for (int k = 0, begin = 0; k < count; k++) {
        int size = from->size / count + (k < from->size % count);
        if (!h3ou__resize(&all->component, sizeof *all->component, all->n + 1))
            return h3ou__no_memory("the list of components");
        h3ou__component *c = &all->component[all->n++];
        *c = (h3ou__component){.job = from->job, .member = first + k, .nmember = from->nmember};
        memcpy(c->base, from->base, sizeof c->base);
        int err = copy_runs(from, begin, size, c);
        if (err)
            return err;
        begin += size;
    }
    return H3OU__OK;
}

static int add_family(h3ou__world *w, int first, members *all)
{
    family f;
    int each, member = 0, err = count_family(w, first, &f);
    if (!err)
        err = share_members(&f, &each);
    for (int i = first; i < w->ncomponent && !err; i++) {
        const h3ou__component *c = &w->component[i];
        if (strcmp(c->base, f.first->base) != 0)
            continue;
        int count = c->held > 0 ? c->held : each;
        err = add_members(all, c, member, count);
        member += count;
    }
    return err;
}

static int name_members(h3ou__world *w)
{
    for (int i = 0; i < w->ncomponent; i++)
        w->is_ensemble |= w->component[i].nmember > 1;
    for (int i = 0; i < w->ncomponent; i++) {
        h3ou__component *c = &w->component[i];
        if (w->is_ensemble && strlen(c->base) + H3OU__MEMBER_DIGITS > H3OU__NAME)
            return h3ou__fail(H3OU__EJOIN, "component '%s': in a run with members a name has at most %d characters", c->base,
                              H3OU__NAME - H3OU__MEMBER_DIGITS);
        if (w->is_ensemble)
            snprintf(c->name, sizeof c->name, "%.*s%0*d", H3OU__NAME - H3OU__MEMBER_DIGITS, c->base, H3OU__MEMBER_DIGITS,
                     c->member);
        else
            memcpy(c->name, c->base, sizeof c->name);
    }
    return H3OU__OK;
}

static int by_job_and_rank(const void *a, const void *b)
{
    const h3ou__component *x = a, *y = b;
    if (x->job != y->job)
        return (x->job > y->job) - (x->job < y->job);
    if (x->run[0] != y->run[0])
        return (x->run[0] > y->run[0]) - (x->run[0] < y->run[0]);
    return strcmp(x->base, y->base); /* both are opened by one process */
}

int h3ou__members_split(h3ou__world *w)
{
    members all = {0};
    int err = H3OU__OK;
    for (int i = 0; i < w->ncomponent && !err; i++)
        if (is_first_of_name(w, i))
            err = add_family(w, i, &all);
    h3ou__components_free(w);
    w->component = all.component;
    w->ncomponent = all.n;
    if (err)
        return err;
    qsort(w->component, (size_t)w->ncomponent, sizeof *w->component, by_job_and_rank);
    return name_members(w);
}
