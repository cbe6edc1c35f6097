/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/weight_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/heap.h"
#include "coupler/weights/made_rows.h"

static int check_entries(const h3ou__pair_name *name, const int send[], const int recv[], const double coef[],
                         int64_t n)
{
    char pair[4 * H3OU__NAME + 64];
    for (int64_t i = 0; i < n; i++) {
        if (send[i] < 1 || recv[i] < 1)
            return h3ou__fail(H3OU__EINDEX,
                              "table %s: entry %" PRId64 ": %s_index %d is out of range: indices count from 1",
                              h3ou__pair_text(name, pair, sizeof pair), i + 1, send[i] < 1 ? "send" : "recv",
                              send[i] < 1 ? send[i] : recv[i]);
        if (coef && !isfinite(coef[i]))
            return h3ou__fail(H3OU__EARG, "table %s: entry %" PRId64 ": the coefficient is not a finite number",
                              h3ou__pair_text(name, pair, sizeof pair), i + 1);
    }
    return H3OU__OK;
}

static void *copy_of(const void *from, size_t size, int64_t n)
{
    void *to = h3ou__heap_array(n, size);
    if (to && n)
        memcpy(to, from, size * (size_t)n);
    return to;
}

static double *create_ones(int64_t n)
{
    double *coef = h3ou__heap_array(n, sizeof *coef);
    for (int64_t i = 0; coef && i < n; i++)
        coef[i] = 1.0;
    return coef;
}

int h3ou__table_create(const h3ou__pair_name *name, const int send[], const int recv[], const double coef[], int64_t n,
                       bool spread, h3ou__table **out)
{
    h3ou__table *t = calloc(1, sizeof *t);
    if (!t)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for an interpolation table");
    strncpy(t->send_comp, name->send_comp, H3OU__NAME);
    strncpy(t->send_grid, name->send_grid, H3OU__NAME);
    strncpy(t->recv_comp, name->recv_comp, H3OU__NAME);
    strncpy(t->recv_grid, name->recv_grid, H3OU__NAME);
    t->tag = name->tag;
    t->spread = spread;
    t->given = send != NULL;
    int err = H3OU__OK;
    if (t->given) {
        t->n = n;
        t->send = copy_of(send, sizeof *send, n);
        t->recv = copy_of(recv, sizeof *recv, n);
        t->coef = coef ? copy_of(coef, sizeof *coef, n) : create_ones(n);
        if (!t->send || !t->recv || !t->coef)
            err = h3ou__fail(H3OU__ENOMEM, "out of memory for an interpolation table of %" PRId64 " entries", n);
        else
            err = check_entries(name, send, recv, coef, n);
    }
    if (err) {
        h3ou__table_free(t);
        return err;
    }
    *out = t;
    return H3OU__OK;
}

/* Values computed in single precision pass. */
static bool is_turn(double cosine, double sine, bool is_weighted)
{
    if (!isfinite(cosine) || !isfinite(sine))
        return false;
    return is_weighted || fabs(cosine * cosine + sine * sine - 1.0) < 1e-3;
}

int h3ou__table_rotate(h3ou__table *t, const double cosine[], const double sine[], bool is_weighted)
{
    char pair[4 * H3OU__NAME + 64];
    h3ou__pair_name name = {t->send_comp, t->send_grid, t->recv_comp, t->recv_grid, t->tag};
    if (!t->given)
        return H3OU__OK;
    t->rotated = true;
    t->turn = malloc(2 * sizeof *t->turn * (size_t)(t->n + 1));
    if (!t->turn)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for an interpolation table of %" PRId64 " entries", t->n);
    for (int64_t i = 0; i < t->n; i++) {
        if (!is_turn(cosine[i], sine[i], is_weighted))
            return h3ou__fail(H3OU__EARG,
                              "table %s: entry %" PRId64 ": coef_cos=%g and coef_sin=%g are not the cosine and sine of "
                              "an angle",
                              h3ou__pair_text(&name, pair, sizeof pair), i + 1, cosine[i], sine[i]);
        t->turn[2 * i] = cosine[i];
        t->turn[2 * i + 1] = sine[i];
    }
    return H3OU__OK;
}

void h3ou__table_adopt(h3ou__table *t, h3ou__made_rows *made)
{
    t->given = true;
    t->made = made;
}

void h3ou__table_free_entries(h3ou__table *t)
{
    free(t->send);
    free(t->recv);
    free(t->coef);
    free(t->turn);
    t->send = t->recv = NULL;
    t->coef = t->turn = NULL;
    t->is_planned = true;
}

void h3ou__table_free(h3ou__table *t)
{
    if (!t)
        return;
    h3ou__table_free_entries(t);
    h3ou__made_rows_free(t->made);
    free(t);
}

bool h3ou__table_is(const h3ou__table *t, const h3ou__pair_name *name)
{
    return t->tag == name->tag && !strcmp(t->send_comp, name->send_comp) && !strcmp(t->send_grid, name->send_grid) &&
           !strcmp(t->recv_comp, name->recv_comp) && !strcmp(t->recv_grid, name->recv_grid);
}

char *h3ou__pair_text(const h3ou__pair_name *name, char *text, int size)
{
    snprintf(text, (size_t)size, "%s/%s -> %s/%s (mapping_tag %d)", name->send_comp, name->send_grid, name->recv_comp,
             name->recv_grid, name->tag);
    return text;
}
