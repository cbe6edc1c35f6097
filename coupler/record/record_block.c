/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/record/record_block.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/grow.h"

enum { MAGIC = 0x31723368 /* "h3r1" */ };

static unsigned char *add_room(h3ou__block_bytes *b, int64_t size)
{
    if (b->has_failed || !h3ou__grow(&b->data, 1, &b->room, b->size + size)) {
        b->has_failed = true;
        return NULL;
    }
    b->size += size;
    return b->data + b->size - size;
}

void h3ou__block_put32(h3ou__block_bytes *b, int64_t value)
{
    unsigned char *to = add_room(b, 4);
    if (to)
        h3ou__put32(to, (uint32_t)value);
}

void h3ou__block_put64(h3ou__block_bytes *b, int64_t value)
{
    unsigned char *to = add_room(b, 8);
    if (to)
        h3ou__put64(to, (uint64_t)value);
}

void h3ou__block_put_bytes(h3ou__block_bytes *b, const void *data, int64_t size)
{
    unsigned char *to = add_room(b, size);
    if (to && size > 0)
        memcpy(to, data, (size_t)size);
}

void h3ou__block_put_text(h3ou__block_bytes *b, const char *text)
{
    h3ou__block_put32(b, (int64_t)strlen(text));
    h3ou__block_put_bytes(b, text, (int64_t)strlen(text));
}

void h3ou__block_put_reals(h3ou__block_bytes *b, const double value[], int64_t n)
{
    unsigned char *to = add_room(b, 8 * n);
    for (int64_t i = 0; i < n && to; i++) {
        uint64_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        h3ou__put64(to + 8 * i, bits);
    }
}

