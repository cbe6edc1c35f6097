/* SPDX-License-Identifier: BSD-3-Clause */
#include "socket_tree.h"

#include <string.h>

enum { TAG = 77, MOST_CHILDREN = 64 };

typedef struct place {
    int parent; /* -1: I am the root */
    int nchild, child[MOST_CHILDREN];
} place;

static void find_binomial(const socket_tree *t, int root, place *p)
{
    int relative = (t->rank - root + t->size) % t->size, bit = 1;
    while (bit < t->size && !(relative & bit))
        bit *= 2;
    p->parent = relative ? (relative - bit + root) % t->size : -1;
    for (bit /= 2; bit > 0; bit /= 2)
        if (relative + bit < t->size)
            p->child[p->nchild++] = (relative + bit + root) % t->size;
}

static void find_layered(const socket_tree *t, int root, place *p)
{
    int each = t->size / t->njob, block = t->rank / each, root_block = root / each;
    int head = block == root_block ? root : block * each;
    p->parent = t->rank == root ? -1 : t->rank == head ? root : head;
    for (int i = 0; i < t->njob && t->rank == root; i++)
        if (i != root_block)
            p->child[p->nchild++] = i * each;
    for (int i = 0; i < each && t->rank == head; i++)
        if (block * each + i != head)
            p->child[p->nchild++] = block * each + i;
}

static place find_place(const socket_tree *t, int root)
{
    place p = {0};
    if (t->is_layered)
        find_layered(t, root, &p);
    else
        find_binomial(t, root, &p);
    return p;
}

static int receive(const socket_tree *t, int from, double *data, size_t n)
{
    waitio_req_t req;
    int err = waitio_irecv(t->group, from, (char *)data, n * sizeof *data, TAG, &req);
    return err ? err : waitio_wait(&req);
}

int socket_tree_bcast(const socket_tree *t, double *data, size_t n, int root)
{
    place p = find_place(t, root);
    waitio_req_t req[MOST_CHILDREN];
    int err = p.parent >= 0 ? receive(t, p.parent, data, n) : 0;
    for (int i = 0; i < p.nchild && !err; i++)
        err = waitio_isend(t->group, p.child[i], (char *)data, n * sizeof *data, TAG, &req[i]);
    return err ? err : waitio_waitall(p.nchild, req, NULL);
}

int socket_tree_reduce(const socket_tree *t, const double *in, double *out, size_t n, int root)
{
    place p = find_place(t, root);
    waitio_req_t req;
    int err = 0;
    memcpy(out, in, n * sizeof *out);
    for (int i = p.nchild - 1; i >= 0 && !err; i--) {
        err = receive(t, p.child[i], t->partial, n);
        for (size_t k = 0; k < n && !err; k++)
            out[k] += t->partial[k];
    }
    if (!err && p.parent >= 0 && (err = waitio_isend(t->group, p.parent, (char *)out, n * sizeof *out, TAG, &req)) == 0)
        err = waitio_wait(&req);
    return err;
}

int socket_tree_allreduce(const socket_tree *t, const double *in, double *out, size_t n)
{
    int err = socket_tree_reduce(t, in, out, n, 0);
    return err ? err : socket_tree_bcast(t, out, n, 0);
}
