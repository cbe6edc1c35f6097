/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/identity/encrypted_link.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"

enum { TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES, AROUND = 4 + TAG };

typedef struct side {
    waitio__key key;
    uint64_t number; /* number of the next record, which is its nonce */
    size_t n, used;
    unsigned char *bytes; /* [most + AROUND] */
} side;

typedef struct encrypted_link {
    waitio__link inner;
    waitio__memory *memory;
    size_t most; /* bytes in a record */
    side out, in;
    size_t plain_n, plain_used; /* bytes of the last decrypted record; how many of them were read */
    unsigned char *plain;       /* [most] */
    int broken;
    unsigned char bytes[];
} encrypted_link;

static size_t size_of(size_t most)
{
    return sizeof(encrypted_link) + 3 * most + 2 * AROUND;
}

static void nonce_of(uint64_t number, unsigned char nonce[crypto_aead_xchacha20poly1305_ietf_NPUBBYTES])
{
    memset(nonce, 0, crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
    h3ou__put64(nonce, number);
}

/* Writes what is left of the last record. */
static int record_flush(encrypted_link *s)
{
    while (s->out.used < s->out.n) {
        struct iovec v = {s->out.bytes + s->out.used, s->out.n - s->out.used};
        size_t moved = 0;
        int code = s->inner.conduit->writev(&s->inner, &v, 1, &moved);
        if (code)
            return code;
        s->out.used += moved;
    }
    s->out.n = s->out.used = 0;
    return H3OU__OK;
}

static int encrypted_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    encrypted_link *s = link->state;
    unsigned char gathered[WAITIO__ENCRYPTED_LONG], nonce[crypto_aead_xchacha20poly1305_ietf_NPUBBYTES];
    size_t all = 0;
    *moved = 0;
    int code = record_flush(s);
    if (code || !n)
        return code;
    for (int i = 0; i < n && all < s->most; i++) {
        size_t part = iov[i].iov_len < s->most - all ? iov[i].iov_len : s->most - all;
        memcpy(gathered + all, iov[i].iov_base, part);
        all += part;
    }
    h3ou__put32(s->out.bytes, (uint32_t)all);
    nonce_of(s->out.number++, nonce);
    crypto_aead_xchacha20poly1305_ietf_encrypt(s->out.bytes + 4, NULL, gathered, all, s->out.bytes, 4, NULL, nonce,
                                               s->out.key.byte);
    s->out.n = 4 + all + TAG;
    s->out.used = 0;
    code = record_flush(s);
    if (code < 0)
        return code;
    /* All these bytes count as moved, even if a part of the record is left: the next call writes that part first. */
    *moved = all;
    return H3OU__OK;
}

static int record_open(encrypted_link *s)
{
    unsigned char nonce[crypto_aead_xchacha20poly1305_ietf_NPUBBYTES];
    unsigned long long n;
    size_t want = h3ou__get32(s->in.bytes);
    nonce_of(s->in.number++, nonce);
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(s->plain, &n, NULL, s->in.bytes + 4, want + TAG, s->in.bytes, 4,
                                                   nonce, s->in.key.byte)) {
        s->broken = 1;
        return h3ou__fail(H3OU__EPROTO, "an encrypted record that was changed on its way");
    }
    s->plain_n = (size_t)n;
    s->plain_used = 0;
    s->in.n = 0;
    return H3OU__OK;
}

/* Reads until a record is whole, and decrypts it. */
static int record_read(encrypted_link *s)
{
    for (;;) {
        size_t want = 4;
        if (s->in.n >= 4) {
            size_t n = h3ou__get32(s->in.bytes);
            if (!n || n > s->most) {
                s->broken = 1;
                return h3ou__fail(H3OU__EPROTO, "an encrypted record of %zu bytes", n);
            }
            want = 4 + n + TAG;
            if (s->in.n == want)
                return record_open(s);
        }
        struct iovec v = {s->in.bytes + s->in.n, want - s->in.n};
        size_t moved = 0;
        int code = s->inner.conduit->readv(&s->inner, &v, 1, &moved);
        if (code)
            return code;
        s->in.n += moved;
    }
}

