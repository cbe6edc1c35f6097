/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/harness/rounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "os/os_clock.h"

enum { STAMP = 8, CALIBRATING = 8, SMALL = 65536 };

/* Writes the number of the message into its first and last bytes, so that the receiver can check that the whole message
 * came. The two overlap in a message of less than twice STAMP bytes. */
static void stamp_message(char *buf, size_t n, uint64_t number)
{
    unsigned char bytes[STAMP];
    h3ou__put64(bytes, number);
    memcpy(buf, bytes, n < STAMP ? n : STAMP);
    memcpy(buf + (n < STAMP ? 0 : n - STAMP), bytes, n < STAMP ? n : STAMP);
}

static bool is_stamped(const char *buf, size_t n, uint64_t number)
{
    char right[2 * STAMP];
    if (n < sizeof right) {
        stamp_message(right, n, number);
        return !memcmp(buf, right, n);
    }
    stamp_message(right, sizeof right, number);
    return !memcmp(buf, right, STAMP) && !memcmp(buf + n - STAMP, right + STAMP, STAMP);
}

int play_ping_pongs(wire *w, int side, char *buf, size_t size, uint64_t n, double *ns)
{
    double began = h3ou__now();
    for (uint64_t i = 0; i < 2 * n; i++) {
        bool is_mine = (int)(i % 2) == side;
        if (is_mine)
            stamp_message(buf, size, i);
        int code = is_mine ? w->ops->send(w, buf, size) : w->ops->recv(w, buf, size);
        if (code)
            return code;
        if (!is_mine && !is_stamped(buf, size, i))
            return h3ou__fail(H3OU__EPROTO, "message %" PRIu64 " of %zu bytes is not what was sent", i, size);
    }
    *ns = 1e9 * (h3ou__now() - began);
    return H3OU__OK;
}

/* Returns how many ping-pongs fit into a round, by the time that one took so far. */
static int64_t choose_repeats(const round_plan *plan, double ns)
{
    double n = ns > 0.0 ? 1e9 * plan->seconds / ns : 1.0;
    if (plan->repeat)
        return plan->repeat;
    return n < 1.0 ? 1 : n > 1e7 ? 10000000 : (int64_t)n;
}

int measure_rounds(const round_plan *plan, int links, int64_t bytes, const round_ops *ops, void *user)
{
    double each[ROUND_LINKS_MOST];
    int code = H3OU__OK;
    for (int link = 0; link < links && !code; link++) {
        round_result r = {.link = link, .bytes = bytes, .repeats = 1};
        code = ops->play(user, &r); /* opens connections, fills caches */
        r.repeats = bytes <= SMALL ? CALIBRATING : 1;
        if (!code)
            code = ops->play(user, &r);
        each[link] = r.slowest / (double)r.repeats;
    }
    for (int i = 0; i < plan->rounds * links && !code; i++) {
        int link = i % links;
        round_result r = {.link = link, .bytes = bytes, .repeats = choose_repeats(plan, each[link])};
        code = ops->play(user, &r);
        each[link] = r.slowest / (double)r.repeats;
        if (!code)
            code = ops->put(user, &r);
    }
    return code;
}

void round_write_line(const round_result *r, char line[ROUND_LINE])
{
    snprintf(line, ROUND_LINE, "round %d %d %d %" PRId64 " %" PRId64 " %.0f %.0f\n", r->link, r->pairs, r->is_pinned,
             r->bytes, r->repeats, r->slowest, r->mean);
}

bool round_read_line(const char *line, round_result *r)
{
    int is_pinned;
    if (sscanf(line, "round %d %d %d %" SCNd64 " %" SCNd64 " %lf %lf", &r->link, &r->pairs, &is_pinned, &r->bytes,
               &r->repeats, &r->slowest, &r->mean) != 7)
        return false;
    r->is_pinned = is_pinned != 0;
    return r->link >= 0 && r->link < ROUND_LINKS_MOST && r->pairs > 0 && r->bytes > 0 && r->repeats > 0 &&
           r->slowest >= 0.0;
}
