/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/stop/stop_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_tags.h"

static const char WHAT[] = "the agreement on an early stop";

typedef struct h3ou__stop_letter {
    struct h3ou__stop_letter *next;
    h3ou__req req;
    int64_t word[H3OU__STOP_WORDS];
} letter;

/* A process that has ended takes no part any more: that is no error of the run. */
static int forgive(int err)
{
    return err == H3OU__EPEER ? H3OU__OK : err;
}

int h3ou__stop_line_look(h3ou__stop_line *line, bool *came)
{
    int err = H3OU__OK;
    *came = false;
    if (line->is_lost)
        return H3OU__OK;
    if (!line->is_posted)
        err = h3ou__irecv_probed(line->comm, line->rank, H3OU__TAG_STOP, line->word, H3OU__STOP_WORDS, H3OU__INT64, WHAT, &line->req);
    line->is_posted = !err;
    if (!err)
        err = h3ou__test(h3ou__comm_world(line->comm), &line->req, came);
    line->is_lost = err == H3OU__EPEER || (*came && h3ou__req_is_lost(&line->req));
    *came = *came && !line->is_lost;
    line->is_posted = line->is_posted && !*came;
    return forgive(err);
}

int h3ou__stop_post_send(h3ou__stop_post *post, const h3ou__stop_line *to, int n, const int64_t word[])
{
    letter *l = calloc(1, sizeof *l);
    if (!l)
        return h3ou__no_memory("%s", WHAT);
    memcpy(l->word, word, sizeof *word * (size_t)n);
    int err = to->is_lost ? H3OU__EPEER
                          : h3ou__isend(to->comm, to->rank, H3OU__TAG_STOP, l->word, H3OU__STOP_WORDS, H3OU__INT64, WHAT, &l->req);
    if (err) {
        free(l);
        return forgive(err);
    }
    l->next = post->first;
    post->first = l;
    return H3OU__OK;
}

int h3ou__stop_post_sweep(h3ou__stop_post *post, h3ou__world *world, bool *left)
{
    int err = H3OU__OK;
    for (letter **at = &post->first; *at && !err;) {
        letter *l = *at;
        bool done = false;
        err = h3ou__test(world, &l->req, &done);
        if (err == H3OU__EPEER) {
            done = true;
            err = H3OU__OK;
        }
        if (done) {
            *at = l->next;
            free(l);
        } else {
            at = &l->next;
        }
    }
    *left = post->first;
    return err;
}

void h3ou__stop_post_free(h3ou__stop_post *post)
{
    for (letter *l = post->first, *next; l; l = next) {
        next = l->next;
        free(l);
    }
    post->first = NULL;
}
