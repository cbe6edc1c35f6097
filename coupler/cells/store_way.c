/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/store_way.h"

enum { IN_A_ROW = 3, LEAST = 16, MOST = 1024, FACTOR = 4 };
static const double LONG = 1e-10; /* seconds a byte: caches that are shared take a quarter of it */
static const double GAIN = 1.3;   /* past the caches has to be so much faster, since the reader then waits for memory */

static int longer(int n)
{
    return n < LEAST ? LEAST : n * FACTOR < MOST ? n * FACTOR : MOST;
}

bool h3ou__store_way_is_past(const h3ou__store_way *w)
{
    return w->left > 0;
}

static void took_plain(h3ou__store_way *w, double each)
{
    w->plain = each;
    if (each < LONG) {
        w->slow = 0;
        w->next = w->hold = 0;
    } else if (w->held > 0) {
        w->held--;
    } else if (++w->slow >= IN_A_ROW) {
        w->next = longer(w->next);
        w->left = w->next;
    }
}

void h3ou__store_way_took(h3ou__store_way *w, int64_t bytes, double seconds)
{
    double each = seconds / (double)bytes;
    if (w->left == 0) {
        took_plain(w, each);
        return;
    }
    bool is_first = w->left-- == w->next;
    if (is_first && GAIN * each > w->plain) {
        w->left = w->slow = 0;
        w->hold = longer(w->hold);
        w->held = w->hold;
    }
}
