/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/wait_policy.h"

enum { LEAST = 16, QUICKLY = 256, MOST = 1024, ENOUGH = 32, TOO_OFTEN = 3 };

enum waitio__way waitio__manner_begin(waitio__manner *m)
{
    if (m->way == WAITIO__SLEEPS && m->left-- <= 0)
        m->way = WAITIO__YIELDS;
    return m->way;
}

void waitio__manner_succeeded(waitio__manner *m, enum waitio__way way)
{
    if (way == WAITIO__HOLDS)
        m->successes++;
    else
        m->next /= 2; /* one good wait does not make a quiet machine */
}

void waitio__manner_robbed(waitio__manner *m)
{
    if (m->way != WAITIO__YIELDS)
        return;
    m->way = WAITIO__HOLDS;
    m->successes = 0;
}

void waitio__manner_in_vain(waitio__manner *m)
{
    if (m->way != WAITIO__HOLDS)
        return;
    /* A partner that loses its core now and then is no reason to sleep always. */
    m->vain = m->successes < ENOUGH ? m->vain + 1 : 0;
    if (m->vain == TOO_OFTEN) {
        m->vain = 0;
        m->next = m->next < LEAST ? LEAST : m->next < QUICKLY ? 4 * m->next : MOST;
        m->left = m->next;
        m->way = WAITIO__SLEEPS;
    }
    m->successes = 0;
}
