/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods by name, and a stack of them. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "interp/weights.h"

const h3ou__method *const h3ou__methods[] = {&h3ou__method_nearest, &h3ou__method_distance, NULL};

static const h3ou__method *find(const char *name, size_t length)
{
    for (int i = 0; h3ou__methods[i]; i++)
        if (strlen(h3ou__methods[i]->name) == length && !strncmp(h3ou__methods[i]->name, name, length))
            return h3ou__methods[i];
    return NULL;
}

static int unknown(const char *name, size_t length)
{
    const char *names[16];
    char word[64], all[256] = "";
    int n = 0;
    for (; h3ou__methods[n]; n++) {
        names[n] = h3ou__methods[n]->name;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", n ? ", " : "", names[n]);
    }
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *near = h3ou__nearest(word, names, n);
    return h3ou__fail(H3OU__ENAME, "no method '%s'%s%s%s; there are: %s", word, near ? ", did you mean '" : "",
                      near ? near : "", near ? "'?" : "", all);
}

int h3ou__weights_make(const char *stack, const h3ou__cells *source, const h3ou__cells *target, int neighbours,
                       double power, h3ou__weights **out)
{
    h3ou__weights *w;
    int err = h3ou__weights_create(target, &w);
    if (err)
        return err;
    h3ou__method_task task = {
        .source = source, .target = target, .neighbours = neighbours, .power = power, .weights = w};
    for (const char *at = stack; !err; task.number++) {
        size_t length = strcspn(at, ",");
        const h3ou__method *method = find(at, length);
        err = method ? method->make(&task) : unknown(at, length);
        if (!at[length])
            break;
        at += length + 1;
    }
    if (!err)
        err = h3ou__weights_sort(w);
    if (err) {
        h3ou__weights_free(w);
        return err;
    }
    snprintf(w->how, sizeof w->how, "%s (n=%d, power=%g)", stack, neighbours, power);
    *out = w;
    return H3OU__OK;
}