static size_t iov_length(const struct iovec *iov, int n)
{
    size_t all = 0;
    for (int i = 0; i < n; i++)
        all += iov[i].iov_len;
    return all;
}

/* On a link of short records, a record is decrypted only if all of it fits into iov: then no decrypted bytes remain,
 * which the poller could not report. */
static int encrypted_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    encrypted_link *s = link->state;
    size_t room = iov_length(iov, n);
    *moved = 0;
    if (s->broken)
        return h3ou__fail(H3OU__EPROTO, "an encrypted record that was changed on its way");
    for (int i = 0; i < n; i++)
        for (size_t at = 0; at < iov[i].iov_len;) {
            if (s->plain_used == s->plain_n) {
                bool fits = s->most > WAITIO__ENCRYPTED_SHORT || room - *moved >= s->most;
                int code = fits || !*moved ? record_read(s) : WAITIO__AGAIN;
                /* The error is reported now: perhaps no bytes arrive that would make the descriptor readable again. */
                if (s->broken)
                    *moved = 0;
                if (code)
                    return *moved ? H3OU__OK : code;
            }
            size_t part = s->plain_n - s->plain_used, left = iov[i].iov_len - at;
            part = part < left ? part : left;
            memcpy((char *)iov[i].iov_base + at, s->plain + s->plain_used, part);
            s->plain_used += part;
            at += part;
            *moved += part;
        }
    return H3OU__OK;
}

static size_t encrypted_held(const waitio__link *link)
{
    const encrypted_link *s = link->state;
    return s->out.n - s->out.used;
}

/* The poller does not know of bytes that are decrypted already, nor of a record that was written in part. */
static bool encrypted_ready(waitio__link *link, bool write)
{
    encrypted_link *s = link->state;
    bool is_out = s->out.n == 0 || record_flush(s) == H3OU__OK;
    return s->plain_used < s->plain_n || (write && is_out);
}

static double encrypted_sleep_begin(waitio__link *link, bool write)
{
    encrypted_link *s = link->state;
    if (s->plain_used < s->plain_n)
        return 0;
    return write || s->out.n ? 0.0005 : INFINITY;
}

static void encrypted_sleep_end(waitio__link *link)
{
    (void)link;
}

static void encrypted_close(waitio__link *link)
{
    encrypted_link *s = link->state;
    record_flush(s);
    s->inner.conduit->close(&s->inner);
    sodium_memzero(s->out.key.byte, WAITIO__KEY);
    sodium_memzero(s->in.key.byte, WAITIO__KEY);
    waitio__memory_give(s->memory, WAITIO__USE_LINKS, s, size_of(s->most));
    link->state = NULL;
    link->fd = -1;
}

static const waitio__conduit long_records = {
    .name = "sealed",
    .writev = encrypted_writev,
    .readv = encrypted_readv,
    .ready = encrypted_ready,
    .sleep_begin = encrypted_sleep_begin,
    .sleep_end = encrypted_sleep_end,
    .close = encrypted_close,
    .held = encrypted_held,
};

static const waitio__conduit short_records = {
    .name = "sealed",
    .writev = encrypted_writev,
    .readv = encrypted_readv,
    .close = encrypted_close,
    .held = encrypted_held,
};

int waitio__encrypted_link_wrap(waitio__link *link, size_t most, const waitio__key *out, const waitio__key *in,
                                waitio__memory *memory)
{
    encrypted_link *s = waitio__memory_take(memory, WAITIO__USE_LINKS, size_of(most));
    if (!s)
        return H3OU__ENOMEM;
    s->inner = *link;
    s->memory = memory;
    s->most = most;
    s->out = (side){.key = *out, .bytes = s->bytes};
    s->in = (side){.key = *in, .bytes = s->bytes + most + AROUND};
    s->plain = s->in.bytes + most + AROUND;
    *link = (waitio__link){
        .conduit = most > WAITIO__ENCRYPTED_SHORT ? &long_records : &short_records, .fd = s->inner.fd, .state = s};
    return H3OU__OK;
}