double h3ou__block_real(const unsigned char *from)
{
    uint64_t bits = h3ou__get64(from);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

const unsigned char *h3ou__block_skip(h3ou__block_bytes *b, int64_t size)
{
    if (b->has_failed || size < 0 || size > b->size - b->at) {
        b->has_failed = true;
        return NULL;
    }
    b->at += size;
    return b->data + b->at - size;
}

int32_t h3ou__block_get32(h3ou__block_bytes *b)
{
    const unsigned char *from = h3ou__block_skip(b, 4);
    return from ? (int32_t)h3ou__get32(from) : 0;
}

int64_t h3ou__block_get64(h3ou__block_bytes *b)
{
    const unsigned char *from = h3ou__block_skip(b, 8);
    return from ? (int64_t)h3ou__get64(from) : 0;
}

void h3ou__block_get_bytes(h3ou__block_bytes *b, void *data, int64_t size)
{
    const unsigned char *from = h3ou__block_skip(b, size);
    if (from && size > 0)
        memcpy(data, from, (size_t)size);
    else if (size > 0)
        memset(data, 0, (size_t)size);
}

void h3ou__block_get_text(h3ou__block_bytes *b, char *text, size_t size)
{
    int32_t length = h3ou__block_get32(b);
    const unsigned char *from = h3ou__block_skip(b, length);
    snprintf(text, size, "%.*s", from ? length : 0, from ? (const char *)from : "");
}

void h3ou__block_begin(h3ou__block_bytes *b)
{
    b->size = b->at = 0;
    b->has_failed = false;
    add_room(b, H3OU__RECORD_HEAD);
}

/* Returns the hash of a block: of kind and length, which stand at 4 of its head, then of what follows the head. */
static uint64_t hash_of(const unsigned char kind_and_length[12], const void *data, int64_t length)
{
    return XXH3_64bits_withSeed(data, (size_t)length, XXH3_64bits(kind_and_length, 12));
}

void h3ou__block_seal(h3ou__block_bytes *b, int kind)
{
    if (b->has_failed)
        return;
    int64_t length = b->size - H3OU__RECORD_HEAD;
    h3ou__put32(b->data, MAGIC);
    h3ou__put32(b->data + 4, (uint32_t)kind);
    h3ou__put64(b->data + 8, (uint64_t)length);
    h3ou__put64(b->data + 16, hash_of(b->data + 4, b->data + H3OU__RECORD_HEAD, length));
}

/* Reads exactly `size` bytes. */
static int read_at(int fd, const char *file, int64_t offset, void *data, int64_t size)
{
    for (int64_t done = 0; done < size;) {
        ssize_t n = pread(fd, (char *)data + done, (size_t)(size - done), offset + done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return h3ou__fail(H3OU__EFILE, "%s: %s", file, n < 0 ? strerror(errno) : "became shorter while it was read");
        done += n;
    }
    return H3OU__OK;
}

int h3ou__block_fail_damaged(const char *file, int64_t offset)
{
    return h3ou__fail(H3OU__EFILE, "%s: is damaged, or no record: the block at byte %" PRId64 " does not have its checksum: record the "
                      "run again", file, offset);
}

int h3ou__block_head_read(int fd, const char *file, int64_t offset, int64_t size, h3ou__block_head *out, bool *is_cut)
{
    unsigned char head[H3OU__RECORD_HEAD];
    *out = (h3ou__block_head){0};
    *is_cut = size - offset < H3OU__RECORD_HEAD;
    int err = *is_cut ? H3OU__OK : read_at(fd, file, offset, head, sizeof head);
    if (err || *is_cut)
        return err;
    *out = (h3ou__block_head){(int)h3ou__get32(head + 4), (int64_t)h3ou__get64(head + 8), h3ou__get64(head + 16)};
    if (h3ou__get32(head) != MAGIC || out->kind < H3OU__RECORD_START || out->kind > H3OU__RECORD_END || out->length < 0)
        return h3ou__block_fail_damaged(file, offset);
    *is_cut = out->length > size - offset - H3OU__RECORD_HEAD;
    return H3OU__OK;
}

int h3ou__block_read_begin(int fd, const char *file, int64_t offset, int64_t size, h3ou__block_bytes *b)
{
    b->size = b->at = 0;
    b->has_failed = false;
    if (!add_room(b, size))
        return h3ou__no_memory("a block of %" PRId64 " bytes of the record %s", size, file);
    return read_at(fd, file, offset + H3OU__RECORD_HEAD, b->data, size);
}

int h3ou__block_read(int fd, const char *file, int64_t offset, const h3ou__block_head *head, h3ou__block_bytes *b)
{
    unsigned char kind_and_length[12];
    int err = h3ou__block_read_begin(fd, file, offset, head->length, b);
    h3ou__put32(kind_and_length, (uint32_t)head->kind);
    h3ou__put64(kind_and_length + 4, (uint64_t)head->length);
    if (!err && hash_of(kind_and_length, b->data, head->length) != head->hash)
        return h3ou__block_fail_damaged(file, offset);
    return err;
}

void h3ou__record_values_write(h3ou__block_bytes *b, const h3ou__record_values *v)
{
    const int32_t small[] = {v->var, v->flags, v->count, v->rows};
    const int64_t large[] = {v->num, v->den, v->cells};
    int64_t begin = b->size;
    for (int i = 0; i < 4; i++)
        h3ou__block_put32(b, small[i]);
    for (int i = 0; i < 3; i++)
        h3ou__block_put64(b, large[i]);
    if (!b->has_failed)
        h3ou__block_put64(b, (int64_t)XXH3_64bits(b->data + begin, (size_t)(b->size - begin)));
}

bool h3ou__record_values_read(h3ou__block_bytes *b, h3ou__record_values *v)
{
    int32_t *const small[] = {&v->var, &v->flags, &v->count, &v->rows};
    int64_t *const large[] = {&v->num, &v->den, &v->cells};
    int64_t begin = b->at;
    for (int i = 0; i < 4; i++)
        *small[i] = h3ou__block_get32(b);
    for (int i = 0; i < 3; i++)
        *large[i] = h3ou__block_get64(b);
    uint64_t hash = b->has_failed ? 0 : XXH3_64bits(b->data + begin, (size_t)(b->at - begin));
    v->check = h3ou__block_get64(b);
    return !b->has_failed && (uint64_t)v->check == hash;
}

int h3ou__record_path(const char *folder, const char *component, int rank, char path[H3OU__RECORD_PATH])
{
    if (snprintf(path, H3OU__RECORD_PATH, "%s/%s.%d", folder, component, rank) < H3OU__RECORD_PATH)
        return H3OU__OK;
    return h3ou__fail(H3OU__EARG, "record='%.200s...': the name of the folder is too long", folder);
}
