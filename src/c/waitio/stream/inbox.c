/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/inbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void waitio__inbox_init(waitio__inbox *in, const waitio__inbox_ops *ops, void *owner)
{
    *in = (waitio__inbox){.ops = ops, .owner = owner};
}

static int begin_check(waitio__inbox *in)
{
    if (!in->frame.check || !in->payload_left)
        return H3OU__OK;
    if (!in->check)
        in->check = malloc(sizeof *in->check);
    if (!in->check)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a checksum");
    waitio__check_begin(in->check, &in->frame);
    return H3OU__OK;
}

static int payload_finish(waitio__inbox *in)
{
    in->in_payload = false;
    if (in->frame.check && in->check && waitio__check_end(in->check) != in->frame.check) {
        /* The stream goes back to the frame, which will be sent again into the same place. */
        in->is_again = true;
        in->received = in->begun;
        in->seq--;
        in->place -= in->room - in->place_left;
        return h3ou__fail(H3OU__EPROTO, "the checksum of frame %s, number %llu, is wrong",
                          waitio__frame_name(in->frame.kind), (unsigned long long)in->frame.seq);
    }
    in->is_again = false;
    return in->ops->payload(in->owner, &in->frame);
}

static int read_head(waitio__inbox *in, const unsigned char head[WAITIO__FRAME])
{
    int code = waitio__frame_get(head, in->seq, &in->frame);
    in->head_got = 0;
    if (code) {
        in->received -= WAITIO__FRAME; /* perhaps damaged on its way: it will be sent again */
        return code;
    }
    in->seq++;
    in->begun = in->received - WAITIO__FRAME;
    in->payload_left = waitio__frame_payload(&in->frame);
    return H3OU__OK;
}

static int payload_begin(waitio__inbox *in)
{
    if (in->is_again) {
        in->place_left = in->room;
    } else {
        in->place = NULL;
        in->place_left = 0;
        int code = in->ops->frame(in->owner, &in->frame, &in->place, &in->place_left);
        if (code || in->is_closed)
            return code;
        if (in->place_left > in->payload_left)
            in->place_left = in->payload_left;
        in->room = in->place_left;
    }
    in->in_payload = in->payload_left > 0;
    if (!in->in_payload)
        return in->ops->payload(in->owner, &in->frame);
    return begin_check(in);
}

/* A frame begins in bytes that are side by side, perhaps with all of its payload. Returns how many bytes it took. */
static size_t begin_whole_frame(waitio__inbox *in, const unsigned char *bytes, size_t n, int *code)
{
    in->received += WAITIO__FRAME;
    *code = read_head(in, bytes);
    if (*code)
        return WAITIO__FRAME;
    size_t length = (size_t)in->payload_left;
    if (in->ops->whole && length <= n - WAITIO__FRAME && !in->frame.check && !in->is_again) {
        in->received += length;
        if (in->ops->whole(in->owner, &in->frame, bytes + WAITIO__FRAME, code)) {
            in->payload_left = 0;
            return WAITIO__FRAME + length;
        }
        in->received -= length;
    }
    *code = payload_begin(in);
    return WAITIO__FRAME;
}

static int inbox_advance(waitio__inbox *in, const unsigned char *bytes, uint64_t n, uint64_t placed)
{
    if (in->frame.check && in->check)
        waitio__check_more(in->check, bytes, n);
    in->received += n;
    in->payload_left -= n;
    in->place += placed;
    in->place_left -= placed;
    return in->payload_left ? H3OU__OK : payload_finish(in);
}

int waitio__inbox_placed(waitio__inbox *in, uint64_t n)
{
    return inbox_advance(in, in->place, n, n);
}

int waitio__inbox_take(waitio__inbox *in, const unsigned char *bytes, size_t n)
{
    int code = H3OU__OK;
    while (n && !code && !in->is_closed) {
        size_t take;
        if (in->in_payload) {
            take = n < in->payload_left ? n : (size_t)in->payload_left;
            uint64_t placed = take < in->place_left ? take : in->place_left;
            if (placed)
                memcpy(in->place, bytes, placed);
            code = inbox_advance(in, bytes, take, placed);
        } else if (n >= WAITIO__FRAME && !in->head_got) {
            take = begin_whole_frame(in, bytes, n, &code);
        } else {
            take = WAITIO__FRAME - in->head_got;
            take = n < take ? n : take;
            memcpy(in->head + in->head_got, bytes, take);
            in->head_got += (unsigned)take;
            in->received += take;
            if (in->head_got == WAITIO__FRAME) {
                code = read_head(in, in->head);
                code = code ? code : payload_begin(in);
            }
        }
        bytes += take;
        n -= take;
    }
    return code;
}

void waitio__inbox_let_go(waitio__inbox *in)
{
    in->place_left = 0;
}
